package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Both batches for M[f] are F itself: loss, gradients and next state are those without them.
func TestOverlapOfFItself(t *testing.T) {
	const batch, k = 7, 4
	at := ommtest.GaussianPoint(graphtest.NewRand(131), batch, k)
	for _, o := range objectives(t) {
		t.Run(o.Name(), func(t *testing.T) {
			program := func(times int) graphtest.Program {
				return graphtest.NewProgram(t, func(in []*Node) []*Node {
					b := ommlx.Batch{F: in[0], TF: in[1]}
					for range times {
						b.Overlap = append(b.Overlap, Neg(Neg(in[0]))) // another node of the same values
					}
					loss, next := o.Loss(b, in[2:])
					return append(append([]*Node{loss}, Gradient(loss, in[:2]...)...), next...)
				})
			}
			in := append([]graphtest.Array{at.F, at.TF}, lateState(o, 0, k)...)
			want := program(0).Call(t, in...)
			for _, times := range []int{1, 2} {
				if times == 1 && isALLO(o) {
					continue
				}
				for i, got := range program(times).Call(t, in...) {
					graphtest.RequireClose(t, want[i], got, 1e-13, "result")
				}
			}
		})
	}
}

func isALLO(o ommlx.Objective) bool {
	if s, ok := o.(ommlx.Shifted); ok {
		o = s.Objective
	}
	_, is := o.(ommlx.ALLO)
	return is
}

// law is a reversible Markov chain on three states, and what a test draws from it: pairs (s, s') and states s.
type law struct {
	stationary []float64  // π(s)
	pairs      []float64  // π(s) P(s, s') at n·s + s', symmetric
	transition *mat.Dense // P
}

func newLaw() law {
	weights := mat.NewSymDense(3, []float64{.05, .20, .10, 0, .04, .06, 0, 0, .19})
	n := weights.SymmetricDim()
	l := law{make([]float64, n), nil, mat.NewDense(n, n, nil)}
	for s := range n {
		row := mat.Row(nil, s, weights)
		l.stationary[s] = floats.Sum(row)
		l.pairs = append(l.pairs, row...)
		floats.Scale(1/l.stationary[s], row)
		l.transition.SetRow(s, row)
	}
	return l
}

// everyDraw returns all ways to draw two pairs and two batches of two states: the probabilities, [R], and the first
// ends s, the second ends s' and the two batches, [R, 2, n] each, with a 1 in every row at the state that is drawn.
func (l law) everyDraw() (probability graphtest.Array, parts []graphtest.Array) {
	n := len(l.stationary)
	draws := combin.Cartesian([]int{n * n, n * n, n, n, n, n})
	probability = graphtest.NewArray(len(draws))
	for range 4 {
		parts = append(parts, graphtest.NewArray(len(draws), 2, n))
	}
	for r, d := range draws {
		probability.Data[r] = l.pairs[d[0]] * l.pairs[d[1]]
		for _, s := range d[2:] {
			probability.Data[r] *= l.stationary[s]
		}
		for part, states := range [][]int{{d[0] / n, d[1] / n}, {d[0] % n, d[1] % n}, d[2:4], d[4:6]} {
			for b, s := range states {
				parts[part].Data[(2*r+b)*n+s] = 1
			}
		}
	}
	return probability, parts
}

// population returns loss and gradient of the law itself for a table of f, [n, k].
func (l law) population(t *testing.T, o ommlx.Objective, table graphtest.Array) []graphtest.Array {
	n := len(l.stationary)
	roots := graphtest.NewArray(n, 1)
	for s, p := range l.stationary {
		roots.Data[s] = math.Sqrt(float64(n) * p)
	}
	return graphtest.NewProgram(t, func(in []*Node) []*Node {
		f, roots := in[0], in[2]
		loss, _ := o.Loss(ommlx.Batch{F: Mul(roots, f), TF: Mul(roots, MatMul(in[1], f))}, nil)
		return []*Node{loss, Gradient(loss, f)[0]}
	}).Call(t, table, graphtest.FromMatrix(l.transition), roots)
}

// fromPairs is the batch of pairs as they are.
func fromPairs(f []*Node) ommlx.Batch { return ommlx.Batch{F: f[0], TF: f[1], Overlap: f[2:]} }

// mean returns the mean loss and its gradient over all draws, with M[f] from so many batches of states.
func (l law) mean(t *testing.T, o ommlx.Objective, table graphtest.Array, batches int) []graphtest.Array {
	return l.meanOf(t, o, table, batches, fromPairs)
}

// meanOf is mean with a batch that is made otherwise of f(s), f(s') and the batches of states.
func (l law) meanOf(t *testing.T, o ommlx.Objective, table graphtest.Array, batches int,
	batch func(f []*Node) ommlx.Batch) []graphtest.Array {
	probability, parts := l.everyDraw()
	return graphtest.NewProgram(t, func(in []*Node) []*Node {
		loss, _ := o.Loss(batch(onDraws(in[0], in[2:4+batches])), nil)
		mean := ReduceAllSum(Mul(in[1], loss))
		return []*Node{mean, Gradient(mean, in[0])[0]}
	}).Call(t, append([]graphtest.Array{table, probability}, parts...)...)
}

