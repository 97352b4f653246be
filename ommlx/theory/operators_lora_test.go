package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Section 2.3.2: ‖A − VVᵀ‖²_F − ‖A‖²_F = −2 tr(VᵀAV) + tr((VᵀV)²), for any symmetric A, is LoRA's loss. For operators
// the norms exist only if T is Hilbert–Schmidt, which the −H of the paper's examples is not, nor the inverse of H for
// the oscillator; the right side needs less.
func TestLoRAIsALowRankApproximation(t *testing.T) {
	claim := claims.Of(t, "lora-objective")
	program := onMatrix(t, ommlx.LoRA{})
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 0, -4, 4)
		v := Gaussian(s.rng, libraryStates, drawLibraryModes(t))
		loss, _ := program(v, s.a)
		want := square(mat.Norm(Combine(1, s.a, -1, Product(v, v.T())), 2)) - square(mat.Norm(s.a, 2))
		size := 1 + square(square(mat.Norm(v, 2)))
		ommtest.Within(t, claim.Corrected, "largest relative difference of the two sides",
			math.Abs(want-loss)/size, 1e-11)
	})

	// ‖T‖²_HS = Σ λ² of the oscillator's inverse: of n functions each has the energy 2n, so it is Σ 1/(4n).
	norm, before := 0.0, 0.0
	for n := 1; n <= 100_000; n++ {
		norm += float64(n) / square(2*float64(n))
		if n == 1_000 {
			before = norm
		}
	}
	ommtest.Within(t, claim.Corrected, "distance of what the shells from 1,000 to 100,000 add to ‖T‖² of the "+
		"oscillator's inverse from ¼ log 100",
		math.Abs(norm-before-math.Log(100)/4), 1e-3)
}

// Section 2.3.2: of any symmetric A, LoRA learns VVᵀ = Σ λ_i w_iw_iᵀ over the leading k positive eigenvalues, with loss
// −Σ λ_i²; functions beyond the number r₊ of positive eigenvalues vanish.
//
// So LoRA, which section 3.2.2 and appendix C say can do operators unbounded above (T = −H unbounded below), cannot do
// without a shift what the examples need: the eigenvalues of −H for the oscillator, −2, −4, −4, …, are all negative,
// and LoRA learns nothing. What it does not need, and OMM does, is a shift above all of the spectrum: with 5 I it
// learns the modes of energy below 5, whatever comes after, where OMM falls along each mode of energy above 5 without
// bound.
func TestLoRALearnsThePositiveModes(t *testing.T) {
	claim := claims.Of(t, "lora-optimum")
	lora, omm := onMatrix(t, ommlx.LoRA{}),
		onMatrix(t, ommlx.OMM{})
	oscillator := []float64{-2, -4, -4, -6, -6, -6}
	for _, c := range map[string]struct {
		values []float64
		k      int
	}{
		"fewer than are positive": {[]float64{4, 3, 2, 1, -3, -5}, 3},
		"more than are positive":  {[]float64{4, 2, 0, -1, -3, -5}, 4},
		"oscillator":              {oscillator, 4},
		"oscillator + 5 I":        {[]float64{3, 1, 1, -1, -1, -1}, 5},
	} {
		for seed := range uint64(2) {
			rng := graphtest.NewRand(750 + seed)
			a, w := Symmetric(rng, c.values)
			loss, v := minimise(t, lora, Scaled(0.5, Gaussian(rng, libraryStates, c.k)), a)
			kept, want := mat.NewDiagDense(libraryStates, nil), 0.0
			for i, value := range c.values[:c.k] {
				if value > 0 {
					kept.SetDiag(i, value)
					want -= value * value
				}
			}
			ommtest.Within(t, claim.Printed, "relative distance of the minimum from −Σ λ_i² over the leading "+
				"positive eigenvalues", ommtest.Difference(want, loss), 1e-9)
			ommtest.Within(t, claim.Printed, "of VVᵀ from Σ λ_i w_iw_iᵀ over them",
				matrixDifference(Product(w, kept, w.T()), Product(v, v.T())), 2e-4)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, 0, -9, -1)
		v := Gaussian(s.rng, libraryStates, 3)
		loss, _ := lora(v, s.a)
		require.Positive(t, loss, "f = 0 is LoRA's minimiser where no eigenvalue is positive")

		energies := floats.AddTo(make([]float64, libraryStates), oscillator, []float64{5, 5, 5, 5, 5, 5})
		a, w := Symmetric(s.rng, energies)
		far := Scaled(100, Columns(w, 5, 6))
		loss, _ = omm(far, a)
		require.Less(t, loss, -9e7)
		loss, _ = lora(graphtest.Gaussian(s.rng, libraryStates,
			3).Scaled(math.Abs(s.rng.NormFloat64())).Matrix(), a)
		require.GreaterOrEqual(t, loss, -11-1e-10)
	})
}

