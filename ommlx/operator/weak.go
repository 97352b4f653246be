package operator

import (
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
)

// Weak is [Hamiltonian.Direct] without second derivatives, beyond the paper: as ∫ ψ_i (−∇²ψ_j) = ∫ ∇ψ_i·∇ψ_j for ψ that
// vanish at infinity or at the boundary, with ψ = √ρ·f,
//
//	M[f,Tf]_ij = −scale·E_ρ[Σ_d (∂_d f_i + f_i ∂_d u)(∂_d f_j + f_j ∂_d u) + V f_i f_j],   u = log √ρ,
//
// which is symmetric for every batch, where the strong form is so in expectation only, and needs the network's value
// and gradient alone. Where an objective trains through Tf, as OMM and LoRA do, a step takes 0.7 to 0.85 times as long;
// Sanger's rule does not, and has no gradient to propagate through derivatives in the strong form: there it takes 1.4
// times as long and more (processor time, the paper's hydrogen network, with which 1,024 frequencies or 128 make little
// difference).
//
// What it changes is the noise. At an eigenfunction the strong form has Hf = λf at every point, and M[f,Tf] − λM[f] is
// zero for every batch; this form balances kinetic and potential energy in the mean only, and for hydrogen the variance
// of V f² is infinite if ψ does not vanish at the nucleus.
func (h Hamiltonian) Weak(f jet.Jet, scale float64) ommlx.Batch {
	h.validate(f)
	b := ommlx.Batch{F: f.Value}
	pair := func(left, right *Node) {
		b.Form = append(b.Form, ommlx.Term{Left: left, Right: MulScalar(right, -scale)})
	}
	for d, slope := range f.Gradient {
		if u := h.LogRoot; u != nil {
			slope = Add(slope, Mul(aligned(u.Gradient[d], f), f.Value))
		}
		pair(slope, slope)
	}
	pair(f.Value, Mul(aligned(h.Potential, f), f.Value))
	return b
}
