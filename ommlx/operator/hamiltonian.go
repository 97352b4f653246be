package operator

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
)

// Hamiltonian is H = −∇² + V (paper, Section 3.2) at the points of a batch that are drawn with density ρ. It acts on
// functions f that stand for wavefunctions ψ = √ρ·f, so that means over the batch are inner products of wavefunctions:
//
//	Hf := (1/√ρ) H(√ρ f) = −Δf − 2 ∇u·∇f − (Δu + |∇u|²) f + V f,   u = log √ρ,
//	E_ρ[f_i f_j] = ∫ ψ_i ψ_j dx,   E_ρ[f_i (Hf)_j] = ∫ ψ_i (Hψ_j) dx.
//
// It is the setting that the paper inherits (Ryu et al. 2024, Section E.1). Written with the logarithm it needs no
// division by √ρ, which underflows far out. H is self-adjoint for E_ρ if the ψ vanish at infinity or at the boundary.
type Hamiltonian struct {
	Potential *Node    // V at the points, [..., B, 1]
	LogRoot   *jet.Jet // u = log √ρ, up to a constant, [..., B, 1]; nil where ρ is constant
}

// validate panics with one sentence when potential or density do not fit the functions.
func (h Hamiltonian) validate(f jet.Jet) {
	const where = "operator.Hamiltonian"
	requireAlong(where, "the potential", h.Potential, f.Value)
	u := h.LogRoot
	if u == nil {
		return
	}
	if u.Dims() != f.Dims() {
		panic(fmt.Errorf("%s: log √ρ has derivatives in dimension %d and the functions have them in dimension %d; "+
			"give both the same points", where, u.Dims(), f.Dims()))
	}
	requireAlong(where, "the Laplacian of log √ρ", u.Laplacian, f.Value)
	for _, slope := range u.Gradient {
		requireAlong(where, "the gradient of log √ρ", slope, f.Value)
	}
}

// Apply returns Hf, shaped as f [..., B, k]. It panics with one sentence when h does not fit f.
func (h Hamiltonian) Apply(f jet.Jet) *Node {
	h.validate(f)
	local := h.Potential
	out := Neg(f.Laplacian)
	if u := h.LogRoot; u != nil {
		curvature := u.Laplacian // of √ρ, divided by √ρ
		for d, slope := range u.Gradient {
			curvature = Add(curvature, Square(slope))
			out = Sub(out, MulScalar(Mul(aligned(slope, f), f.Gradient[d]), 2))
		}
		local = Sub(local, curvature)
	}
	return Add(out, Mul(aligned(local, f), f.Value))
}

// aligned spreads x [..., B, 1] over the k functions of f [..., B, k] and over leading axes that x lacks.
func aligned(x *Node, f jet.Jet) *Node {
	return BroadcastToShape(ExpandLeftToRank(x, f.Value.Rank()), f.Value.Shape())
}

// Direct is the batch for the lowest states of H as the leading ones of T = −scale·H:
//
//	F = f,   TF = −scale·Hf.
//
// It fits spectra that are bounded above, as hydrogen's; scale is 100 there (Section C.2). κ is added by
// [ommlx.Shifted].
func (h Hamiltonian) Direct(f jet.Jet, scale float64) ommlx.Batch {
	return ommlx.Batch{F: f.Value, TF: MulScalar(h.Apply(f), -scale)}
}

// Inverse is the batch for the lowest states of H as the leading ones of T = (scale·(H + ε))⁻¹, without inverting
// anything: g is learned, and f is (H + ε)g up to the factor, so that Tf = g (paper, Section 3.2, the inverse-operator
// trick and its footnote on ε),
//
//	F = scale·(Hg + εg),   TF = g.
//
// At the optimum f_i is an eigenfunction of H and g_i the same divided by scale·(λ_i + ε). It fits spectra that grow
// without bound; ε > 0 where they reach down to zero, 0 otherwise.
func (h Hamiltonian) Inverse(g jet.Jet, scale, epsilon float64) ommlx.Batch {
	f := h.Apply(g)
	if epsilon != 0 {
		f = Add(f, MulScalar(g.Value, epsilon))
	}
	return ommlx.Batch{F: MulScalar(f, scale), TF: g.Value}
}
