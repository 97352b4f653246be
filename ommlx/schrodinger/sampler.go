package schrodinger

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

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
