package probe_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

// larsCases counts how often the update of a weight took each branch.
type larsCases struct{ bounded, free, zeroParameter, zeroGradient int }

// plainLARS is the documented update as loops over runs, tensors and entries. factors are η_t/η of each step.
func plainLARS(l probe.LARS, factors []float64, params []testkit.Array, grads [][]testkit.Array) (
	after [][]testkit.Array, seen larsCases) {
	const eps = 1e-8
	l = l.WithDefaults()
	var theta, velocity []testkit.Array
	for _, p := range params {
		theta, velocity = append(theta, p.Clone()), append(velocity, testkit.NewArray(p.Dims...))
	}
	for step, g := range grads {
		eta := l.LearningRate * factors[step]
		for i := range theta {
			for r := range theta[i].Dims[0] {
				x, d, m := theta[i].Run(r).Data, slices.Clone(g[i].Run(r).Data), velocity[i].Run(r).Data
				sizeX, sizeG := floats.Norm(x, 2), floats.Norm(d, 2)
				switch {
				case len(theta[i].Dims) <= 2:
				case sizeX == 0:
					seen.zeroParameter++
				case sizeG == 0:
					seen.zeroGradient++
				default:
					q := l.Trust * sizeX / (sizeG + l.WeightDecay*sizeX + eps)
					if !l.Unclipped && q >= eta {
						q = 1
						seen.bounded++
					} else if !l.Unclipped {
						q /= eta
						seen.free++
					}
					for j := range d {
						d[j] = q * (d[j] + l.WeightDecay*x[j])
					}
				}
				for j := range x {
					m[j] = l.Momentum*m[j] + d[j]
					x[j] -= eta * m[j]
				}
			}
		}
		var now []testkit.Array
		for _, x := range theta {
			now = append(now, x.Clone())
		}
		after = append(after, now)
	}
	return after, seen
}

// Of the gradients, from tiny to large, some are all zero for one run, and some weights start at zero, so that the
// bound of the local rate applies at some steps and not at others.
func TestLARSMatchesSoloLearn(t *testing.T) {
	const steps = 24
	rng := testkit.NewRand(17)
	draw := func(scale func(i int) float64) (list []testkit.Array) { // weights, biases and a scalar of two runs
		for i, dims := range [][]int{{2, 3, 4}, {2, 3}, {2}} {
			list = append(list, testkit.Gaussian(rng, dims...).Scaled(scale(i)))
		}
		return list
	}
	params := draw(func(int) float64 { return 1 })
	clear(params[0].Run(1).Data)
	var grads [][]testkit.Array
	for s := range steps {
		g := draw(func(i int) float64 { return math.Pow(10, float64((3*s+i)%7-4)) })
		if s%2 == 0 {
			clear(g[0].Run(s / 2 % 2).Data)
		}
		grads = append(grads, g)
	}
	for name, lars := range map[string]probe.LARS{
		"the paper's":                {},
		"the public configuration's": {LearningRate: 0.4, WeightDecay: 1e-4},
		"other constants":            {LearningRate: 0.05, Trust: 0.1, Momentum: 0.5, WeightDecay: 0.3},
		"unclipped":                  {Trust: 1e-3, Unclipped: true},
		"unclipped with decay":       {Unclipped: true, WeightDecay: 0.2},
		// The rate is 0 in the first step, or in the last four.
		"warm-up from 0": {Schedule: optim.Schedule{Warmup: 6}},
		"warm-up and cosine of solo-learn": {
			Schedule: optim.Schedule{Warmup: 6, WarmupFrom: 1e-4, Decay: optim.Cosine, Steps: steps - 4}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, lars.Validate())
			n := len(params)
			update := testkit.Compile(t, func(in []*Node) []*Node {
				next, slots := lars.Update(ConvertDType(in[0], dtypes.Int32), in[1:1+n], in[1+n:1+2*n],
					[][]*Node{in[1+2*n:]})
				return slices.Concat(next, slots[0], []*Node{lars.Schedule.Factor(in[0])})
			})
			var factors []float64
			var got [][]testkit.Array
			now := slices.Clone(params)
			for _, p := range params {
				now = append(now, testkit.NewArray(p.Dims...))
			}
			for s, g := range grads {
				now = update.Call(t, testkit.Array{Data: []float64{float64(s)}}, now[:n], g, now[n:2*n])
				factors, got = append(factors, now[2*n].Data[0]), append(got, now[:n])
			}
			want, seen := plainLARS(lars, factors, params, grads)
			for s := range want {
				testkit.RequireAllClose(t, want[s], got[s], 1e-13, "parameters")
			}
			assert.Positive(t, seen.zeroParameter)
			assert.Positive(t, seen.zeroGradient)
			if !lars.Unclipped {
				assert.Greater(t, min(seen.bounded, seen.free), 5, "steps with and without the bound")
			}
		})
	}
}

func TestSettingsOfLARS(t *testing.T) {
	all := probe.LARS{LearningRate: 1, Trust: 0.5, Momentum: 0.1, WeightDecay: 2, Unclipped: true}
	assert.Equal(t, all, all.WithDefaults())
	assert.Equal(t, probe.LARS{LearningRate: 0.3, Trust: 0.02, Momentum: 0.9}, probe.LARS{}.WithDefaults())
	assert.ErrorContains(t, probe.LARS{Trust: -0.1}.Validate(), "trust")
	assert.ErrorContains(t, probe.LARS{Schedule: optim.Schedule{Warmup: -1}}.Validate(), "Warmup")
}