// Section 2.3.2, LoRA for a singular value decomposition: −2 tr(UᵀAV) + tr(UᵀU VᵀV) = ‖A − UVᵀ‖²_F − ‖A‖²_F, whose
// minimum is −Σ_{i≤k} σ_i² at the leading singular vectors, each times √σ_i.
func TestLoRAOfARectangularMatrix(t *testing.T) {
	claim := claims.Of(t, "lora-svd")
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "cols")
		k := drawModes(t, min(rows, cols))
		rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
		a := Gaussian(rng, rows, cols)
		lossAt := func(u, v *mat.Dense) float64 {
			return -2*mat.Trace(Product(u.T(), a, v)) + mat.Trace(Product(Gram(u), Gram(v)))
		}
		u, v := Gaussian(rng, rows, k), Gaussian(rng, cols, k)
		loss := lossAt(u, v)
		want := square(mat.Norm(Combine(1, a, -1, Product(u, v.T())), 2)) - square(mat.Norm(a, 2))
		ommtest.Within(t, claim.Printed, "largest relative difference of ‖A − UVᵀ‖² − ‖A‖² and the expression",
			ommtest.Difference(want, loss), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(a, mat.SVDThin))
		var left, right mat.Dense
		svd.UTo(&left)
		svd.VTo(&right)
		roots, minimum := mat.NewDiagDense(k, nil), 0.0
		for i, value := range svd.Values(nil)[:k] {
			roots.SetDiag(i, math.Sqrt(value))
			minimum -= value * value
		}
		atVectors := lossAt(Product(Columns(&left, 0, k), roots), Product(Columns(&right, 0, k), roots))
		ommtest.Within(t, claim.Printed, "of the latter at the singular vectors and −Σ_{i≤k} σ_i²",
			ommtest.Difference(minimum, atVectors), 1e-11)
		ommtest.Within(t, claim.Printed, "how far random U, V are below that", ommtest.Excess(minimum, loss), 0)
	})
}

// Section 2.3.1: for p > 1 a partial stop-gradient cannot give sequential nesting. The loss of order p is Σ_j c_j
// tr(M^{j−1}N), M = M[f], N = M[f,Tf]. A derivative for f_i is a sum over the factors M and N of each term and over
// their entries (i,q) and (q,i), each of which is a function f_q or (Tf)_q times a number. A stop-gradient on one side
// of an entry of one factor takes one summand away. So if some choice of stop-gradients gave the gradient of the prefix
// f_1, …, f_i, that would be a combination of those summands with coefficients 0 and 1, the same for all f and Tf.
// Least squares over many f and Tf finds the best coefficients, 0, 1 or any other: they fit for p = 1, as Eq. (9) says,
// and not for p = 2.
func TestNoMaskGivesSequentialNestingAtOrder2(t *testing.T) {
	claim := claims.Of(t, "seq-higher-order-hard")
	const k, i, instances = 3, 1, 60 // the second of three functions
	misfit := func(coefficients []float64) float64 {
		var rows, want []float64
		unknowns := 0
		for seed := range uint64(instances) {
			summands, target := summandsOf(coefficients, seed, k, i)
			unknowns = len(summands)
			for b := range target {
				for _, s := range summands {
					rows = append(rows, s[b])
				}
			}
			want = append(want, target...)
		}
		require.Greater(t, len(want), 3*unknowns)
		var svd mat.SVD
		require.True(t, svd.Factorize(mat.NewDense(len(want), unknowns, rows), mat.SVDThin))
		y, fitted, x := mat.NewDense(len(want), 1, want), &mat.Dense{}, &mat.Dense{}
		svd.SolveTo(x, y, svd.Rank(1e-12))
		fitted.Mul(mat.NewDense(len(want), unknowns, rows), x)
		fitted.Sub(fitted, y)
		return fitted.Norm(2) / y.Norm(2)
	}
	require.Less(t, misfit([]float64{-2, 1}), 1e-12, "the mask of Eq. (9) is among them for p = 1")
	left := misfit([]float64{-4, 6, -4, 1})
	ommtest.Within(t, claim.Printed, "0.01 less the part of the prefix's gradient that no mask gives, OMM-2, "+
		"relative",
		0.01-left, 0)
	claim.Note("the best coefficients leave %.0f %% of the prefix's gradient at order 2, and nothing at order 1",
		100*left)
}

// summandsOf returns the summands of the derivative for f_i of Σ_j c_j tr(M^{j−1}N), one for each side of each entry of
// each factor, and the derivative of the loss of the prefix f_1, …, f_i alone, at random f and Tf; i counts from 0.
func summandsOf(coefficients []float64, seed uint64, k, i int) (summands [][]float64, target []float64) {
	at := ommtest.GaussianPoint(graphtest.NewRand(9_000+seed), 2*k, k)
	f, g := at.F.Matrix(), at.TF.Matrix()
	derivative := func(f, g *mat.Dense, each func(summand []float64)) {
		batch, k := f.Dims()
		moment := func(a, b *mat.Dense) *mat.Dense {
			var m mat.Dense
			m.Mul(a.T(), b)
			m.Scale(1/float64(batch), &m)
			return &m
		}
		m, n := moment(f, f), moment(f, g)
		times := func(c float64, column []float64) {
			scaled := make([]float64, batch)
			for b, x := range column {
				scaled[b] = c * x / float64(batch)
			}
			each(scaled)
		}
		for j, c := range coefficients { // c tr(M^j N)
			for q := range k {
				times(c*Power(m, j).At(q, i), mat.Col(nil, q, g))
			}
			for a := range j { // tr(M^a dM M^{j−1−a} N)
				var w mat.Dense
				w.Product(Power(m, j-1-a), n, Power(m, a))
				for q := range k {
					times(c*w.At(q, i), mat.Col(nil, q, f))
					times(c*w.At(i, q), mat.Col(nil, q, f))
				}
			}
		}
	}
	derivative(f, g, func(s []float64) { summands = append(summands, s) })
	target = make([]float64, 2*k)
	prefix := func(x *mat.Dense) *mat.Dense { return mat.DenseCopyOf(x.Slice(0, 2*k, 0, i+1)) }
	derivative(prefix(f), prefix(g), func(s []float64) {
		for b, x := range s {
			target[b] += x
		}
	})
	return summands, target
}
