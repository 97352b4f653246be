package operator

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
)

// Hamiltonian is H = −∇² + V (paper, Section 3.2) at points drawn with density ρ. It acts on functions f that represent
// wavefunctions ψ = √ρ·f, so that means over the batch are inner products of wavefunctions:
//
//	Hf := (1/√ρ) H(√ρ f) = −Δf − 2 ∇u·∇f − (Δu + |∇u|²) f + V f,   u = log √ρ,
//	E_ρ[f_i f_j] = ∫ ψ_i ψ_j dx,   E_ρ[f_i (Hf)_j] = ∫ ψ_i (Hψ_j) dx.
//
// This is the setting of the paper's predecessor (Ryu et al. 2024, Section E.1). The logarithm avoids dividing by √ρ,
// which underflows far from the centre. H is self-adjoint for E_ρ if the ψ vanish at infinity or at the boundary.
type Hamiltonian struct {
	Potential *Node    // V at the points, [..., B, 1]
	LogRoot   *jet.Jet // u = log √ρ, up to a constant, [..., B, 1]; nil if ρ is constant
}

// validate panics if potential or density do not fit the functions.
func (h Hamiltonian) validate(f jet.Jet) {
	const where = "operator.Hamiltonian"
	requireAlong(where, "the potential", h.Potential, f.Value)
	u := h.LogRoot
	if u == nil {
		return
	}
	if u.Dims() != f.Dims() {
		panic(fmt.Errorf("%s: log √ρ has dimension %d, want dimension %d of the functions", where, u.Dims(), f.Dims()))
	}
	requireAlong(where, "the Laplacian of log √ρ", u.Laplacian, f.Value)
	for _, slope := range u.Gradient {
		requireAlong(where, "the gradient of log √ρ", slope, f.Value)
	}
}

// Apply returns Hf in the shape of f, [..., B, k]. It panics if h does not fit f.
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

// aligned broadcasts x [..., B, 1] to the shape of f [..., B, k], adding missing leading axes.
func aligned(x *Node, f jet.Jet) *Node {
	return BroadcastToShape(ExpandLeftToRank(x, f.Value.Rank()), f.Value.Shape())
}

// Direct returns the batch for the lowest states of H as the leading states of T = −scale·H:
//
//	F = f,   TF = −scale·Hf.
//
// It is for states of negative energy, such as hydrogen's, where scale is 100 (Section C.2). To add κ,
// use [ommlx.Shifted].
func (h Hamiltonian) Direct(f jet.Jet, scale float64) ommlx.Batch {
	return ommlx.Batch{F: f.Value, TF: MulScalar(h.Apply(f), -scale)}
}

// Inverse returns the batch for the lowest states of H as the leading states of T = (scale·(H + ε))⁻¹, without
// inverting an operator: g is learned and f = scale·(H + ε)g, so that Tf = g (paper, Section 3.2, the inverse-operator
// trick and its footnote on ε),
//
//	F = scale·(Hg + εg),   TF = g.
//
// At the optimum f_i is an eigenfunction of H and g_i = f_i/(scale·(λ_i + ε)). It is for spectra without an upper
// bound; use ε > 0 if they extend to zero, else 0.
func (h Hamiltonian) Inverse(g jet.Jet, scale, epsilon float64) ommlx.Batch {
	f := h.Apply(g)
	if epsilon != 0 {
		f = Add(f, MulScalar(g.Value, epsilon))
	}
	return ommlx.Batch{F: MulScalar(f, scale), TF: g.Value}
}
