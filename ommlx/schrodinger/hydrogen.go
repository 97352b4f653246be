package schrodinger

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
)

// Hydrogen returns the hydrogen atom H = −∇² − 1/|x| in two dimensions. The quantum numbers are n ≥ 0 and −n ≤ ℓ ≤ n,
// 2n+1 states for each n. With r = |x|, β = 2/(2n+1) and real angular functions
//
//	E_n = −1/(2n+1)²,
//	ψ_nℓ = β √((n−|ℓ|)! / ((2n+1) (n+|ℓ|)!)) (βr)^|ℓ| e^{−βr/2} L^{(2|ℓ|)}_{n−|ℓ|}(βr) Θ_ℓ(θ),
//
// with Θ_0 = 1/√(2π), Θ_ℓ = cos(ℓθ)/√π for ℓ > 0 and sin(|ℓ|θ)/√π for ℓ < 0. Source: paper, section 3.2, for the
// energies; Yang, Guo, Chan, Wong and Ching 1991 (Analytic solution of a two-dimensional hydrogen atom, Phys. Rev. A
// 43, 1186).
//
// V is −Inf at the nucleus, and the jet of a ψ of zero angular momentum is not finite there, because of its cusp: use a
// quadrature without x = 0.
func Hydrogen() System {
	return System{
		Name:        "2D hydrogen atom",
		Dim:         2,
		Potential:   func(x *Node) *Node { return Neg(Reciprocal(Sqrt(ReduceAndKeep(Square(x), ReduceSum, -1)))) },
		PotentialAt: func(x []float64) float64 { return -1 / floats.Norm(x, 2) },
		series: &series{
			first: 0,
			members: func(n int) (all [][]int) {
				for l := -n; l <= n; l++ {
					all = append(all, []int{n, l})
				}
				return all
			},
			energy: func(n int) float64 { return -1 / float64((2*n+1)*(2*n+1)) },
			onHost: hydrogen[real],
			onJets: hydrogen[wave],
		},
	}
}

func hydrogen[T number[T]](numbers []int) func(x []T) T {
	n, l := numbers[0], numbers[1]
	m := max(l, -l)
	beta := 2 / float64(2*n+1)
	norm := beta * math.Sqrt(factorialRatio(n-m, n+m)/float64(2*n+1))
	return func(x []T) T {
		u, v := x[0].scale(beta), x[1].scale(beta)
		t := u.times(u).plus(v.times(v)).sqrt() // βr
		psi := laguerre(n-m, 2*m, t).times(t.scale(-0.5).exp())
		return azimuthal(psi, u, v, l).scale(norm)
	}
}

// factorialRatio is a!/b!.
func factorialRatio(a, b int) float64 {
	top, _ := math.Lgamma(float64(a + 1))
	bottom, _ := math.Lgamma(float64(b + 1))
	return math.Exp(top - bottom)
}

// azimuthal is psi times s^|m| Θ_m(φ) with (u, v) = s (cos φ, sin φ), Θ normalised on the circle: a polynomial in u and
// v, since s^m e^{imφ} = (u + iv)^m.
func azimuthal[T number[T]](psi, u, v T, m int) T {
	if m == 0 {
		return psi.scale(1 / math.Sqrt(2*math.Pi))
	}
	cos, sin := u, v
	for range max(m, -m) - 1 {
		cos, sin = u.times(cos).plus(v.times(sin).scale(-1)), u.times(sin).plus(v.times(cos))
	}
	if m < 0 {
		cos = sin
	}
	return psi.times(cos).scale(1 / math.Sqrt(math.Pi))
}

// laguerre is the Laguerre polynomial L_p^{(α)}(t) by its three-term recurrence (DLMF, table 18.9.1),
//
//	(i+1) L_{i+1} = (2i + 1 + α − t) L_i − (i + α) L_{i−1},   L_0 = 1.
func laguerre[T number[T]](p, alpha int, t T) T {
	before, l := t.scale(0), t.scale(0).shift(1)
	for i := range p {
		next := t.scale(-1).shift(float64(2*i + 1 + alpha)).times(l).scale(1 / float64(i+1))
		before, l = l, next.plus(before.scale(-float64(i+alpha)/float64(i+1)))
	}
	return l
}
