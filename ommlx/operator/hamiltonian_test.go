package operator_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/operator"
)

// radius2 is |x|² as a jet, [B, 1].
func radius2(x *Node) jet.Jet {
	in := jet.Inputs(x)
	sum := jet.Mul(in.Column(0), in.Column(0))
	for d := 1; d < in.Dims(); d++ {
		sum = jet.Add(sum, jet.Mul(in.Column(d), in.Column(d)))
	}
	return sum
}

// TestHamiltonianOfTheOscillator: in D dimensions H = −∇² + |x|² has the states exp(−|x|²/2) and x₁exp(−|x|²/2) with
// the energies D and D + 2, for any density of the points, even where √ρ underflows.
func TestHamiltonianOfTheOscillator(t *testing.T) {
	const n = 40
	rng := testkit.NewRand(2)
	for _, dims := range []int{1, 2, 3} {
		x := tensors.FromFlatDataAndDimensions(testkit.Gaussian(rng, n, dims).Scaled(2).Data, n, dims)
		far := tensors.FromFlatDataAndDimensions(append(make([]float64, dims-1), 120), 1, dims)
		for _, sigma := range []float64{0, math.Sqrt(0.5), 1.7} { // 0: uniform
			states := func(x *Node) (operator.Hamiltonian, jet.Jet) {
				r2 := radius2(x)
				h := operator.Hamiltonian{Potential: r2.Value}
				exponent := jet.Scale(r2, -0.5)
				if sigma > 0 {
					u := jet.Scale(r2, -1/(4*sigma*sigma))
					h.LogRoot = &u
					exponent = jet.Add(exponent, jet.Scale(u, -1)) // ψ/√ρ
				}
				ground := jet.Exp(exponent)
				return h, jet.Concatenate(ground, jet.Mul(jet.Inputs(x).Column(0), ground))
			}
			out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
				h, f := states(in[0])
				direct, inverse := h.Direct(f, 100), h.Inverse(f, 0.5, 3)
				return []*Node{f.Value, h.Apply(f), direct.F, direct.TF, inverse.F, inverse.TF}
			}).Numbers(t, x)
			for i := range n {
				for s, energy := range []float64{float64(dims), float64(dims) + 2} {
					f := out[0][2*i+s]
					assert.InDelta(t, energy*f, out[1][2*i+s], 1e-10*math.Max(1, math.Abs(f)))
					assert.Equal(t, f, out[2][2*i+s])
					assert.InDelta(t, -100*energy*f, out[3][2*i+s], 1e-8*math.Max(1, math.Abs(f)))
					assert.InDelta(t, 0.5*(energy+3)*f, out[4][2*i+s], 1e-9*math.Max(1, math.Abs(f)))
					assert.Equal(t, f, out[5][2*i+s])
				}
			}
			if sigma != math.Sqrt(0.5) {
				continue
			}
			// Here ψ/√ρ of the ground state is 1 everywhere, even where √ρ underflows.
			out = testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
				h, f := states(in[0])
				return []*Node{h.Apply(f)}
			}).Numbers(t, far)
			assert.InDelta(t, float64(dims), out[0][0], 1e-9)
		}
	}
}
