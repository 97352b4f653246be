package schrodinger

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

// radii is the number of points along the radius.
const radii = 400

// symmetric is how much the potential may miss the form that is asked for, relative to its largest value: some digits
// of float32.
const symmetric = 1e-5

// Radial returns the k lowest energies, ascending, of a potential of |x| alone on the disc |x| ≤ radius in the plane,
// ψ = 0 on its edge: of
//
//	−(1/r)(r u')' + (ℓ²/r² + V)u = Eu,   ψ = u(r) cos ℓθ, u(r) sin ℓθ,   ℓ = 0, 1, …,
//
// by differences at 400 radii. Their error falls as the square of the spacing where V is smooth.
//
// An error says that the system is not in the plane, that the potential depends on the direction, or that k or the
// radius makes no sense.
func (s System) Radial(b compute.Backend, radius float64, k int) ([]float64, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Dim != 2 || k < 1 || k > radii || !(radius > 0) || math.IsInf(radius, 0) {
		return nil, fmt.Errorf("%d energies by radius up to %g were asked for of the %s in dimension %d; "+
			"ask for 1 to %d in dimension 2, up to a positive radius", k, radius, s.Name, s.Dim, radii)
	}
	h := radius / radii
	r := make([]float64, radii)
	var points, turned [][]float64
	for i := range r {
		r[i] = (float64(i) + 0.5) * h
		points, turned = append(points, []float64{r[i], 0}), append(turned, []float64{-0.6 * r[i], 0.8 * r[i]})
	}
	v, err := s.potentialAt(b, append(points, turned...))
	if err != nil {
		return nil, err
	}
	if !floats.EqualApprox(v[:radii], v[radii:], symmetric*floats.Norm(v, math.Inf(1))) {
		return nil, fmt.Errorf("the potential of the %s depends on the direction; it has no radial equation", s.Name)
	}
	var all []float64
	for l := range k/2 + 1 { // every ℓ > 0 gives pairs
		line := mat.NewSymDense(radii, nil) // for √r u, which makes it symmetric
		for i := range r {
			line.SetSym(i, i, 2/(h*h)+float64(l*l)/(r[i]*r[i])+v[i])
			if i > 0 {
				line.SetSym(i-1, i, -(r[i]-h/2)/(h*h*math.Sqrt(r[i-1]*r[i])))
			}
		}
		truth, err := spectral.SymEigen(line)
		if err != nil {
			return nil, fmt.Errorf("solving the radial equation of the %s: %w", s.Name, err)
		}
		lowest := truth.Values[radii-k:]
		all = append(all, lowest...)
		if l > 0 {
			all = append(all, lowest...)
		}
	}
	slices.Sort(all)
	return all[:k], nil
}

// Separable returns the k lowest energies, ascending, of a potential V(x) = Σ_d V_d(x_d) in a box with ψ = 0 on its
// faces: sums of those in one dimension, by differences at 255 points of each axis.
//
// An error says that the potential is not such a sum, or what else does not fit.
func (s System) Separable(b compute.Backend, box net.Box, k int) ([]float64, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := box.Validate(); err != nil {
		return nil, err
	}
	if len(box.Lower) != s.Dim || k < 1 {
		return nil, fmt.Errorf("%d energies of the %s were asked for in a box of dimension %d; "+
			"ask for at least 1, in dimension %d", k, s.Name, len(box.Lower), s.Dim)
	}
	// A point anywhere in the box, and others with all of their coordinates and with one of them.
	points := Lattice{box}.Points(scalePoints)
	through := points[0]
	lines := slices.Clone(points)
	for _, x := range points {
		for d, c := range x {
			one := slices.Clone(through)
			one[d] = c
			lines = append(lines, one)
		}
	}
	v, err := s.potentialAt(b, lines)
	if err != nil {
		return nil, err
	}
	off := 0.0
	for i := range points {
		sum := floats.Sum(v[len(points)+i*s.Dim:][:s.Dim]) - float64(s.Dim-1)*v[0]
		off = max(off, math.Abs(v[i]-sum))
	}
	if off > symmetric*floats.Norm(v, math.Inf(1)) {
		return nil, fmt.Errorf("the potential of the %s is not a sum of functions of one coordinate each", s.Name)
	}
	sums, err := s.separable(b, box, through, v[0], k)
	floats.AddConst(v[0], sums)
	return sums, err
}

// WellHalfWidth is the paper's L (appendix C.2).
const WellHalfWidth = 5.0

