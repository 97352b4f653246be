package probe_test

import (
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

func TestLARSMatchesSoloLearn(t *testing.T) {
	const steps = 24
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
			factor := testkit.Compile(t, func(in []*Node) []*Node { return []*Node{lars.Schedule.Factor(in[0])} })
			var factors []float64
			for step := range steps {
				factors = append(factors, factor.Numbers(t, testkit.Array{Data: []float64{float64(step)}})[0][0])
			}
			params, grads := testkit.Descent(steps)
			want, seen := plainLARS(lars, factors, params, grads)
			got := testkit.Trajectory(t, dtypes.Float64, lars, params, grads)
			single := testkit.Trajectory(t, dtypes.Float32, lars, params, grads)
			for s := range want {
				for i := range params {
					testkit.RequireClose(t, want[s][i], got[s][i], 1e-13, "float64")
					testkit.RequireClose(t, want[s][i], single[s][i], 2e-5, "float32")
				}
			}
			assert.Positive(t, seen.zeroParameter)
			assert.Positive(t, seen.zeroGradient)
			if !lars.Unclipped {
				assert.Greater(t, min(seen.bounded, seen.free), 5, "steps with and without the bound")
			}
		})
	}
}

func TestLARSKeepsRunsApart(t *testing.T) {
	testkit.RequireRunsApart(t, probe.LARS{})
	testkit.RequireRunsApart(t, probe.LARS{WeightDecay: 0.1})
}

func TestSettingsOfLARS(t *testing.T) {
	all := probe.LARS{LearningRate: 1, Trust: 0.5, Momentum: 0.1, WeightDecay: 2, Unclipped: true}
	assert.Equal(t, all, all.WithDefaults())
	assert.Equal(t, probe.LARS{LearningRate: 0.3, Trust: 0.02, Momentum: 0.9}, probe.LARS{}.WithDefaults())
	assert.ErrorContains(t, probe.LARS{Trust: -0.1}.Validate(), "trust")
	assert.ErrorContains(t, probe.LARS{Schedule: optim.Schedule{Warmup: -1}}.Validate(), "Warmup")
}
