package verify_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// law is a reversible Markov chain on three states with all possible draws of two pairs (s, s') and two batches of two
// states s.
type law struct {
	stationary  []float64  // π(s)
	pairs       []float64  // π(s) P(s, s') at n·s + s', symmetric
	transition  *mat.Dense // P
	probability testkit.Array
	// parts are s, s' and the two batches of every draw, [R, 2, n] each, with a 1 in every row at the drawn state.
	parts []testkit.Array
}

func newLaw() law {
	weights := mat.NewSymDense(3, []float64{.05, .20, .10, 0, .04, .06, 0, 0, .19})
	n := weights.SymmetricDim()
	l := law{stationary: make([]float64, n), transition: mat.NewDense(n, n, nil)}
	for s := range n {
		row := mat.Row(nil, s, weights)
		l.stationary[s] = floats.Sum(row)
		l.pairs = append(l.pairs, row...)
		floats.Scale(1/l.stationary[s], row)
		l.transition.SetRow(s, row)
	}
	draws := combin.Cartesian([]int{n * n, n * n, n, n, n, n})
	l.probability = testkit.NewArray(len(draws))
	for range 4 {
		l.parts = append(l.parts, testkit.NewArray(len(draws), 2, n))
	}
	for r, d := range draws {
		l.probability.Data[r] = l.pairs[d[0]] * l.pairs[d[1]]
		for _, s := range d[2:] {
			l.probability.Data[r] *= l.stationary[s]
		}
		for part, states := range [][]int{{d[0] / n, d[1] / n}, {d[0] % n, d[1] % n}, d[2:4], d[4:6]} {
			for b, s := range states {
				l.parts[part].Data[(2*r+b)*n+s] = 1
			}
		}
	}
	return l
}

// population returns loss and gradient for the exact law and a table of f, [n, k].
func (l law) population(t *testing.T, o ommlx.Objective, table testkit.Array) []testkit.Array {
	roots := testkit.NewArray(len(l.stationary), 1)
	for s, p := range l.stationary {
		roots.Data[s] = math.Sqrt(float64(len(l.stationary)) * p)
	}
	return testkit.Compile(t, func(in []*Node) []*Node {
		f, roots := in[0], in[2]
		loss, _ := o.Loss(ommlx.Batch{F: Mul(roots, f), TF: Mul(roots, MatMul(in[1], f))}, nil)
		return []*Node{loss, Gradient(loss, f)[0]}
	}).Call(t, table, testkit.FromMatrix(l.transition), roots)
}

// mean returns the mean loss over all draws and its gradient, with that many batches of states. The inputs of batch are
// f(s), f(s') and f on the extra batches, [R, 2, k] each.
func (l law) mean(t *testing.T, o ommlx.Objective, table testkit.Array, batches int,
	batch testkit.Batching) []testkit.Array {
	return testkit.Compile(t, func(in []*Node) []*Node {
		var f []*Node
		for _, selection := range in[2 : 4+batches] {
			f = append(f, Einsum("rbn,nk->rbk", selection, in[0]))
		}
		loss, _ := o.Loss(batch(o, f), nil)
		mean := ReduceAllSum(Mul(in[1], loss))
		return []*Node{mean, Gradient(mean, in[0])[0]}
	}).Call(t, table, l.probability, l.parts)
}

// The means of loss and gradient over all possible batches equal those for the exact law where the doc comments of
// Batch and Differences promise it, and differ elsewhere.
func TestOverlapRemovesBias(t *testing.T) {
	claim := papertest.Of(t, "unbiased-minibatch")
	const k, kappa, none, biased = 2, 0.7, 1e-12, 1e-2
	l := newLaw()
	require.InDelta(t, 1, floats.Sum(l.pairs), 1e-15)
	table := testkit.Gaussian(testkit.NewRand(132), len(l.stationary), k)
	weights := []float64{0.5, 2}
	joint := ommlx.OMM{Nesting: ommlx.Joint, Weights: weights}
	sequential := ommlx.OMM{Nesting: ommlx.Sequential}
	loraJoint, loraSequential := ommlx.LoRA{Nesting: ommlx.Joint, Weights: weights},
		ommlx.LoRA{Nesting: ommlx.Sequential}
	requireBias := func(t *testing.T, o ommlx.Objective, enough int, batch testkit.Batching) {
		want := l.population(t, o, table)
		for batches := range 3 {
			for i, got := range l.mean(t, o, table, batches, batch) {
				bias := testkit.Difference(want[i], got)
				if batches < enough {
					require.Greater(t, bias, biased, "%d batches for M[f]", batches)
					continue
				}
				require.Less(t, bias, none, "%d batches for M[f]", batches)
				plain := o
				if s, ok := o.(ommlx.Shifted); ok {
					plain = s.Objective
				}
				switch plain.(type) {
				case ommlx.OMM, ommlx.LoRA:
					claim.Printed("relative bias of the "+[]string{"loss", "gradient"}[i]+", M[f] from other batches, "+
						"OMM-1 and LoRA, all nestings", bias, none)
				}
			}
		}
	}
	for _, c := range []struct {
		objective ommlx.Objective
		enough    int // batches that remove the bias; 3: none do
	}{
		{ommlx.OMM{}, 1}, {joint, 1}, {sequential, 1},
		{ommlx.Shifted{Objective: sequential, Kappa: 1}, 1},
		{ommlx.OMM{Orders: ommlx.Order(2)}, 3}, {ommlx.OMM{Orders: []float64{1, 1}, Nesting: ommlx.Joint}, 3},
		{ommlx.Sanger{}, 1},
		{ommlx.LoRA{}, 2}, {loraJoint, 2}, {loraSequential, 2},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			requireBias(t, c.objective, c.enough, testkit.TwoBatches)
		})
	}
	weighted := ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights}
	for _, o := range []ommlx.Objective{ommlx.OMM{}, joint, sequential, weighted, ommlx.Sanger{},
		ommlx.LoRA{}, loraJoint, loraSequential} {
		t.Run(o.Name()+" by differences", func(t *testing.T) {
			requireBias(t, ommlx.Shifted{Objective: o, Kappa: kappa}, 2, testkit.Differences)
		})
	}
}
