package theory

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// inverseLoss computes the loss of f = Lg with Tf = g, and its gradient for g, on the columns of g.
func inverseLoss(t *testing.T) Loss {
	return graphLoss(t, func(in []*Node) []*Node {
		g, l := in[0], in[1]
		root := math.Sqrt(float64(g.Shape().Dim(0)))
		loss, _ := ommlx.OMM{}.Loss(ommlx.Batch{F: MulScalar(MatMul(l, g), root), TF: MulScalar(g, root)}, nil)
		return []*Node{loss, Gradient(loss, g)[0]}
	})
}

// Section 3.2.2, the inverse-operator trick: for positive L and f = Lg,
//
//	−2 tr M[Lg,g] + tr(M[Lg] M[Lg,g])
//
// is OMM-1 of L⁻¹ at f, with the gradient L∇_f for g. Its minimum, over the lowest k eigenvalues of L, is −Σ 1/λ_i, and
// is reached at g_i = φ_i/λ_i, which makes Lg_i = φ_i.
func TestInverseOperatorTrick(t *testing.T) {
	claim := claims.Of(t, "inverse-objective")
	trick, omm := inverseLoss(t), onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		k := drawLibraryModes(t)
		s := drawSpectrum(t, libraryStates, libraryStates, 0.2, 5)
		inv := inverse(t, s.a)
		g := Scaled(0.3, Gaussian(s.rng, libraryStates, k))
		loss, gradient := trick(g, s.a)
		want, forF := omm(Product(s.a, g), inv)
		ommtest.Within(t, claim.Printed, "largest difference of the loss from that of L⁻¹ at f = Lg",
			ommtest.Difference(want, loss), 1e-10)
		ommtest.Within(t, claim.Printed, "largest difference of the gradient for g from L times that of f",
			matrixDifference(Product(s.a, forF), gradient), 1e-10)

		lowest := Columns(s.w, libraryStates-k, libraryStates)
		scale, minimum := mat.NewDiagDense(k, nil), 0.0
		for i, value := range s.values[libraryStates-k:] {
			scale.SetDiag(i, 1/value)
			minimum -= 1 / value
		}
		best := Product(lowest, scale)
		loss, gradient = trick(best, s.a)
		ommtest.Within(t, claim.Printed, "largest difference of the loss at g_i = φ_i/λ_i from −Σ 1/λ_i",
			ommtest.Difference(minimum, loss), 1e-10)
		ommtest.Within(t, claim.Printed, "gradient at that minimum", mat.Norm(gradient, 2), 1e-9)
		require.GreaterOrEqual(t, want, minimum-1e-10*(1+math.Abs(want)))
		ommtest.Within(t, claim.Printed, "difference of Lg from φ at that minimum",
			matrixDifference(lowest, Product(s.a, best)), 1e-11)
	})
}

// Section 3.2.2 and appendix C.2: OMM cannot deal with spectra unbounded above, as that of the oscillator's H with the
// levels 2, 4, 4, 6, 6, 6, …, and LoRA can. Of T = c − H, OMM's loss falls without bound along a mode above c. LoRA's
// is at least −Σ λ_i² over the positive λ_i of T, as many as there are: without a shift there are none, and its
// minimiser is f = 0.
func TestOscillatorWithoutItsInverse(t *testing.T) {
	claim := claims.Of(t, "omm-cannot-lora-can")
	omm, lora := onMatrix(t, ommlx.OMM{}),
		onMatrix(t, ommlx.LoRA{})
	levels := []float64{2, 4, 4, 6, 6, 6}
	const k = 3
	rapid.Check(t, func(t *rapid.T) {
		rng := graphtest.NewRand(rapid.Uint64().Draw(t, "seed"))
		shift := rapid.SampledFrom([]float64{0, 4.5}).Draw(t, "c") // none, or above E_k = 4
		values, least := make([]float64, len(levels)), 0.0
		best := mat.NewDense(len(levels), k, nil)
		for i, level := range levels {
			values[i] = shift - level
			if values[i] > 0 {
				least -= square(values[i])
			}
		}
		a, w := Symmetric(rng, values)
		for i := range k {
			best.SetCol(i, mat.Col(nil, 0, Scaled(math.Sqrt(max(0, values[i])), Columns(w, i, i+1))))
		}
		loss, gradient := lora(best, a)
		ommtest.Within(t, claim.Corrected, "LoRA's loss at √λ_i w_i of the positive λ_i, or at 0, from −Σ λ_i²",
			ommtest.Difference(least, loss), 1e-12)
		ommtest.Within(t, claim.Corrected, "gradient of LoRA there", mat.Norm(gradient, 2), 1e-12)
		loss, _ = lora(Gaussian(rng, len(levels), k), a)
		ommtest.Within(t, claim.Corrected, "how far other functions fall below that loss",
			ommtest.Excess(least, loss), 0)
		if shift == 0 {
			require.Zero(t, mat.Norm(best, 2), "LoRA's minimiser on −H, which has no positive eigenvalue")
		}
		// Above any c there are levels; of these six the highest is 6.
		highest := Columns(w, len(levels)-1, len(levels))
		far := mat.NewDense(len(levels), k, nil)
		far.SetCol(0, mat.Col(nil, 0, Scaled(1e3, highest)))
		loss, _ = omm(far, a)
		ommtest.Within(t, claim.Corrected, "OMM's loss at a function of norm 10³ along the highest level",
			loss, -1e11)
	})
}

// Section 3.2.2: the leading eigenfunctions of L⁻¹ are the lowest of L, for a positive spectrum. The text goes on that
// this holds for every confining potential, which makes the spectrum discrete but not positive: of the oscillator with
// its potential lowered by 5, of eigenvalues −3, −1, −1, 1, 1, 1, the inverse is led by the fourth mode, and L⁻¹ is not
// PSD.
func TestInverseNeedsAPositiveSpectrum(t *testing.T) {
	claim := claims.Of(t, "inverse-trick-theory")
	leader := func(t require.TestingT, s spectrum) *mat.VecDense {
		n := len(s.values)
		inv := inverse(t, s.a)
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				sym.SetSym(i, j, (inv.At(i, j)+inv.At(j, i))/2)
			}
		}
		var eigen mat.EigenSym
		require.True(t, eigen.Factorize(sym, true))
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		return mat.VecDenseCopyOf(vectors.ColView(n - 1))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, libraryStates, 0.2, 5)
		lowest := s.values[libraryStates-1]
		v := leader(t, s)
		ommtest.Within(t, claim.Corrected, "positive spectrum: ⟨L⟩ of the leader of L⁻¹, from the lowest eigenvalue",
			ommtest.Difference(lowest, mat.Inner(v, s.a, v)), 1e-10)
	})
	a, w := Symmetric(graphtest.NewRand(760), []float64{1, 1, 1, -1, -1, -3})
	v := leader(t, spectrum{a: a, w: w, values: make([]float64, 6)})
	ommtest.Beyond(t, claim.Printed, "⟨L⟩ of the leader of L⁻¹ for the lowered oscillator, from its lowest "+
		"eigenvalue", ommtest.Difference(-3, mat.Inner(v, a, v)), 1e-10)
	require.InDelta(t, 1, mat.Inner(v, a, v), 1e-12, "not −3, the lowest")
	require.InDelta(t, -1, eigenvaluesOf(t, inverse(t, a))[0], 1e-12)
}
