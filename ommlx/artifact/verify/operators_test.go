package verify

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Section 2.3.2: ‖A − VVᵀ‖²_F − ‖A‖²_F = −2 tr(VᵀAV) + tr((VᵀV)²), for any symmetric A, is LoRA's loss.
func TestLoRAIsALowRankApproximation(t *testing.T) {
	claim := papertest.Of(t, "lora-objective")
	program := onMatrix(t, ommlx.LoRA{})
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := s.gaussian(1, drawLibraryModes(t))
		loss, _ := program(v, s.a)
		want := square(mat.Norm(Combine(1, s.a, -1, projector(v)), 2)) - square(mat.Norm(s.a, 2))
		claim.Printed.Within(t, "largest relative difference of the two sides",
			math.Abs(want-loss)/(1+square(square(mat.Norm(v, 2)))), 1e-11)
	})

	// ‖T‖²_HS = Σ λ² for the oscillator's inverse: n functions have energy 2n each, so it is Σ 1/(4n).
	norm := 0.0
	for n := 1_001; n <= 100_000; n++ {
		norm += float64(n) / square(2*float64(n))
	}
	claim.Corrected.Within(t, "distance of what the shells from 1,000 to 100,000 add to ‖T‖² of the oscillator's "+
		"inverse from ¼ log 100", math.Abs(norm-math.Log(100)/4), 1e-3)
}

// Section 2.3.2: for any symmetric A, LoRA learns VVᵀ = Σ λ_i w_iw_iᵀ over the leading k positive eigenvalues, with
// loss −Σ λ_i²; functions beyond the number of positive eigenvalues vanish. From −H for the oscillator, with
// eigenvalues −2, −4, −4, …, it learns nothing, and from −H + 5 I the modes of energy below 5.
func TestLoRALearnsThePositiveModes(t *testing.T) {
	claim := papertest.Of(t, "lora-optimum")
	lora := onMatrix(t, ommlx.LoRA{})
	for _, c := range []struct {
		values []float64
		k      int
	}{
		{[]float64{4, 3, 2, 1, -3, -5}, 3}, // fewer than the positive ones
		{[]float64{4, 2, 0, -1, -3, -5}, 4},
		{[]float64{-2, -4, -4, -6, -6, -6}, 4}, // the oscillator
		{[]float64{3, 1, 1, -1, -1, -1}, 5},    // the oscillator + 5 I
	} {
		for seed := range uint64(2) {
			s := newSpectrum(testkit.NewRand(750+seed), c.values...)
			loss, v := s.minimise(t, lora, 0.5, c.k)
			kept := diagonal(c.values[:c.k], func(x float64) float64 { return max(0, x) })
			claim.Printed.Agree(t, "relative distance of the minimum from −Σ λ_i² over the leading positive "+
				"eigenvalues", -square(mat.Norm(kept, 2)), loss, 1e-9)
			claim.Printed.Same(t, "of VVᵀ from Σ λ_i w_iw_iᵀ over them",
				Product(s.leading(c.k), kept, s.leading(c.k).T()), projector(v), 2e-4)
		}
	}
}

// Section 2.3.2, LoRA for a singular value decomposition: −2 tr(UᵀAV) + tr(UᵀU VᵀV) = ‖A − UVᵀ‖²_F − ‖A‖²_F, whose
// minimum −Σ_{i≤k} σ_i² is at the leading singular vectors, each scaled by √σ_i.
func TestLoRAOfARectangularMatrix(t *testing.T) {
	claim := papertest.Of(t, "lora-svd")
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "cols")
		k := drawModes(t, min(rows, cols))
		rng := drawRand(t)
		a := Gaussian(rng, rows, cols)
		lossAt := func(u, v *mat.Dense) float64 {
			return -2*mat.Trace(Product(u.T(), a, v)) + mat.Trace(Product(Gram(u), Gram(v)))
		}
		u, v := Gaussian(rng, rows, k), Gaussian(rng, cols, k)
		want := square(mat.Norm(Combine(1, a, -1, Product(u, v.T())), 2)) - square(mat.Norm(a, 2))
		claim.Printed.Agree(t, "largest relative difference of ‖A − UVᵀ‖² − ‖A‖² and the expression", want,
			lossAt(u, v), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(a, mat.SVDThin))
		var left, right mat.Dense
		svd.UTo(&left)
		svd.VTo(&right)
		values := svd.Values(nil)[:k]
		minimum, roots := -floats.Dot(values, values), diagonal(values, math.Sqrt)
		claim.Printed.Agree(t, "of the latter at the singular vectors and −Σ_{i≤k} σ_i²", minimum,
			lossAt(Product(Columns(&left, 0, k), roots), Product(Columns(&right, 0, k), roots)), 1e-11)
		claim.Printed.AtMost(t, "how far random U, V are below that", minimum, lossAt(u, v), 0)
	})
}

