package verify

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// everyBatch returns all n^size equally likely batches of independent samples as matrices S [n^size, size, n] with one
// 1 in each row, so that S·table are the rows that each batch draws. Means over them are exact.
func everyBatch(n, size int) testkit.Array {
	batches := combin.Cartesian(slices.Repeat([]int{n}, size))
	s := testkit.NewArray(len(batches), size, n)
	for r, states := range batches {
		for b, state := range states {
			s.Data[(r*size+b)*n+state] = 1
		}
	}
	return s
}

// drawn returns the rows of a table [n, k] that the batches select, [R, B, k].
func drawn(selection, table *Node) *Node { return Einsum("rbn,nk->rbk", selection, table) }

// Section 2.3: M̂[f] and M̂[f,Tf] of a batch of B independent samples are unbiased, and the variance of each entry is
// that of one sample divided by B. Both exactly: the means are over every batch there can be.
func TestMinibatchMomentsAreUnbiased(t *testing.T) {
	const n = 3
	program := testkit.NewProgram(t, func(in []*Node) []*Node {
		f, tf := drawn(in[0], in[1]), drawn(in[0], in[2])
		return []*Node{ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf), ommlx.SeqSecondMoment(f, tf)}
	})
	rapid.Check(t, func(t *rapid.T) {
		k := drawModes(t, n)
		rng := testkit.NewRand(rapid.Uint64().Draw(t, "seed"))
		f, tf := testkit.Gaussian(rng, n, k), testkit.Gaussian(rng, n, k)
		exact := []testkit.Array{ommtest.SecondMoment(f, f), ommtest.SecondMoment(f, tf),
			ommtest.SecondMoment(f, tf)}
		sizes := []float64{1, 2, 3, 4}
		variances := make([][]float64, k*k) // of the entries of M̂[f,Tf], one for each size
		for _, size := range sizes {
			out := testkit.Must(program.TryCall(everyBatch(n, int(size)), f, tf))
			for i, moments := range out {
				for entry, want := range exact[i].Data {
					values := entries(moments, entry, k*k)
					require.InDelta(t, want, stat.Mean(values, nil), 1e-12)
					if i == 1 {
						variances[entry] = append(variances[entry], stat.PopVariance(values, nil))
					}
				}
			}
		}
		for _, v := range variances {
			require.InDelta(t, -1, PowerLaw(sizes, v), 1e-9, "the variance falls as 1/B: %g", v)
		}
	})
}

// entries returns entry e of each of the matrices of size numbers in a.
func entries(a testkit.Array, e, size int) []float64 {
	var values []float64
	for ; e < len(a.Data); e += size {
		values = append(values, a.Data[e])
	}
	return values
}

// halves are two batches in the place of one of twice the size.
func halves(selection *Node) (first, second *Node) {
	size := selection.Shape().Dim(1)
	return Slice(selection, AxisRange(), AxisRange(0, size/2)), Slice(selection, AxisRange(), AxisRange(size/2))
}

