package schrodinger

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// Sampler draws training points from a density ρ on ℝ^D.
type Sampler interface {
	// Validate returns an error if a parameter of the sampler is out of range.
	Validate() error
	// Sample draws a batch for each of R runs, [R, batch, D].
	Sample(random *train.Random, dtype dtypes.DType, batch int) *Node
	// LogDensity is log ρ: x = [jet.Inputs] of coordinates [..., B, D], the result is [..., B, 1]. It panics if D does
	// not fit.
	LogDensity(x jet.Jet) jet.Jet
}

// LogRoot is u = log √ρ at points x [..., B, D] with its derivatives, [..., B, 1]. Unlike √ρ it does not underflow far
// out. √ρ is the factor in ψ = √ρ f: then E_ρ[f_i f_j] = ∫ ψ_i ψ_j (NeuralSVD, Ryu et al. 2024, appendix E.1).
func LogRoot(s Sampler, x *Node) *jet.Jet {
	u := jet.Scale(s.LogDensity(jet.Inputs(x)), 0.5)
	return &u
}

// requireSize returns an error unless a dimension and a length are positive and finite.
func requireSize(of string, dim int, name string, length float64) error {
	if dim < 1 || !(length > 0) || math.IsInf(length, 0) {
		return fmt.Errorf("schrodinger: %s: dimension %d, %s %v, want positive, finite numbers", of, dim, name, length)
	}
	return nil
}

func requireDim(name string, dim int, x jet.Jet) {
	if x.Dims() != dim {
		panic(fmt.Errorf("schrodinger: points have dimension %d, want %d for %s samples", x.Dims(), dim, name))
	}
}

// Uniform samples from the box [−L, L)^D, ρ = (2L)^{−D} with L = HalfWidth; the paper's infinite well (appendix C.2)
// has L = [WellHalfWidth]. For other boxes use [Lattice].
type Uniform struct {
	Dim       int     // D
	HalfWidth float64 // L > 0, a length
}

// Validate returns an error if Dim or HalfWidth is not positive and finite.
func (u Uniform) Validate() error {
	return requireSize("uniform samples", u.Dim, "half-width", u.HalfWidth)
}

// Sample draws points of the box, [R, batch, D].
func (u Uniform) Sample(random *train.Random, dtype dtypes.DType, batch int) *Node {
	return AddScalar(MulScalar(random.Uniform(dtype, batch, u.Dim), 2*u.HalfWidth), -u.HalfWidth)
}

// LogDensity is the constant −D log(2L), its value inside the box, even at points outside.
func (u Uniform) LogDensity(x jet.Jet) jet.Jet {
	requireDim("uniform", u.Dim, x)
	logarithm := -float64(u.Dim) * math.Log(2*u.HalfWidth)
	return jet.Constant(AddScalar(ZerosLike(x.Column(0).Value), logarithm), u.Dim)
}

// Gaussian samples from
//
//	ρ(x) = (2πσ²)^{−D/2} exp(−|x|²/(2σ²)),   σ = Sigma, the standard deviation of every coordinate.
//
// The paper (appendix C.2) has N(0, 16 I) for hydrogen and N(0, 4 I) for the oscillator. The script of NeuralSVD has
// the standard deviations 16 for its 2D hydrogen and 4 for its oscillator.
type Gaussian struct {
	Dim   int     // D
	Sigma float64 // σ > 0, a length
}

// Validate returns an error if Dim or Sigma is not positive and finite.
func (g Gaussian) Validate() error {
	return requireSize("Gaussian samples", g.Dim, "standard deviation", g.Sigma)
}

// Sample draws σ times standard normals, [R, batch, D].
func (g Gaussian) Sample(random *train.Random, dtype dtypes.DType, batch int) *Node {
	return MulScalar(random.Normal(dtype, batch, g.Dim), g.Sigma)
}

// LogDensity is −|x|²/(2σ²) − D/2 log(2πσ²).
func (g Gaussian) LogDensity(x jet.Jet) jet.Jet {
	requireDim("Gaussian", g.Dim, x)
	variance := g.Sigma * g.Sigma
	square := jet.Mul(x, x).Map(func(x *Node) *Node { return ReduceAndKeep(x, ReduceSum, -1) })
	return jet.Shift(jet.Scale(square, -0.5/variance), -0.5*float64(g.Dim)*math.Log(2*math.Pi*variance))
}

