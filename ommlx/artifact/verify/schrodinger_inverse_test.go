package verify

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// inverseLoss computes the loss of f = Lg with Tf = g, and its gradient for g, on the columns of g.
func inverseLoss(t *testing.T) Loss {
	return graphLoss(t, func(g, l *Node) *Node {
		root := math.Sqrt(float64(g.Shape().Dim(0)))
		loss, _ := ommlx.OMM{}.Loss(ommlx.Batch{F: MulScalar(MatMul(l, g), root), TF: MulScalar(g, root)}, nil)
		return loss
	})
}

// Section 3.2.2, the inverse-operator trick: for positive L and f = Lg,
//
//	−2 tr M[Lg,g] + tr(M[Lg] M[Lg,g])
//
// is OMM-1 of L⁻¹ at f, with the gradient L∇_f for g. Its minimum, over the lowest k eigenvalues of L, is −Σ 1/λ_i, and
// is reached at g_i = φ_i/λ_i, which makes Lg_i = φ_i.
func TestInverseOperatorTrick(t *testing.T) {
	claim := papertest.Of(t, "inverse-objective")
	trick, omm := inverseLoss(t), onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		k := drawLibraryModes(t)
		s := drawSpectrum(t, libraryStates, libraryStates, 0.2, 5)
		inv := inverse(t, s.a)
		g := s.gaussian(0.3, k)
		loss, gradient := trick(g, s.a)
		want, forF := omm(Product(s.a, g), inv)
		claim.Printed.Agree(t, "largest difference of the loss from that of L⁻¹ at f = Lg", want, loss, 1e-10)
		claim.Printed.Same(t, "largest difference of the gradient for g from L times that of f", Product(s.a, forF),
			gradient, 1e-10)

		lowest := Columns(s.w, libraryStates-k, libraryStates)
		scale := diagonal(s.values[libraryStates-k:], func(x float64) float64 { return 1 / x })
		best, minimum := Product(lowest, scale), -mat.Trace(scale)
		loss, gradient = trick(best, s.a)
		claim.Printed.Agree(t, "largest difference of the loss at g_i = φ_i/λ_i from −Σ 1/λ_i", minimum, loss, 1e-10)
		claim.Printed.Within(t, "gradient at that minimum", mat.Norm(gradient, 2), 1e-9)
		require.GreaterOrEqual(t, want, minimum-1e-10*(1+math.Abs(want)))
		claim.Printed.Same(t, "difference of Lg from φ at that minimum", lowest, Product(s.a, best), 1e-11)
	})
}

// Section 3.2.2 and appendix C.2: OMM cannot deal with spectra unbounded above, as that of the oscillator's H with the
// levels 2, 4, 4, 6, 6, 6, …, and LoRA can. LoRA's loss of T = c − H is at least −Σ λ_i² over the positive λ_i of T.
func TestOscillatorWithoutItsInverse(t *testing.T) {
	claim := papertest.Of(t, "omm-cannot-lora-can")
	omm, lora := onMatrix(t, ommlx.OMM{}), onMatrix(t, ommlx.LoRA{})
	levels := []float64{2, 4, 4, 6, 6, 6}
	const k = 3
	rapid.Check(t, func(t *rapid.T) {
		rng := drawRand(t)
		shift := rapid.SampledFrom([]float64{0, 4.5}).Draw(t, "c") // none, or above E_k = 4
		values := make([]float64, len(levels))
		for i, level := range levels {
			values[i] = shift - level
		}
		s := newSpectrum(rng, values...)
		kept := diagonal(values[:k], func(x float64) float64 { return max(0, x) }) // all of the positive ones
		best := Product(s.leading(k), diagonal(values[:k], func(x float64) float64 { return math.Sqrt(max(0, x)) }))
		least := -square(mat.Norm(kept, 2))
		loss, gradient := lora(best, s.a)
		claim.Printed.Agree(t, "LoRA's loss at √λ_i w_i of the positive λ_i, or at 0, from −Σ λ_i²", least, loss,
			1e-12)
		claim.Printed.Within(t, "gradient of LoRA there", mat.Norm(gradient, 2), 1e-12)
		loss, _ = lora(s.gaussian(1, k), s.a)
		claim.Printed.AtMost(t, "how far other functions fall below that loss", least, loss, 0)
		if shift == 0 {
			require.Zero(t, mat.Norm(best, 2), "LoRA's minimiser on −H, which has no positive eigenvalue")
		}
		// Above any c there are levels; of these six the highest is 6.
		far := mat.NewDense(len(levels), k, nil)
		far.SetCol(0, Scaled(1e3, s.mode(len(levels)-1)).RawMatrix().Data)
		loss, _ = omm(far, s.a)
		claim.Printed.Within(t, "OMM's loss at a function of norm 10³ along the highest level", loss, -1e11)
	})
}

// Section 3.2.2: the leading eigenfunctions of L⁻¹ are the lowest of L, for a positive spectrum, and then for every
// confining potential. Lowered by 5, the oscillator has the eigenvalues −3, −1, −1, 1, 1, 1.
func TestInverseNeedsAPositiveSpectrum(t *testing.T) {
	claim := papertest.Of(t, "inverse-trick-theory")
	ofLeader := func(t require.TestingT, s spectrum) float64 {
		v := eigen(inverse(t, s.a)).Vectors.ColView(0)
		return mat.Inner(v, s.a, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, libraryStates, 0.2, 5)
		claim.Corrected.Agree(t, "positive spectrum: ⟨L⟩ of the leader of L⁻¹, from the lowest eigenvalue",
			s.values[libraryStates-1], ofLeader(t, s), 1e-10)
	})
	s := newSpectrum(testkit.NewRand(760), 1, 1, 1, -1, -1, -3)
	claim.Printed.Beyond(t, "⟨L⟩ of the leader of L⁻¹ for the lowered oscillator, from its lowest eigenvalue",
		papertest.Difference(-3, ofLeader(t, s)), 1e-10)
	require.InDelta(t, 1, ofLeader(t, s), 1e-12, "not −3, the lowest")
	require.InDelta(t, -1, eigenvaluesOf(t, inverse(t, s.a))[0], 1e-12)
}
