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
// V is −Inf at the nucleus, where a ψ of zero angular momentum has a cusp: use a quadrature without x = 0.
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
			psi:    hydrogen,
		},
	}
}

func hydrogen(numbers []int) func(x []float64) float64 {
	n, l := numbers[0], numbers[1]
	m := max(l, -l)
	beta := 2 / float64(2*n+1)
	norm := beta * math.Sqrt(factorialRatio(n-m, n+m)/float64(2*n+1))
	return func(x []float64) float64 {
		u, v := beta*x[0], beta*x[1]
		t := math.Sqrt(u*u + v*v) // βr
		radial := laguerre(n-m, 2*m, t) * math.Exp(-0.5*t)
		if l == 0 {
			return radial * (1 / math.Sqrt(2*math.Pi)) * norm
		}
		power := complex(1, 0) // (u + iv)^m = t^m e^{imθ}
		for range m {
			power *= complex(u, v)
		}
		angular := real(power)
		if l < 0 {
			angular = imag(power)
		}
		return radial * angular * (1 / math.Sqrt(math.Pi)) * norm
	}
}

// factorialRatio is a!/b!.
func factorialRatio(a, b int) float64 {
	top, _ := math.Lgamma(float64(a + 1))
	bottom, _ := math.Lgamma(float64(b + 1))
	return math.Exp(top - bottom)
}

// laguerre is the Laguerre polynomial L_p^{(α)}(t) by its three-term recurrence (DLMF, table 18.9.1),
//
//	(i+1) L_{i+1} = (2i + 1 + α − t) L_i − (i + α) L_{i−1},   L_0 = 1.
func laguerre(p, alpha int, t float64) float64 {
	before, l := 0.0, 1.0
	for i := range p {
		next := (float64(2*i+1+alpha) - t) * l * (1 / float64(i+1))
		before, l = l, next-before*(float64(i+alpha)/float64(i+1))
	}
	return l
}
