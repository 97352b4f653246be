package theory

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
)

// everySelection returns all n^size equally likely batches of independent samples as matrices S [n^size, size, n] with
// one 1 in each row, so that S·table are the rows that each batch draws.
func everySelection(n, size int) graphtest.Array {
	s := graphtest.NewArray(int(math.Pow(float64(n), float64(size))), size, n)
	batch := 0
	everyBatch(n, size, func(states []int) {
		for b, state := range states {
			s.Data[(batch*size+b)*n+state] = 1
		}
		batch++
	})
	return s
}

// drawn returns the rows of a table [n, k] that the batches select, [R, B, k].
func drawn(selection, table *Node) *Node { return Einsum("rbn,nk->rbk", selection, table) }

// Section 2.3: M̂[f] and M̂[f,Tf] of a batch of B independent samples are unbiased, and the variance of each entry is
// that of one sample divided by B. Both exactly: the means are over every batch there can be.
func TestMinibatchMomentsAreUnbiased(t *testing.T) {
	const n = 3
	program := graphtest.NewProgram(t, func(in []*Node) []*Node {
		f, tf := drawn(in[0], in[1]), drawn(in[0], in[2])
		return []*Node{ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf), ommlx.SeqSecondMoment(f, tf)}
	})
	rapid.Check(t, func(t *rapid.T) {
		k := drawModes(t, n)
		rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
		f, tf := graphtest.Gaussian(rng, n, k), graphtest.Gaussian(rng, n, k)
		exact := []graphtest.Array{ommtest.SecondMoment(f, f), ommtest.SecondMoment(f, tf),
			ommtest.SecondMoment(f, tf)}
		sizes := []float64{1, 2, 3, 4}
		variances := make([][]float64, k*k) // of the entries of M̂[f,Tf], one for each size
		for _, size := range sizes {
			out := testkit.Must(program.TryCall(everySelection(n, int(size)), f, tf))
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
func entries(a graphtest.Array, e, size int) []float64 {
	var values []float64
	for ; e < len(a.Data); e += size {
		values = append(values, a.Data[e])
	}
	return values
}

// Section 2.3.2 says that the loss admits unbiased gradient estimates. With one batch for both moments its bias, and
// that of its gradient, is exactly proportional to 1/B: E L̂_B = (1 − 1/B) L + (1/B) E L̂_1. With M[f,Tf] from a batch
// of its own, independent of that of M[f], which Batch.Form can say, both are unbiased: un-nested, joint and
// sequential.
func TestASecondBatchTakesTheBiasAway(t *testing.T) {
	claim := claims.Of(t, "unbiased-minibatch")
	const n, k = 3, 2
	rng := graphtest.NewRand(780)
	f, a := graphtest.Gaussian(rng, n, k), graphtest.Gaussian(rng, n, n)
	for _, o := range []ommlx.OMM{{}, {Nesting: ommlx.Joint}, {Nesting: ommlx.Sequential}} {
		// The mean loss over the batches, and its gradient for the table of f.
		program := func(batch func(in []*Node) ommlx.Batch) graphtest.Program {
			return graphtest.NewProgram(t, func(in []*Node) []*Node {
				loss, _ := o.Loss(batch(in), nil)
				loss = ReduceAllMean(loss)
				return []*Node{loss, Gradient(loss, in[0])[0]}
			})
		}
		whole := program(func(in []*Node) ommlx.Batch {
			return ommlx.Batch{F: in[0], TF: MatMul(in[1], in[0])}
		}).Call(t, f, a)
		one := program(func(in []*Node) ommlx.Batch {
			return ommlx.Batch{F: drawn(in[2], in[0]), TF: drawn(in[2], MatMul(in[1], in[0]))}
		})
		two := program(func(in []*Node) ommlx.Batch {
			second := ommlx.Term{Left: drawn(in[3], in[0]), Right: drawn(in[3], MatMul(in[1], in[0]))}
			return ommlx.Batch{F: drawn(in[2], in[0]), Form: []ommlx.Term{second}}
		})
		single := one.Call(t, f, a, everySelection(n, 1))
		sizes := []float64{1, 2, 3, 4}
		var biases, gradientBiases []float64
		for _, size := range sizes {
			out := one.Call(t, f, a, everySelection(n, int(size)))
			for i, exact := range whole { // a share of the mean loss is that of batches of one sample
				want, of1 := exact.Clone(), single[i]
				for j := range want.Data {
					want.Data[j] += (of1.Data[j] - want.Data[j]) / size
				}
				graphtest.RequireClose(t, want, out[i], 1e-12, "mixture of the exact loss and that of single samples")
			}
			biases = append(biases, math.Abs(out[0].Data[0]-whole[0].Data[0]))
			gradientBiases = append(gradientBiases, mat.Norm(Combine(1, out[1].Matrix(), -1, whole[1].Matrix()), 2))
		}
		ommtest.Within(t, claim.Corrected, "distance from −1 of the slope in B of the bias, B = 1 to 4, all nestings",
			math.Abs(PowerLaw(sizes, biases)+1), 1e-9)
		ommtest.Within(t, claim.Corrected, "and of the gradient's", math.Abs(PowerLaw(sizes, gradientBiases)+1), 1e-9)
		// There is a bias to take away.
		ommtest.Beyond(t, claim.Printed, "norm of the bias of the gradient with one batch, B = 4",
			gradientBiases[3], 0.1)

		for _, size := range []int{1, 2} {
			both := everySelection(n, 2*size) // the first size samples are one batch, the others the other
			out := two.Call(t, f, a, samples(both, 0, size), samples(both, size, 2*size))
			ommtest.Within(t, claim.Corrected, "relative bias of the loss with a batch for each moment",
				graphtest.Difference(whole[0], out[0]), 1e-12)
			ommtest.Within(t, claim.Corrected, "of its gradient", graphtest.Difference(whole[1], out[1]), 1e-12)
		}
	}
}

// samples returns those from first to last of each batch.
func samples(selection graphtest.Array, first, last int) graphtest.Array {
	runs, size, n := selection.Dims[0], selection.Dims[1], selection.Dims[2]
	s := graphtest.NewArray(runs, 0, n)
	s.Dims[1] = last - first
	for r := range runs {
		s.Data = append(s.Data, selection.Data[(r*size+first)*n:(r*size+last)*n]...)
	}
	return s
}

// The variance of the batch loss falls as 1/B too, in the leading order: it is a polynomial in 1/B. Sampled, with a
// fixed seed: 4,000 batches give the logarithm of a variance to 0.03, and the slope over a factor 16 in B to 0.02.
func TestVarianceOfTheBatchLoss(t *testing.T) {
	const runs, n, k = 4_000, 5, 2
	rng := graphtest.NewRand(781)
	f, tf := graphtest.Gaussian(rng, n, k), graphtest.Gaussian(rng, n, k)
	for _, o := range []ommlx.Objective{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Joint}, ommlx.LoRA{}} {
		program := graphtest.NewProgram(t, func(in []*Node) []*Node {
			loss, _ := o.Loss(ommlx.Batch{F: in[0], TF: in[1]}, nil)
			return []*Node{loss}
		})
		sizes, variances := []float64{64, 256, 1024}, []float64(nil)
		for _, size := range sizes {
			var losses []float64
			for range runs / 1_000 {
				batchF, batchTF := graphtest.NewArray(1_000, int(size), k), graphtest.NewArray(1_000, int(size), k)
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