// Section 2.3.2: both losses "admit unbiased gradient estimates with minibatch samples". With one batch of B samples
// for both moments, as in the paper's pseudocode, they do not. Over all batches the mean of the metric term is
//
//	E tr(M̂N̂) = (1 − 1/B) tr(MN) + (1/B) E |f|² fᵀTf,  N = M[f,Tf],
//
// and likewise for LoRA with f for Tf: a bias of order 1/B, in value and gradient. With two independent batches, one
// for each moment, there is none.
func TestMinibatchLossIsBiased(t *testing.T) {
	claim := papertest.Of(t, "unbiased-minibatch")
	const n, k = 3, 2
	rng := testkit.NewRand(770)
	f, tf := testkit.Gaussian(rng, n, k), testkit.Gaussian(rng, n, k)
	for _, c := range []struct {
		objective ommlx.Objective
		second    testkit.Array
	}{{ommlx.OMM{}, tf}, {ommlx.LoRA{}, f}} {
		loss := testkit.NewProgram(t, func(in []*Node) []*Node { // the mean over the batches
			loss, _ := c.objective.Loss(ommlx.Batch{F: drawn(in[0], in[1]), TF: drawn(in[0], in[2])}, nil)
			return []*Node{ReduceAllMean(loss)}
		})
		ofTwo := testkit.NewProgram(t, func(in []*Node) []*Node { // that of the metric term
			first, second := halves(in[0])
			m := ommlx.SecondMoment(drawn(first, in[1]), drawn(first, in[1]))
			return []*Node{ReduceAllMean(Einsum("rij,rji->r", m,
				ommlx.SecondMoment(drawn(second, in[1]), drawn(second, in[2]))))}
		})
		all := ommtest.EvaluateOnce(t, c.objective, ommtest.Point{F: f, TF: tf, C1: f, C2: f}, nil).Loss.Data[0]
		metric := mat.Trace(Product(ommtest.SecondMoment(f, f).Matrix(), ommtest.SecondMoment(f, c.second).Matrix()))
		fourth := 0.0
		for x := 0; x < n*k; x += k {
			fourth += floats.Dot(f.Data[x:x+k], f.Data[x:x+k]) / n * floats.Dot(f.Data[x:x+k], c.second.Data[x:x+k])
		}
		require.Greater(t, math.Abs(fourth-metric), 0.1, "the bias is not zero")
		for _, size := range []int{1, 2, 4} {
			mean := loss.Call(t, everyBatch(n, size), f, tf)[0].Data[0]
			claim.Corrected.Agree(t, "relative difference of the mean batch loss and the loss with its bias, OMM and "+
				"LoRA, B = 1, 2, 4", all+(fourth-metric)/float64(size), mean, 1e-12)
			require.Greater(t, papertest.Difference(all, mean), 1e-3, "bias of the batch loss")
			if size <= 2 {
				independent := ofTwo.Call(t, everyBatch(n, 2*size), f, c.second)[0].Data[0]
				claim.Printed.Agree(t, "relative bias with two batches", metric, independent, 1e-12)
			}
		}
	}
}

// What the bias does to a function: it makes it too short. For one eigenfunction with fourth moment κ₄ = E φ⁴ (3 for a
// Gaussian) the mean of the batch loss of √μ·φ is
//
//	λ (−2μ + μ² (1 + (κ₄ − 1)/B)),
//
// least at μ = 1/(1 + (κ₄ − 1)/B) and not at 1.
func TestMinibatchMinimiserIsTooShort(t *testing.T) {
	claim := papertest.Of(t, "unbiased-minibatch")
	const lambda = 2.0
	phi := testkit.FromMatrix(mat.NewDense(4, 1, []float64{-1.5, 0.5, 0.5, 0.5}))
	phi = phi.Scaled(1 / mat.Norm(phi.Matrix(), 2) * 2) // E φ² = 1
	fourth := 0.0
	for _, x := range phi.Data {
		fourth += square(square(x)) / 4
	}
	slope := testkit.NewProgram(t, func(in []*Node) []*Node { // of the mean batch loss at norm·φ, in log norm
		f := Mul(drawn(in[0], in[1]), in[2])
		loss, _ := ommlx.OMM{}.Loss(ommlx.Batch{F: f, TF: MulScalar(f, lambda)}, nil)
		return []*Node{Mul(Gradient(ReduceAllMean(loss), in[2])[0], in[2])}
	})
	for _, size := range []int{1, 2, 3} {
		at := func(norm float64) float64 {
			return slope.Call(t, everyBatch(4, size), phi, testkit.Array{Data: []float64{norm}})[0].Data[0]
		}
		short := 1 / (1 + (fourth-1)/float64(size))
		require.Less(t, short, 0.95)
		claim.Corrected.Within(t, "slope of the mean batch loss at ‖f‖² = 1/(1 + (m − 1)/B)",
			math.Abs(at(math.Sqrt(short))), 1e-12)
		require.Greater(t, at(1), 0.1, "slope of the mean batch loss at norm 1")
	}
}