// Section 2.3 requires a point spectrum that is isolated with a gap to the essential spectrum. Eigenvalues 1/n² that
// accumulate at 0, the essential spectrum, have no such gap, and still the minimiser is the leading space however many
// there are.
func TestSpectrumOfAnOperator(t *testing.T) {
	claim, symmetric := papertest.Of(t, "operator-minimiser"), papertest.Of(t, "operator-spectrum")
	const k = 3
	omm := onMatrix(t, ommlx.OMM{})
	for _, d := range []int{8, 32, 96} {
		values := Harmonic(d)
		for i := range values {
			values[i] = 1 / square(float64(i+1))
		}
		s := newSpectrum(testkit.NewRand(800), values...)
		found := eigen(s.a)
		symmetric.Printed.Same(t, "distance of the Gram matrix of eigenvectors of a self-adjoint T from I", Eye(d),
			Gram(found.Vectors), 1e-12)
		symmetric.Printed.Within(t, "distance of its eigenvalues from the descending λ_n ≥ 0",
			math.Abs(found.Values[0]-values[0])+math.Abs(found.Values[d-1]-values[d-1]), 1e-12)
		loss, v := s.minimise(t, omm, 1/math.Sqrt(float64(d)), k)
		claim.Printed.Within(t, "distance of the minimum from −Σ_{i≤3} λ_i for λ_n = 1/n², n up to 8, 32, 96",
			math.Abs(loss+s.top(k)), 1e-10)
		claim.Printed.Same(t, "relative distance of VVᵀ there from W_{1:k}W_{1:k}ᵀ", projector(s.leading(k)),
			projector(v), 1e-3)
		if d == 96 {
			claim.Note("the smallest gap of the spectrum is %.0e there", values[d-2]-values[d-1])
		}
	}
}

// everyBatch returns all n^size equally likely batches of independent samples as one-hot matrices S [n^size, size, n],
// so S·table are the rows that each batch draws. Means over them are exact.
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

// halves splits a batch into two of half the size.
func halves(selection *Node) (first, second *Node) {
	size := selection.Shape().Dim(1)
	return Slice(selection, AxisRange(), AxisRange(0, size/2)), Slice(selection, AxisRange(), AxisRange(size/2))
}

// Section 2.3.2: both losses "admit unbiased gradient estimates with minibatch samples". With one batch of B samples
// for both moments, as in the paper's pseudocode, they do not. Over all batches the metric term has the mean
//
//	E tr(M̂N̂) = (1 − 1/B) tr(MN) + (1/B) E |f|² fᵀTf,  N = M[f,Tf],
//
// and likewise for LoRA with f for Tf: a bias of order 1/B in value and gradient. With two independent batches, one per
// moment, there is no bias.
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
		ofTwo := testkit.NewProgram(t, func(in []*Node) []*Node { // the mean of the metric term
			first, second := halves(in[0])
			m := ommlx.SecondMoment(drawn(first, in[1]), drawn(first, in[1]))
			return []*Node{ReduceAllMean(Einsum("rij,rji->r", m,
				ommlx.SecondMoment(drawn(second, in[1]), drawn(second, in[2]))))}
		})
		all := testkit.EvaluateObjective(t, c.objective, testkit.Point{F: f, TF: tf, C1: f, C2: f}, nil).Loss.Data[0]
		metric := mat.Trace(Product(testkit.SecondMoment(f, f).Matrix(), testkit.SecondMoment(f, c.second).Matrix()))
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

// Section 2.2.3: for samples x with second moment A, E‖x − VVᵀx‖² = tr((I − VVᵀ)²A) = L_omm(V) + tr A, also where
// their mean is not zero. With (VᵀV)⁻¹ in the middle, Eq. (6), the least value is the same, Σ_{i>k} λ_i.
func TestPCA(t *testing.T) {
	claim := papertest.Of(t, "pca-identity")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		const d = libraryStates
		k := drawLibraryModes(t)
		n := rapid.IntRange(1, 20).Draw(t, "samples")
		rng := drawRand(t)
		x, v := Gaussian(rng, d, n), Scaled(0.5, Gaussian(rng, d, k))
		x.Apply(func(_, _ int, x float64) float64 { return x + 0.5 }, x)
		a := Scaled(1/float64(n), projector(x))
		reconstruction := func(v, middle *mat.Dense) float64 {
			return square(mat.Norm(Combine(1, x, -1, Product(v, middle, v.T(), x)), 2)) / float64(n)
		}
		loss, _ := omm(v, a)
		claim.Printed.Agree(t, "relative difference of L + tr A and the mean error", loss+mat.Trace(a),
			reconstruction(v, Eye(k)), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(x, mat.SVDFull))
		var u mat.Dense
		svd.UTo(&u)
		least, values := 0.0, svd.Values(nil)
		for _, value := range values[min(k, len(values)):] {
			least += value * value / float64(n)
		}
		atBest, _ := omm(Columns(&u, 0, k), a)
		claim.Printed.Agree(t, "of L + tr A at the SVD's space from the least error", least, atBest+mat.Trace(a), 1e-11)
		claim.Printed.AtMost(t, "how far random V get below it without (VᵀV)⁻¹", least, reconstruction(v, Eye(k)),
			1e-11)
		claim.Printed.AtMost(t, "and with", least, reconstruction(v, inverse(t, Gram(v))), 1e-9)
	})
}