// Oscillator returns the harmonic oscillator H = −∇² + |x|² on ℝ^D, with quantum numbers n_1…n_D ≥ 0,
//
//	E_n = Σ_i (2n_i + 1),   ψ_n(x) = Π_i h_{n_i}(x_i),
//
// h_n being the normalised Hermite functions, h_n(x) = (2ⁿ n! √π)^{−1/2} H_n(x) e^{−x²/2}. Level N = Σ n_i is
// C(N+D−1, D−1)-fold: N+1-fold in two dimensions. Source: paper, appendix C.2; Griffiths and Schroeter 2018, section
// 2.3, in units where ħ²/2m = 1 and mω²/2 = 1.
func Oscillator(dim int) (System, error) {
	if dim < 1 {
		return System{}, fmt.Errorf("harmonic oscillator: dimension %d; it must be positive", dim)
	}
	return System{
		Name: fmt.Sprintf("%dD harmonic oscillator", dim),
		Dim:  dim,
		Potential: func(x *Node) *Node {
			return ReduceAndKeep(Square(x), ReduceSum, -1)
		},
		PotentialAt: func(x []float64) float64 { return square(x) },
		series: &series{
			first:   0,
			members: func(level int) [][]int { return tuples(dim, level, 0, func(n int) int { return n }) },
			energy:  func(level int) float64 { return float64(2*level + dim) },
			onHost:  product(hermite[real]),
			onJets:  product(hermite[wave]),
		},
	}, nil
}

// Well returns the infinite well on [−L, L]^D, L = halfWidth > 0: V = 0 inside, ψ = 0 on the faces,
// with quantum numbers n_1…n_D ≥ 1,
//
//	E_n = π²/(4L²) Σ_i n_i²,   ψ_n(x) = Π_i L^{−1/2} sin(n_i π (x_i + L)/(2L)).
//
// States are degenerate when their Σ n_i² agree, also by accident of number theory, as 1² + 7² = 5² + 5². Source:
// paper, appendix C.2, where L = [WellHalfWidth].
func Well(dim int, halfWidth float64) (System, error) {
	if dim < 1 || !(halfWidth > 0) || math.IsInf(halfWidth, 0) {
		return System{}, fmt.Errorf("infinite well: dimension %d, half-width %v; both must be positive and finite", dim,
			halfWidth)
	}
	return System{
		Name:      fmt.Sprintf("%dD infinite well", dim),
		Dim:       dim,
		HalfWidth: halfWidth,
		Potential: func(x *Node) *Node { return ZerosLike(ReduceAndKeep(x, ReduceSum, -1)) },
		PotentialAt: func(x []float64) float64 {
			for _, v := range x {
				if math.Abs(v) > halfWidth {
					return math.Inf(1)
				}
			}
			return 0
		},
		series: &series{
			first:   dim,
			members: func(level int) [][]int { return tuples(dim, level, 1, func(n int) int { return n * n }) },
			energy: func(level int) float64 {
				k := math.Pi / (2 * halfWidth)
				return k * k * float64(level)
			},
			onHost: product(standing[real](halfWidth)),
			onJets: product(standing[wave](halfWidth)),
		},
	}, nil
}

func square(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

// tuples returns, in lexicographic order, all (n_1, …, n_dim) with n_i ≥ least and Σ cost(n_i) = level; cost increases.
func tuples(dim, level, least int, cost func(int) int) (all [][]int) {
	numbers := make([]int, dim)
	var extend func(i, left int)
	extend = func(i, left int) {
		if i == dim {
			if left == 0 {
				all = append(all, slices.Clone(numbers))
			}
			return
		}
		for n := least; cost(n)+(dim-1-i)*cost(least) <= left; n++ {
			numbers[i] = n
			extend(i+1, left-cost(n))
		}
	}
	extend(0, level)
	return all
}

// product makes an eigenfunction in D dimensions from those in one, Π_i factor(n_i, x_i).
func product[T number[T]](factor func(n int, x T) T) func(numbers []int) func(x []T) T {
	return func(numbers []int) func(x []T) T {
		return func(x []T) T {
			psi := factor(numbers[0], x[0])
			for i := 1; i < len(numbers); i++ {
				psi = psi.times(factor(numbers[i], x[i]))
			}
			return psi
		}
	}
}

// standing is a sine with n half-waves between −L and L, of norm 1.
func standing[T number[T]](halfWidth float64) func(n int, x T) T {
	return func(n int, x T) T {
		k := float64(n) * math.Pi / (2 * halfWidth)
		return x.shift(halfWidth).scale(k).sin().scale(1 / math.Sqrt(halfWidth))
	}
}

// hermite is h_n, by the three-term recurrence of the Hermite polynomials (DLMF, table 18.9.1) with the norms divided
// out,
//
//	h_{n+1} = √(2/(n+1)) x h_n − √(n/(n+1)) h_{n−1},   h_0 = π^{−1/4} e^{−x²/2}.
func hermite[T number[T]](n int, x T) T {
	h := x.times(x).scale(-0.5).exp().scale(math.Sqrt(1 / math.SqrtPi))
	var before T
	for i := range n {
		next := x.times(h).scale(math.Sqrt(2 / float64(i+1)))
		if i > 0 {
			next = next.plus(before.scale(-math.Sqrt(float64(i) / float64(i+1))))
		}
		before, h = h, next
	}
	return h
}