// Lattice samples a box evenly: a batch of N points is the rank-1 lattice of Korobov's form, shifted as a whole by a
// random vector u that is uniform on the unit cube,
//
//	x_d = Lower_d + (Upper_d − Lower_d) · frac(i a^{d−1}/N + u_d),   i = 0 … N−1.
//
// Every point is uniform, so means over a batch are unbiased, as with [Uniform]. Their error falls faster than N^{−1/2}
// for smooth functions that are periodic in the box, such as wavefunctions, which vanish on its faces. In high
// dimension it is in practice no worse than with independent samples.
//
// The multiplier a minimises the mean square error over the shift in the space of functions with one square-integrable
// mixed derivative, P_2 (Sloan and Joe 1994, Lattice Methods for Multiple Integration, chapters 4 and 5; Cranley and
// Patterson 1976 for the shift).
type Lattice struct{ net.Box }

// Volume is the volume of the box.
func (l Lattice) Volume() float64 {
	return floats.Prod(floats.SubTo(make([]float64, len(l.Lower)), l.Upper, l.Lower))
}

// Sample draws lattices of batch points, [R, batch, D].
func (l Lattice) Sample(random *train.Random, dtype dtypes.DType, batch int) *Node {
	shift := random.Uniform(dtype, 1, len(l.Lower))
	g, runs := shift.Graph(), shift.Shape().Dim(0)
	number := Iota(g, shapes.Make(dtypes.Int32, runs, batch, 1), 1)
	columns := make([]*Node, len(l.Lower))
	for d, generator := range korobov(batch, len(l.Lower)) {
		// i·a < 2³¹ by the bound on batch.
		cell := Mod(MulScalar(number, int32(generator)), Scalar(g, dtypes.Int32, batch))
		u := DivScalar(ConvertDType(cell, dtype), float64(batch))
		u = Add(u, BroadcastToShape(Slice(shift, AxisRange(), AxisRange(), AxisElem(d)), u.Shape()))
		u = Sub(u, Floor(u))
		columns[d] = AddScalar(MulScalar(u, l.Upper[d]-l.Lower[d]), l.Lower[d])
	}
	return Concatenate(columns, -1)
}

// Points returns the lattice of n points with u = 1/2n, one row each.
func (l Lattice) Points(n int) [][]float64 {
	points := make([][]float64, n)
	generators := korobov(n, len(l.Lower))
	for i := range points {
		points[i] = make([]float64, len(l.Lower))
		for d, a := range generators {
			u := (float64(i*a%n) + 0.5) / float64(n)
			points[i][d] = l.Lower[d] + u*(l.Upper[d]-l.Lower[d])
		}
	}
	return points
}

const (
	// MaxLattice is the largest number of points, so that products of two such numbers fit in int32.
	MaxLattice = 1 << 15
	// korobovWork bounds the search for a multiplier, in evaluations of one factor at one point. It takes 20 ms.
	korobovWork = 1 << 22
)

// korobov returns 1, a, a², …, a^{D−1} modulo n for the multiplier a with the smallest
//
//	P_2 = −1 + 1/n Σ_i Π_d (1 + 2π² B_2(frac(i a^{d−1}/n))),   B_2(y) = y² − y + 1/6,
//
// among all multipliers, or among some of them if n is large. It panics if n is out of range.
func korobov(n, dim int) []int {
	if n < 1 || n > MaxLattice {
		panic(fmt.Errorf("schrodinger: lattice of %d points, want 1 to %d", n, MaxLattice))
	}
	factor := make([]float64, n)
	for i := range factor {
		y := float64(i) / float64(n)
		factor[i] = 1 + 2*math.Pi*math.Pi*(y*y-y+1./6)
	}
	best, least := 1, math.Inf(1)
	for c := 1; c < n && dim > 1 && c*n*dim <= korobovWork; c++ {
		a := c
		if (n-1)*n*dim > korobovWork { // spread evenly, since small multipliers make bad lattices
			_, part := math.Modf(float64(c) * math.Phi)
			a = 1 + int(part*float64(n-1))
		}
		sum := 0.0
		for i := range n {
			product, at := 1.0, i
			for range dim {
				product *= factor[at]
				at = at * a % n
			}
			sum += product
		}
		if sum < least {
			best, least = a, sum
		}
	}
	generators := []int{1 % n}
	for d := 1; d < dim; d++ {
		generators = append(generators, generators[d-1]*best%n)
	}
	return generators
}