// losses returns the loss of every draw, [R].
func (l law) losses(t *testing.T, o ommlx.Objective, table graphtest.Array, parts []graphtest.Array,
	batch func(f []*Node) ommlx.Batch) graphtest.Array {
	return graphtest.NewProgram(t, func(in []*Node) []*Node {
		loss, _ := o.Loss(batch(onDraws(in[0], in[1:])), nil)
		return []*Node{loss}
	}).Call(t, append([]graphtest.Array{table}, parts...)...)[0]
}

// onDraws returns f at the states of the selections, [R, 2, k] each.
func onDraws(table *Node, selections []*Node) (f []*Node) {
	for _, selection := range selections {
		f = append(f, Einsum("rbn,nk->rbk", selection, table))
	}
	return f
}

// Over all batches that there can be the means of loss and gradient are those of the law, where the doc comment of
// Batch says so, and elsewhere they are not.
func TestOverlapApartTakesTheBiasAway(t *testing.T) {
	const k, none, biased = 2, 1e-12, 1e-2
	l := newLaw()
	require.InDelta(t, 1, floats.Sum(l.pairs), 1e-15)
	table := graphtest.Gaussian(graphtest.NewRand(132), len(l.stationary), k)
	weights := []float64{0.5, 2}
	for _, c := range []struct {
		objective ommlx.Objective
		batches   int // that take the bias away; 0: none do
	}{
		{ommlx.OMM{}, 1},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: weights}, 1},
		{ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode}, 1},
		{ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointEquation}, 1},
		{ommlx.OMM{Nesting: ommlx.Sequential}, 1},
		{ommlx.Shifted{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, Kappa: 1}, 1},
		{ommlx.OMM{Orders: ommlx.Order(2)}, 0},
		{ommlx.OMM{Orders: []float64{1, 1}, Nesting: ommlx.Joint}, 0},
		{ommlx.Sanger{}, 1},
		{ommlx.Sanger{Printed: ommlx.SangerDetached}, 1},
		{ommlx.Sanger{Printed: ommlx.SangerBothGradients}, 1},
		{ommlx.LoRA{}, 2},
		{ommlx.LoRA{Nesting: ommlx.Joint, Weights: weights}, 2},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, 2},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			exact := l.population(t, c.objective, table)
			for batches := range 3 {
				for i, got := range l.mean(t, c.objective, table, batches) {
					bias := graphtest.Difference(exact[i], got)
					if c.batches > 0 && batches >= c.batches {
						require.Less(t, bias, none, "%d batches for M[f]", batches)
						continue
					}
					require.Greater(t, bias, biased, "%d batches for M[f]", batches)
				}
			}
		})
	}
}

// The gradients for F, TF and both batches are those of the loss: of itself where nothing is stopped, and else of the
// loss with what stands still as arguments of its own.
func TestOverlapApartAgainstCentralDifferences(t *testing.T) {
	const batch, k = 5, 4
	at := ommtest.GaussianPoint(graphtest.NewRand(133), batch, k)
	of := func(o ommlx.Objective) graphtest.Program {
		return graphtest.NewProgram(t, ommtest.On(o, ommtest.Apart))
	}
	moments := func(m, s ommtest.Point) (m1, m2, mean graphtest.Array) {
		m1, m2 = seqMoment(m.C1, s.C1, m.C1, s.C1), seqMoment(m.C2, s.C2, m.C2, s.C2)
		mean = m1.Clone()
		floats.Add(mean.Data, m2.Data)
		return m1, m2, mean.Scaled(0.5)
	}
	for _, c := range []struct {
		objective ommlx.Objective
		loss      frozen // nil: the objective's own
	}{
		{ommlx.OMM{}, nil},
		{ommlx.OMM{Orders: ommlx.Order(3)}, nil},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.5, 3, 1, 0.25}}, nil},
		{ommlx.OMM{Orders: []float64{1, 1}, Nesting: ommlx.Joint}, nil},
		{ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: 0.7}, nil},
		{ommlx.LoRA{}, nil},
		{ommlx.LoRA{Nesting: ommlx.Joint}, nil},
		{ommlx.OMM{Nesting: ommlx.Sequential}, func(m, s ommtest.Point) float64 {
			projected := seqMoment(m.F, s.F, m.TF, s.TF)
			_, _, mean := moments(m, s)
			return surrogate(projected, mean, projected)
		}},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, func(m, s ommtest.Point) float64 {
			m1, m2, _ := moments(m, s)
			return surrogate(ommtest.SecondMoment(m.F, m.TF), m1, m2)
		}},
		{ommlx.Sanger{}, func(m, s ommtest.Point) float64 {
			still, sum := ommtest.SecondMoment(s.F, s.TF), 0.0
			for j := range k {
				sum -= 2 * dot(m.F, j, s.TF, j)
				for i := range j + 1 {
					sum += (dot(s.C1, i, m.C1, j) + dot(s.C2, i, m.C2, j)) * still.Data[i*k+j]
				}
			}
			return sum
		}},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			p := of(c.objective)
			if c.loss == nil {
				c.loss = func(moving, _ ommtest.Point) float64 {
					return ommtest.Evaluate(t, p, moving, nil).Loss.Data[0]
				}
			}
			e := ommtest.Evaluate(t, p, at, nil)
			requireCentralDifferences(t, c.loss, at, e)
			require.NotZero(t, floats.Norm(e.DC1.Data, 2)*floats.Norm(e.DC2.Data, 2), "the test must see both batches")
		})
	}
}
