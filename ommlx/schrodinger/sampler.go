package schrodinger

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/jet"
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
