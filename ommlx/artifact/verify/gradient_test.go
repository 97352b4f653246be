package verify_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// frozen is a loss on the host with the stopped functions as a second argument.
type frozen func(moving, still testkit.Point) float64

// requireCentralDifferences compares the gradients with (L(x+h) − L(x−h))/2h, entry by entry, and returns the largest
// relative difference.
func requireCentralDifferences(t *testing.T, loss frozen, at testkit.Point, e testkit.Evaluation) (largest float64) {
	t.Helper()
	moving := at.Map(testkit.Array.Clone)
	for which, x := range []testkit.Array{moving.F, moving.TF, moving.C1, moving.C2} {
		want, start := testkit.NewArray(x.Dims...), slices.Clone(x.Data)
		fd.Gradient(want.Data, func(data []float64) float64 {
			copy(x.Data, data)
			return loss(moving, at)
		}, start, &fd.Settings{Formula: fd.Central, Step: 1e-5})
		copy(x.Data, start)
		testkit.RequireClose(t, want, e.Gradients[which], 1e-7, []string{"dF", "dTF", "dC1", "dC2"}[which])
		largest = max(largest, testkit.Difference(want, e.Gradients[which]))
	}
	return largest
}

// dot is M[a, b]_ij.
func dot(a testkit.Array, i int, b testkit.Array, j int) float64 {
	return testkit.SecondMoment(a, b).Data[i*b.Dims[1]+j]
}

// seqMoment is M^seq[f, g] with separate arguments for the stopped functions.
func seqMoment(fMoving, fStill, gMoving, gStill testkit.Array) testkit.Array {
	k := fMoving.Dims[1]
	m := testkit.NewArray(k, k)
	for i := range k {
		for j := range k {
			f, g := fMoving, gMoving
			if i > j {
				g = gStill
			} else if i < j {
				f = fStill
			}
			m.Data[i*k+j] = dot(f, i, g, j)
		}
	}
	return m
}

// surrogate is −2 tr(operator) + tr(ab).
func surrogate(operator, a, b testkit.Array) float64 {
	return -2*mat.Trace(operator.Matrix()) + mat.Trace(linalg.Product(a.Matrix(), b.Matrix()))
}

func TestPartialGradientsAgainstCentralDifferences(t *testing.T) {
	sequential := papertest.Of(t, "seq-surrogate-gradient")
	const batch, k = 4, 3
	state := testkit.LateState(ommlx.ALLO{}, 0, k)
	for _, c := range []struct {
		objective ommlx.Objective
		state     []testkit.Array
		loss      frozen
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, nil, func(m, s testkit.Point) float64 {
			projected := seqMoment(m.F, s.F, m.TF, s.TF)
			return surrogate(projected, seqMoment(m.F, s.F, m.F, s.F), projected)
		}},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, nil, func(m, s testkit.Point) float64 {
			overlap := seqMoment(m.F, s.F, m.F, s.F)
			return surrogate(seqMoment(m.F, s.F, m.TF, s.TF), overlap, overlap)
		}},
		{ommlx.ALLO{}, state, func(m, s testkit.Point) float64 {
			sum := math.Pow(floats.Distance(m.F.Data, m.TF.Data, 2), 2) / batch
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
		}},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			at := testkit.GaussianPoint(testkit.NewRand(72), batch, k)
			got := evaluateObjective(t, c.objective, at, c.state)
			deviation := requireCentralDifferences(t, c.loss, at, got)
			if omm, ok := c.objective.(ommlx.OMM); ok && omm.Nesting == ommlx.Sequential {
				sequential.Printed("relative difference of the gradients and differences of the printed loss, "+
					"stopped functions held still", deviation, 1e-7)
			}
		})
	}
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
				want, loss, before := scaledPoint(at, 0), 0.0, 0.0
				for i, weight := range c.alpha {
					e := testkit.EvaluateAt(t, testkit.Compile(t, testkit.OnBatch(c.plain,
						func(o ommlx.Objective, in []*Node) ommlx.Batch {
							var prefix []*Node
							for _, x := range in {
								prefix = append(prefix, Slice(x, AxisRange(), AxisRange(0, i+1)))
							}
							return batchOf(o, prefix)
						})), at, nil)
					loss, before = loss+weight*(e.Loss.Data[0]-before), e.Loss.Data[0]
					for part, x := range want.Parts() {
						for b := i; b < batch*k; b += k {
							x.Data[b] = weight * e.Gradients[part].Data[b]
						}
					}
				}
				e := testkit.EvaluateAt(t, testkit.Compile(t, testkit.OnBatch(c.nested, batchOf)), at, nil)
				claim.Printed.Equal(t,
					"relative difference of the value and Σ α_i (L(f_{1:i}) − L(f_{1:i−1})), OMM and LoRA", loss,
					e.Loss.Data[0], 1e-12)
				for part, x := range want.Parts() {
					claim.Printed.Within(t, "of the gradient for f_i and Tf_i and α_i times that of L(f_{1:i})",
						testkit.Difference(x, e.Gradients[part]), 1e-12)
				}
			})
		}
	}
}

// For symmetric T, a batch without the gradient through Tf gives f the same gradient.
func TestOneSidedGradients(t *testing.T) {
	claim := papertest.Of(t, "lora-omm-same-gradient-cost")
	rng := testkit.NewRand(83)
	a, _ := linalg.RandomSymmetric(rng, []float64{4, 3, 2, 1, 0.5, -1, -2})
	v := testkit.Gaussian(rng, 7, 4)
	for _, o := range []ommlx.Objective{ommlx.OMM{}, ommlx.LoRA{}} {
		p := testkit.Compile(t, func(in []*Node) (gradients []*Node) {
			for _, oneSided := range []bool{false, true} {
				loss, _ := o.Loss(ommlx.Batch{F: in[0], TF: MatMul(in[1], in[0]), OneSided: oneSided}, nil)
				gradients = append(gradients, Gradient(loss, in[0])[0])
			}
			return gradients
		})
		both := p.Call(t, v, testkit.FromMatrix(a))
		claim.Printed.Within(t, "relative difference of the gradients with and without a part through Tf, "+o.Name(),
			testkit.Difference(both[0], both[1]), 1e-11)
	}
}
