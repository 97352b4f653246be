package ommlx

import (
	"cmp"
	"fmt"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// SpIN is the objective of Spectral Inference Networks (Pfau, Petersen, Agarwal, Barrett, Stachenfeld, ICLR 2019), a
// baseline named in section 3.2 of the paper. With Σ = M[f], Π = M[f,Tf] and the Cholesky factor L of Σ it maximises
//
//	tr(Σ⁻¹Π) = tr Λ,   Λ = L⁻¹ Π L⁻ᵀ,
//
// by masked gradients: Λ_ii depends on f_1, …, f_i and trains only f_i. Since tr Λ_{1:i} is the trace for the first i
// functions, f_i and Tf_i move by the gradients of tr(Σ_{1:i}⁻¹ Π_{1:i}), which equal the gradients of
//
//	⟨sg A, M^seq[f,Tf]⟩ − ⟨sg C, M^seq[f]⟩,   A = diag(L)⁻¹ L⁻¹,   C = diag(L)⁻¹ tril(Λ) L⁻¹
//
// with A and C then symmetrised.
//
// The eigenfunctions are L⁻¹f, not f, since the first i functions are trained only to span the right space. Function
// GramSchmidt of package spectral computes them from f. The eigenvalues of T may have any sign.
//
// There are two differences from the publication. (1) Both use L of the moving average of Σ, but the publication also
// averages the Jacobian of Σ with respect to all parameters. Here the Jacobian comes from the batch, which leaves a
// bias of order 1/B. (2) If sampling noise makes Π asymmetric, Λ uses its symmetric part.
//
// Σ̄ starts at I. In the first 1/β steps gradients have the wrong size if M[f] is far from I: initialise f with norms
// near 1.
type SpIN struct {
	// Decay is β in Σ̄ ← (1−β) Σ̄ + β M[f], in (0, 1]; 0 means 0.01, as in the published code for hydrogen; 1 uses only
	// the batch.
	Decay float64
}

func (s SpIN) decay() float64 { return cmp.Or(s.Decay, 0.01) }

// Name returns "spin".
func (SpIN) Name() string { return "spin" }

// Traits returns the traits of SpIN.
func (SpIN) Traits() Traits { return Traits{AnyNorms: true, AnyAngles: true} }

// Validate returns an error if a setting is invalid.
func (s SpIN) Validate(_ int) error {
	if d := s.decay(); !(d > 0 && d <= 1) {
		return fmt.Errorf("Decay is %g, want positive and at most 1", d)
	}
	return nil
}

// InitState returns Σ̄ = I, [runs,] k×k float32, as in the published code.
func (SpIN) InitState(runs, k int) []*tensors.Tensor {
	identity := make([]float32, k*k)
	for i := range k {
		identity[i*k+i] = 1
	}
	average := slices.Repeat(identity, max(runs, 1))
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(average, perRun(runs, k, k)...)}
}

// Loss returns −tr Λ and the next average; see SpIN for the equation.
func (s SpIN) Loss(b Batch, state []*Node) (*Node, []*Node) {
	mustBeValid(s, b)
	if len(state) != 1 {
		panic(fmt.Errorf("objective %s: state has %d tensors, want 1 as from InitState", s.Name(), len(state)))
	}
	overlap, projected := b.Moments(Sequential)

	average := StopGradient(ConvertDType(state[0], b.F.DType()))
	average = Add(average, MulScalar(Sub(StopGradient(overlap), average), s.decay()))
	inverse := inverseCholesky(average)
	lambda := StopGradient(projected)
	lambda = matMul(matMul(inverse, MulScalar(Add(lambda, swap(lambda)), 0.5)), swap(inverse))

	diagonal := ReduceAndKeep(Mul(inverse, IdentityLike(inverse)), ReduceSum, -1) // of L⁻¹, one for each row
	a := symmetricOf(Mul(diagonal, inverse))
	c := symmetricOf(Mul(diagonal, matMul(TakeLowerTriangular(lambda, 0), inverse)))
	gain := Sub(inner(a, projected), inner(c, overlap))
	gain = Add(Sub(gain, StopGradient(gain)), trace(lambda))
	return Neg(gain), []*Node{ConvertDType(average, state[0].DType())}
}

// symmetricOf returns the symmetric matrix with the given lower triangle.
func symmetricOf(lower *Node) *Node {
	return Add(lower, swap(TakeLowerTriangular(lower, -1)))
}

// inverseCholesky returns L⁻¹ for a symmetric positive definite m = L Lᵀ, [...,] k×k: the elimination that turns m into
// Lᵀ, applied to the identity. For other m the result is NaN. The k steps are unrolled, since GoMLX has neither a
// Cholesky decomposition nor nested loops.
func inverseCholesky(m *Node) *Node {
	k := m.Shape().Dim(-1)
	rest := m // not eliminated yet
	inverse := Add(ZerosLike(m), IdentityLike(m))
	for j := range k {
		column := Slice(rest, AxisRange().Spacer(), AxisRange(j, j+1))
		root := Sqrt(Slice(column, AxisRange().Spacer(), AxisRange(j, j+1), AxisRange()))
		column = Div(column, root) // of L; zero above the diagonal, where rest is eliminated
		row := Div(Slice(inverse, AxisRange().Spacer(), AxisRange(j, j+1), AxisRange()), root)
		unit := Slice(IdentityLike(m), AxisRange().Spacer(), AxisRange(j, j+1))
		others := Sub(OnesLike(unit), unit)
		// Replace row j, and subtract its multiples by column from the rows below.
		inverse = Add(Mul(inverse, others), Mul(Sub(unit, Mul(column, others)), row))
		rest = Sub(rest, Mul(column, swap(column)))
	}
	return inverse
}
