package verify

import (
	"fmt"
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// frozen is a loss on the host with the stopped functions as a second argument.
type frozen func(moving, still testkit.Point, state []testkit.Array) float64

// dot is M[a, b]_ij.
func dot(a testkit.Array, i int, b testkit.Array, j int) float64 {
	return testkit.SecondMoment(a, b).Data[i*b.Dims[1]+j]
}

// seqMoment is M^seq[f, g] with separate arguments for the stopped functions.
func seqMoment(fMoving, fStill, gMoving, gStill testkit.Array) *mat.Dense {
	k := fMoving.Dims[1]
	m := mat.NewDense(k, k, nil)
	m.Apply(func(i, j int, _ float64) float64 {
		switch {
		case i > j:
			return dot(fMoving, i, gStill, j)
		case i < j:
			return dot(fStill, i, gMoving, j)
		}
		return dot(fMoving, i, gMoving, j)
	}, m)
	return m
}

func frozenOMM(m, s testkit.Point, _ []testkit.Array) float64 {
	overlap, projected := seqMoment(m.F, s.F, m.F, s.F), seqMoment(m.F, s.F, m.TF, s.TF)
	return mat.Trace(Product(overlap, projected)) - 2*mat.Trace(projected)
}

func frozenLoRA(m, s testkit.Point, _ []testkit.Array) float64 {
	overlap, projected := seqMoment(m.F, s.F, m.F, s.F), seqMoment(m.F, s.F, m.TF, s.TF)
	return mat.Trace(Product(overlap, overlap)) - 2*mat.Trace(projected)
}

func frozenALLO(m, s testkit.Point, state []testkit.Array) float64 {
	batch, k := m.F.Dims[0], m.F.Dims[1]
	sum := square(floats.Distance(m.F.Data, m.TF.Data, 2)) / float64(batch)
	for i := range k {
		for j := range i + 1 {
			e1, e2 := dot(m.C1, i, s.C1, j), dot(m.C2, i, s.C2, j)
			if i == j {
				e1, e2 = e1-1, e2-1
			}
			sum += state[0].Data[i*k+j]*(e1+e2)/2 + state[1].Data[0]*e1*e2
		}
	}
	return sum
}

// frozenNeuralEF is the published loss for normalised functions.
func frozenNeuralEF(m, s testkit.Point, _ []testkit.Array) (sum float64) {
	norm := func(p testkit.Point, i int) float64 { return math.Sqrt(dot(p.F, i, p.F, i)) }
	quotient := func(p testkit.Point, i int) float64 { return dot(p.F, i, p.TF, i) / square(norm(p, i)) }
	for i := range m.F.Dims[1] {
		sum -= quotient(m, i)
		for j := range i {
			sum += square(dot(m.F, i, s.TF, j)/(norm(m, i)*norm(s, j))) / quotient(s, j)
		}
	}
	return sum
}

const spinDecay = 0.2

// spinAverage is Σ̄, which includes this batch.
func spinAverage(p testkit.Point, state []testkit.Array) *mat.Dense {
	batch := testkit.SecondMoment(p.F, p.F).Matrix()
	return Sum(Scaled(1-spinDecay, state[0].Matrix()), Scaled(spinDecay, batch))
}

// frozenSpIN is −Σ_i tr(Σ̄⁻¹Π) of the first i functions, of which only f_i moves. Σ̄ moves with the batch's Σ.
func frozenSpIN(m, s testkit.Point, state []testkit.Array) (sum float64) {
	batch, average := float64(m.F.Dims[0]), spinAverage(s, state)
	for i := range m.F.Dims[1] {
		f, tf := Columns(s.F.Matrix(), 0, i+1), Columns(s.TF.Matrix(), 0, i+1)
		before := Gram(f)
		f.SetCol(i, mat.Col(nil, i, m.F.Matrix()))
		tf.SetCol(i, mat.Col(nil, i, m.TF.Matrix()))
		moved := Sum(average.Slice(0, i+1, 0, i+1), Scaled(1/batch, Difference(Gram(f), before)))
		var solved mat.Dense
		if err := solved.Solve(moved, Product(f.T(), tf)); err != nil {
			return math.NaN()
		}
		sum -= mat.Trace(&solved) / batch
	}
	return sum
}

// The gradients of each published loss are (L(x+h) − L(x−h))/2h, entry by entry, with the stopped functions held still.
func TestPartialGradientsAgainstCentralDifferences(t *testing.T) {
	sequential, other := papertest.Of(t, "seq-surrogate-gradient").Printed, papertest.Every()
	const batch, k = 9, 4
	for _, c := range []struct {
		objective ommlx.Objective
		loss      frozen
		record    papertest.Measure
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, frozenOMM, sequential},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, frozenLoRA, other},
		{ommlx.ALLO{}, frozenALLO, other},
		{ommlx.NeuralEF{}, frozenNeuralEF, other},
		{ommlx.SpIN{Decay: spinDecay}, frozenSpIN, other},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			at, state := testkit.GaussianPoint(testkit.NewRand(72), batch, k), testkit.LateState(c.objective, 0, k)
			if _, spin := c.objective.(ommlx.SpIN); spin {
				at = symmetricPoint()
			}
			got, moving := evaluate(t, c.objective, testkit.OneBatch, at, state), at.Map(testkit.Array.Clone)
			for which, x := range moving.Parts() {
				want, start := testkit.NewArray(x.Dims...), slices.Clone(x.Data)
				fd.Gradient(want.Data, func(data []float64) float64 {
					copy(x.Data, data)
					return c.loss(moving, at, state)
				}, start, &fd.Settings{Formula: fd.Central, Step: 1e-5})
				copy(x.Data, start)
				c.record.Within(t, "relative difference of the gradients and differences of the printed loss, "+
					"stopped functions held still", testkit.Difference(want, got.Gradients[which]), 1e-7)
			}
		})
	}
}

