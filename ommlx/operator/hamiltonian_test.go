package operator_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
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
		x := testkit.Gaussian(rng, n, dims).Scaled(2)
		x.Data[dims-1] = 120 // a point that is far from 0
		levels := []float64{float64(dims), float64(dims) + 2}
		for _, sigma := range []float64{0, math.Sqrt(0.5), 1.7} { // 0: uniform; √0.5: ψ/√ρ of the ground state is 1
			out := testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
				r2 := radius2(in[0])
				h := operator.Hamiltonian{Potential: r2.Value}
				exponent := jet.Scale(r2, -0.5)
				if sigma > 0 {
					u := jet.Scale(r2, -1/(4*sigma*sigma))
					h.LogRoot = &u
					exponent = jet.Add(exponent, jet.Scale(u, -1)) // ψ/√ρ
				}
				ground := jet.Exp(exponent)
				f := jet.Concatenate(ground, jet.Mul(jet.Inputs(in[0]).Column(0), ground))
				direct, inverse := h.Direct(f, 100), h.Inverse(f, 0.5, 3)
				return []*Node{f.Value, h.Apply(f), direct.F, direct.TF, inverse.F, inverse.TF}
			}).Call(t, x)
			f := out[0]
			applied := testkit.FromMatrix(linalg.Product(f.Matrix(), mat.NewDiagDense(2, levels)))
			shifted := testkit.FromMatrix(linalg.Sum(applied.Matrix(), f.Scaled(3).Matrix()))
			want := []testkit.Array{applied, f, applied.Scaled(-100), shifted.Scaled(0.5), f}
			testkit.RequireAllClose(t, want, out[1:], 1e-9, fmt.Sprintf("%d dimensions, σ = %g", dims, sigma))
		}
	}
}
