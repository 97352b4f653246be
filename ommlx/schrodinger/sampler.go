package schrodinger

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx/jet"
)

// Random draws random numbers of shape [R, dims…] in a graph, as the Random of package train does.
type Random interface {
	Normal(dtype dtypes.DType, dims ...int) *Node  // standard normal
	Uniform(dtype dtypes.DType, dims ...int) *Node // in [0, 1)
}

// Sampler draws training points from a density ρ on ℝ^D.
type Sampler interface {
	// Validate returns an error when a number of the sampler makes no sense.
	Validate() error
	// Sample draws a batch for each of R runs, [R, batch, D].
	Sample(random Random, dtype dtypes.DType, batch int) *Node
	// LogDensity is log ρ: x = [jet.Inputs] of coordinates [..., B, D], the result is [..., B, 1]. It panics when D
	// does not fit.
	LogDensity(x jet.Jet) jet.Jet
}

// LogRoot is u = log √ρ at points x [..., B, D] with its derivatives, [..., B, 1]: what operator.Hamiltonian takes, and
// what does not underflow far out.
func LogRoot(s Sampler, x *Node) *jet.Jet {
	u := jet.Scale(s.LogDensity(jet.Inputs(x)), 0.5)
	return &u
}

// RootDensity is √ρ, [..., B, 1], the factor in ψ = √ρ f: then E_ρ[f_i f_j] = ∫ ψ_i ψ_j (NeuralSVD, Ryu et al. 2024,
// appendix E.1). x as in LogDensity.
func RootDensity(s Sampler, x jet.Jet) jet.Jet { return jet.Exp(jet.Scale(s.LogDensity(x), 0.5)) }

func requireDim(name string, dim int, x jet.Jet) {
	if x.Dims() != dim {
		panic(fmt.Errorf("the density of %s samples in dimension %d cannot be taken at points of dimension %d",
			name, dim, x.Dims()))
	}
}

// row is one number for each axis, to be combined with coordinates [..., B, D].
func row(x *Node, numbers []float64) *Node { return ExpandLeftToRank(ConstAs(x, numbers), x.Rank()) }

// Uniform samples from the box [−L, L)^D, ρ = (2L)^{−D} with L = HalfWidth; the paper's infinite well (appendix C.2)
// has L = [WellHalfWidth]. For other boxes there is [Lattice].
type Uniform struct {
	Dim       int     // D
	HalfWidth float64 // L > 0, a length
}

// Validate returns an error when Dim or HalfWidth is not positive and finite.
func (u Uniform) Validate() error {
	if u.Dim < 1 || !(u.HalfWidth > 0) || math.IsInf(u.HalfWidth, 0) {
		return fmt.Errorf("uniform samples were asked for in dimension %d with half-width %v; "+
			"both must be positive and finite", u.Dim, u.HalfWidth)
	}
	return nil
}

// Sample draws points of the box, [R, batch, D].
func (u Uniform) Sample(random Random, dtype dtypes.DType, batch int) *Node {
	return AddScalar(MulScalar(random.Uniform(dtype, batch, u.Dim), 2*u.HalfWidth), -u.HalfWidth)
}

// LogDensity is the constant −D log(2L), its value inside the box, also at points outside.
func (u Uniform) LogDensity(x jet.Jet) jet.Jet {
	requireDim("uniform", u.Dim, x)
	logarithm := -float64(u.Dim) * math.Log(2*u.HalfWidth)
	return jet.Constant(AddScalar(ZerosLike(x.Column(0).Value), logarithm), u.Dim)
}

// Gaussian samples from
//
//	ρ(x) = (2πσ²)^{−D/2} exp(−|x|²/(2σ²)),   σ = Sigma, the standard deviation of every coordinate,
//
// or, with a Centre c or a standard deviation σ_d for each axis, from
//
//	ρ(x) = Π_d (2πσ_d²)^{−1/2} exp(−(x_d − c_d)²/(2σ_d²)).
//
// The paper (appendix C.2) prints N(0, 16 I) for hydrogen and N(0, 4 I) for the oscillator. The script of NeuralSVD for
// its 2D hydrogen has 16 as the standard deviation, and 4 for its oscillator.
type Gaussian struct {
	Dim    int       // D
	Sigma  float64   // σ > 0, a length; 0 where Sigmas are given
	Sigmas []float64 // σ_d > 0 for each axis, in place of Sigma
	Centre []float64 // c, D coordinates; nil is the origin
}