// Σ̄ is the next state, and the value is −tr(Σ̄⁻¹Π). An indefinite average gives NaN.
func TestSpINAveragesTheSecondMoment(t *testing.T) {
	const batch, k = 9, 4
	o := ommlx.SpIN{Decay: spinDecay}
	at, state := testkit.GaussianPoint(testkit.NewRand(102), batch, k), testkit.LateState(o, 0, k)
	average, e := spinAverage(at, state), evaluate(t, o, testkit.OneBatch, at, state)
	testkit.RequireClose(t, testkit.FromMatrix(average), e.Next[0], 1e-13, "average")
	want := -mat.Trace(Product(inverse(t, average), testkit.SecondMoment(at.F, at.TF).Matrix()))
	require.InEpsilon(t, want, e.Loss.Data[0], 1e-12)
	indefinite := []testkit.Array{state[0].Scaled(-1)}
	require.True(t, math.IsNaN(evaluate(t, o, testkit.OneBatch, at, indefinite).Loss.Data[0]))
}

// In sequential nesting the loss is Σ_i α_i (L(f_1, …, f_i) − L(f_1, …, f_{i−1})), which for α = 1 is L(f_1, …, f_k),
// and f_i has the gradient of α_i L(f_1, …, f_i), on batches of every kind.
func TestSequentialGradientEqualsPrefixGradient(t *testing.T) {
	claim := papertest.Of(t, "seq-surrogate-gradient")
	const batch, k = 7, 4
	at := testkit.GaussianPoint(testkit.NewRand(136), batch, k)
	ones, weights := []float64{1, 1, 1, 1}, []float64{4, 3, 2, 1}
	for name, batchOf := range map[string]testkit.Batching{
		"one batch": testkit.OneBatch, "two batches": testkit.TwoBatches, "differences": testkit.Differences,
	} {
		for _, c := range []struct {
			nested, plain ommlx.Objective
			alpha         []float64
		}{
			{ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.OMM{}, ones},
			{ommlx.LoRA{Nesting: ommlx.Sequential}, ommlx.LoRA{}, ones},
			{ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights}, ommlx.OMM{}, weights},
			{ommlx.LoRA{Nesting: ommlx.Sequential, Weights: weights}, ommlx.LoRA{}, weights},
		} {
			t.Run(fmt.Sprintf("%s, %s", c.nested.Name(), name), func(t *testing.T) {
				e := evaluate(t, c.nested, batchOf, at, nil)
				loss, before := 0.0, 0.0
				for i, weight := range c.alpha {
					prefix := evaluate(t, c.plain, func(o ommlx.Objective, in []*Node) ommlx.Batch {
						return batchOf(o, xslices.Map(in, func(x *Node) *Node { return first(x, i+1) }))
					}, at, nil)
					loss, before = loss+weight*(prefix.Loss.Data[0]-before), prefix.Loss.Data[0]
					for part, x := range prefix.Gradients {
						want := Scaled(weight, x.Matrix().ColView(i))
						claim.Printed.EqualMatrix(t,
							"of the gradient for f_i and Tf_i and α_i times that of L(f_{1:i})", want,
							e.Gradients[part].Matrix().ColView(i), 1e-12)
					}
				}
				claim.Printed.Equal(t,
					"relative difference of the value and Σ α_i (L(f_{1:i}) − L(f_{1:i−1})), OMM and LoRA", loss,
					e.Loss.Data[0], 1e-12)
			})
		}
	}
}

// For symmetric T, a batch without the gradient through Tf gives f the same gradient.
func TestOneSidedGradients(t *testing.T) {
	claim := papertest.Of(t, "lora-omm-same-gradient-cost").Printed
	s := newSpectrum(testkit.NewRand(83), 4, 3, 2, 1, 0.5, -1, -2)
	v := s.gaussian(1, 4)
	for _, o := range []ommlx.Objective{ommlx.OMM{}, ommlx.LoRA{}} {
		gradient := func(oneSided bool) *mat.Dense {
			_, g := graphLoss(func(f, a *Node) *Node {
				loss, _ := o.Loss(ommlx.Batch{F: f, TF: MatMul(a, f), OneSided: oneSided}, nil)
				return loss
			})(v, s.a)
			return g
		}
		claim.EqualMatrix(t, "relative difference of the gradients with and without a part through Tf, "+o.Name(),
			gradient(false), gradient(true), 1e-11)
	}
}
