package schrodinger

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
)

// WellHalfWidth is the paper's L (appendix C.2).
const WellHalfWidth = 5.0

// Oscillator returns the harmonic oscillator H = −∇² + |x|² on ℝ^D, with quantum numbers n_1…n_D ≥ 0,
//
//	E_n = Σ_i (2n_i + 1),   ψ_n(x) = Π_i h_{n_i}(x_i),
//
// with the normalised Hermite functions h_n(x) = (2ⁿ n! √π)^{−1/2} H_n(x) e^{−x²/2}. Level N = Σ n_i is
// C(N+D−1, D−1)-fold: N+1-fold in two dimensions. Source: paper, appendix C.2; Griffiths and Schroeter 2018, section
// 2.3, in units where ħ²/2m = 1 and mω²/2 = 1.
func Oscillator(dim int) (System, error) {
	if dim < 1 {
		return System{}, fmt.Errorf("schrodinger: harmonic oscillator: dimension %d, want at least 1", dim)
	}
	return System{
		Name:        fmt.Sprintf("%dD harmonic oscillator", dim),
		Dim:         dim,
		Potential:   func(x *Node) *Node { return ReduceAndKeep(Square(x), ReduceSum, -1) },
		PotentialAt: func(x []float64) float64 { return floats.Dot(x, x) },
		series: products(dim, 0, func(n int) int { return n },
			func(level int) float64 { return float64(2*level + dim) }, hermite),
	}, nil
}

// Well returns the infinite well on [−L, L]^D, L = halfWidth > 0: V = 0 inside, ψ = 0 on the faces,
// with quantum numbers n_1…n_D ≥ 1,
//
//	E_n = π²/(4L²) Σ_i n_i²,   ψ_n(x) = Π_i L^{−1/2} sin(n_i π (x_i + L)/(2L)).
//
// States are degenerate if their Σ n_i² agree, including accidents of number theory such as 1² + 7² = 5² + 5². Source:
// paper, appendix C.2, with L = [WellHalfWidth].
func Well(dim int, halfWidth float64) (System, error) {
	if err := requireSize("infinite well", dim, "half-width", halfWidth); err != nil {
		return System{}, err
	}
	return System{
		Name:      fmt.Sprintf("%dD infinite well", dim),
		Dim:       dim,
		HalfWidth: halfWidth,
		Potential: func(x *Node) *Node { return ZerosLike(ReduceAndKeep(x, ReduceSum, -1)) },
		PotentialAt: func(x []float64) float64 {
			if floats.Norm(x, math.Inf(1)) > halfWidth {
				return math.Inf(1)
			}
			return 0
		},
		series: products(dim, 1, func(n int) int { return n * n }, func(level int) float64 {
			k := math.Pi / (2 * halfWidth)
			return k * k * float64(level)
		}, func(n int, x float64) float64 { // n half-waves between −L and L, of norm 1
			return math.Sin((x+halfWidth)*(float64(n)*math.Pi/(2*halfWidth))) * (1 / math.Sqrt(halfWidth))
		}),
	}, nil
}

// tuples returns, in lexicographic order, all (n_1, …, n_dim) with n_i ≥ least and Σ cost(n_i) = level; cost increases.
func tuples(dim, level, least int, cost func(int) int) (all [][]int) {
	if dim == 0 && level == 0 {
		return [][]int{{}}
	}
	for n := least; dim > 0 && cost(n)+(dim-1)*cost(least) <= level; n++ {
		for _, rest := range tuples(dim-1, level-cost(n), least, cost) {
			all = append(all, append([]int{n}, rest...))
		}
	}
	return all
}

// products is the closed form with the eigenfunctions Π_i factor(n_i, x_i), n_i ≥ least, and energies of the level
// Σ cost(n_i); cost increases.
func products(dim, least int, cost func(n int) int, energy func(level int) float64,
	factor func(n int, x float64) float64) *series {
	return &series{first: dim * cost(least), energy: energy,
		members: func(level int) [][]int { return tuples(dim, level, least, cost) },
		psi: func(numbers []int) func(x []float64) float64 {
			return func(x []float64) float64 {
				psi := 1.0
				for i, n := range numbers {
					psi *= factor(n, x[i])
				}
				return psi
			}
		}}
}

// hermite is h_n, by the three-term recurrence of the Hermite polynomials (DLMF, table 18.9.1) with the norms divided
// out,
//
//	h_{n+1} = √(2/(n+1)) x h_n − √(n/(n+1)) h_{n−1},   h_0 = π^{−1/4} e^{−x²/2}.
func hermite(n int, x float64) float64 {
	before, h := 0.0, math.Exp(-0.5*x*x)*math.Sqrt(1/math.SqrtPi)
	for i := range n {
		next := x * h * math.Sqrt(2/float64(i+1))
		before, h = h, next-before*math.Sqrt(float64(i)/float64(i+1))
	}
	return h
}

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