// Validate returns an error when a number is missing, or is not positive and finite.
func (g Gaussian) Validate() error {
	switch {
	case g.Sigmas != nil && g.Sigma != 0:
		return fmt.Errorf("Gaussian samples were given both Sigma, %v, and Sigmas, %v; give one of them",
			g.Sigma, g.Sigmas)
	case g.Sigmas != nil && len(g.Sigmas) != g.Dim:
		return fmt.Errorf("Gaussian samples in dimension %d were given %d standard deviations; give one for each axis",
			g.Dim, len(g.Sigmas))
	case g.Centre != nil && len(g.Centre) != g.Dim:
		return fmt.Errorf("Gaussian samples in dimension %d were given a centre of %d coordinates; give one per axis",
			g.Dim, len(g.Centre))
	}
	centre, sigmas := g.axes()
	for d, sigma := range sigmas {
		if !(sigma > 0) || math.IsInf(sigma, 0) {
			return g.unusable(sigma)
		}
		if c := centre[d]; math.IsNaN(c) || math.IsInf(c, 0) {
			return fmt.Errorf("the centre of Gaussian samples is %v on axis %d; it must be finite", c, d)
		}
	}
	if g.Dim < 1 {
		return g.unusable(g.Sigma)
	}
	return nil
}

func (g Gaussian) unusable(sigma float64) error {
	return fmt.Errorf("Gaussian samples were asked for in dimension %d with standard deviation %v; "+
		"both must be positive and finite", g.Dim, sigma)
}

// axes returns c and σ_d.
func (g Gaussian) axes() (centre, sigmas []float64) {
	centre, sigmas = g.Centre, g.Sigmas
	if centre == nil {
		centre = make([]float64, max(0, g.Dim))
	}
	if sigmas == nil {
		sigmas = make([]float64, max(0, g.Dim))
		floats.AddConst(g.Sigma, sigmas)
	}
	return centre, sigmas
}

// round reports that there is one width, and the origin for a centre.
func (g Gaussian) round() bool { return g.Centre == nil && g.Sigmas == nil }

// Sample draws c_d plus σ_d times standard normals, [R, batch, D].
func (g Gaussian) Sample(random Random, dtype dtypes.DType, batch int) *Node {
	z := random.Normal(dtype, batch, g.Dim)
	if g.round() {
		return MulScalar(z, g.Sigma)
	}
	centre, sigmas := g.axes()
	return Add(Mul(z, row(z, sigmas)), row(z, centre))
}

// LogDensity is −Σ_d (x_d − c_d)²/(2σ_d²) − ½ Σ_d log(2πσ_d²).
func (g Gaussian) LogDensity(x jet.Jet) jet.Jet {
	requireDim("Gaussian", g.Dim, x)
	sum := func(x *Node) *Node { return ReduceAndKeep(x, ReduceSum, -1) }
	if g.round() {
		variance := g.Sigma * g.Sigma
		square := jet.Mul(x, x).Map(sum)
		return jet.Shift(jet.Scale(square, -0.5/variance), -0.5*float64(g.Dim)*math.Log(2*math.Pi*variance))
	}
	centre, sigmas := g.axes()
	inverse, logarithms := make([]float64, g.Dim), 0.0
	for d, sigma := range sigmas {
		inverse[d] = 1 / sigma
		logarithms += math.Log(2 * math.Pi * sigma * sigma)
	}
	z := jet.Standardise(x, centre, inverse)
	return jet.Shift(jet.Scale(jet.Mul(z, z).Map(sum), -0.5), -0.5*logarithms)
}
