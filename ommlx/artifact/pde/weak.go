package pde

import (
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/operator"
)

// weak is [operator.Hamiltonian.Direct] without second derivatives, which is not in the paper. Since ∫ ψ_i (−∇²ψ_j) = ∫
// ∇ψ_i·∇ψ_j for ψ that vanish at infinity or at the boundary, with ψ = √ρ·f,
//
//	M[f,Tf]_ij = −scale·E_ρ[Σ_d (∂_d f_i + f_i ∂_d u)(∂_d f_j + f_j ∂_d u) + V f_i f_j] + shift·M[f],   u = log √ρ,
//
// which is symmetric for every batch, while the strong form is symmetric only in expectation, and needs only the
// network's value and gradient. For objectives that train through Tf, such as OMM and LoRA, a step of the paper's
// hydrogen network takes 0.7 to 0.85 times as long; for Sanger's rule it takes at least 1.4 times as long.
//
// The weak form has more noise: it balances kinetic and potential energy only in the mean, whereas the strong form has
// Hf = λf at every point for an eigenfunction. For hydrogen the variance of V f² is infinite if ψ does not vanish at
// the nucleus.
//
// The D + 1 products are the rows of F and TF, one below the other; Overlap has f itself.
func weak(h operator.Hamiltonian, f jet.Jet, scale, shift float64) ommlx.Batch {
	var left, right []*Node
	times := func(x, f *Node) *Node { // x [..., B, 1]
		return Mul(BroadcastToShape(ExpandLeftToRank(x, f.Rank()), f.Shape()), f)
	}
	for d, slope := range f.Gradient {
		if u := h.LogRoot; u != nil {
			slope = Add(slope, times(u.Gradient[d], f.Value))
		}
		left, right = append(left, slope), append(right, slope)
	}
	potential := AddScalar(h.Potential, -shift/scale)
	left, right = append(left, f.Value), append(right, times(potential, f.Value))
	terms := float64(len(left)) // a mean over all rows divides by their number
	return ommlx.Batch{F: Concatenate(left, -2), TF: MulScalar(Concatenate(right, -2), -scale*terms),
		Overlap: []*Node{f.Value}}
}