// With one batch for both moments the bias of the loss and of its gradient is exactly proportional to 1/B: E L̂_B = (1
// − 1/B) L + (1/B) E L̂_1. With M[f,Tf] from a batch of its own, which Batch.Form can say, there is none: un-nested,
// joint and sequential.
func TestASecondBatchTakesTheBiasAway(t *testing.T) {
	claim := papertest.Of(t, "unbiased-minibatch")
	const n, k = 3, 2
	rng := testkit.NewRand(780)
	f, a := testkit.Gaussian(rng, n, k), testkit.Gaussian(rng, n, n)
	for _, o := range []ommlx.OMM{{}, {Nesting: ommlx.Joint}, {Nesting: ommlx.Sequential}} {
		// The mean loss over the batches, and its gradient for the table of f.
		program := func(batch func(f, tf *Node, in []*Node) ommlx.Batch) testkit.Program {
			return testkit.NewProgram(t, func(in []*Node) []*Node {
				loss, _ := o.Loss(batch(in[0], MatMul(in[1], in[0]), in[2:]), nil)
				loss = ReduceAllMean(loss)
				return []*Node{loss, Gradient(loss, in[0])[0]}
			})
		}
		whole := program(func(f, tf *Node, _ []*Node) ommlx.Batch { return ommlx.Batch{F: f, TF: tf} }).Call(t, f, a)
		one := program(func(f, tf *Node, in []*Node) ommlx.Batch {
			return ommlx.Batch{F: drawn(in[0], f), TF: drawn(in[0], tf)}
		})
		two := program(func(f, tf *Node, in []*Node) ommlx.Batch {
			first, second := halves(in[0])
			form := []ommlx.Term{{Left: drawn(second, f), Right: drawn(second, tf)}}
			return ommlx.Batch{F: drawn(first, f), Form: form}
		})
		single := one.Call(t, f, a, everyBatch(n, 1))
		sizes := []float64{1, 2, 3, 4}
		var biases, gradientBiases []float64
		for _, size := range sizes {
			out := one.Call(t, f, a, everyBatch(n, int(size)))
			for i, exact := range whole { // a share of the mean loss is that of batches of one sample
				want := exact.Scaled(1 - 1/size)
				floats.AddScaled(want.Data, 1/size, single[i].Data)
				testkit.RequireClose(t, want, out[i], 1e-12, "mixture of the exact loss and that of single samples")
			}
			biases = append(biases, math.Abs(out[0].Data[0]-whole[0].Data[0]))
			gradientBiases = append(gradientBiases, mat.Norm(Combine(1, out[1].Matrix(), -1, whole[1].Matrix()), 2))
		}
		claim.Corrected.Within(t, "distance from −1 of the slope in B of the bias, B = 1 to 4, all nestings",
			math.Abs(PowerLaw(sizes, biases)+1), 1e-9)
		claim.Corrected.Within(t, "and of the gradient's", math.Abs(PowerLaw(sizes, gradientBiases)+1), 1e-9)
		// There is a bias to take away.
		require.Greater(t, gradientBiases[3], 0.1)

		for _, size := range []int{1, 2} {
			out := two.Call(t, f, a, everyBatch(n, 2*size))
			claim.Printed.Close(t, "relative bias of the loss with a batch for each moment", whole[0], out[0], 1e-12)
			claim.Printed.Close(t, "of its gradient", whole[1], out[1], 1e-12)
		}
	}
}

// The variance of the batch loss falls as 1/B too, in the leading order: it is a polynomial in 1/B. Sampled, with a
// fixed seed: 4,000 batches give the logarithm of a variance to 0.03, and the slope over a factor 16 in B to 0.02.
func TestVarianceOfTheBatchLoss(t *testing.T) {
	const runs, n, k = 4_000, 5, 2
	rng := testkit.NewRand(781)
	f, tf := testkit.Gaussian(rng, n, k), testkit.Gaussian(rng, n, k)
	for _, o := range []ommlx.Objective{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Joint}, ommlx.LoRA{}} {
		program := testkit.NewProgram(t, func(in []*Node) []*Node {
			loss, _ := o.Loss(ommlx.Batch{F: in[0], TF: in[1]}, nil)
			return []*Node{loss}
		})
		sizes, variances := []float64{64, 256, 1024}, []float64(nil)
		for _, size := range sizes {
			var losses []float64
			for range runs / 1_000 {
				batchF, batchTF := testkit.NewArray(1_000, int(size), k), testkit.NewArray(1_000, int(size), k)
				for row := range 1_000 * int(size) {
					state := rng.IntN(n)
					copy(batchF.Data[row*k:], f.Data[state*k:(state+1)*k])
					copy(batchTF.Data[row*k:], tf.Data[state*k:(state+1)*k])
				}
				losses = append(losses, program.Call(t, batchF, batchTF)[0].Data...)
			}
			variances = append(variances, stat.Variance(losses, nil))
		}
		require.InDelta(t, -1, PowerLaw(sizes, variances), 0.1, "%s: %g", o.Name(), variances)
	}
}
