package operator_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
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
			out := testkit.Evaluate(t, func(in []*Node) []*Node {
				h, f := states(in[0])
				direct, inverse := h.Direct(f, 100), h.Inverse(f, 0.5, 3)
				return []*Node{f.Value, h.Apply(f), direct.F, direct.TF, inverse.F, inverse.TF}
			}, x)
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
			out = testkit.Evaluate(t, func(in []*Node) []*Node {
				h, f := states(in[0])
				return []*Node{h.Apply(f)}
			}, far)
			assert.InDelta(t, float64(dims), out[0][0], 1e-9)
		}
	}
}

// TestHamiltonianIsSelfAdjoint: if √ρ·f vanishes at the ends, E_ρ[f₁ Hf₂] = E_ρ[f₂ Hf₁], here as sums over a fine grid
// in one dimension, for functions that are not eigenfunctions.
func TestHamiltonianIsSelfAdjoint(t *testing.T) {
	const n, half, sigma = 2001, 12.0, 1.3
	points, weights := make([]float64, n), make([]float64, n)
	for i := range points {
		points[i] = half * (2*float64(i)/(n-1) - 1)
		weights[i] = math.Exp(-points[i] * points[i] / (2 * sigma * sigma))
	}
	out := testkit.Evaluate(t, func(in []*Node) []*Node {
		r2 := radius2(in[0])
		u := jet.Scale(r2, -1/(4*sigma*sigma))
		h := operator.Hamiltonian{Potential: Neg(Exp(Neg(r2.Value))), LogRoot: &u}
		c := jet.Inputs(in[0]).Column(0)
		f := jet.Concatenate(jet.Sin(jet.Scale(c, 1.5)), jet.Softplus(jet.Shift(c, 0.3)))
		return []*Node{f.Value, h.Apply(f), operator.Hamiltonian{Potential: h.Potential}.Apply(f)}
	}, tensors.FromFlatDataAndDimensions(points, n, 1))
	// moments returns E_ρ[f₁ Hf₂] and E_ρ[f₂ Hf₁].
	moments := func(hf []float64) (m12, m21 float64) {
		for i, w := range weights {
			m12 += w * out[0][2*i] * hf[2*i+1]
			m21 += w * out[0][2*i+1] * hf[2*i]
		}
		return m12, m21
	}
	m12, m21 := moments(out[1])
	require.Greater(t, math.Abs(m12), 1.0)
	claim := papertest.Of(t, "hydrogen-samples")
	claim.Corrected.Within(t, "relative asymmetry of E_ρ[f_1 Hf_2] for √ρ⁻¹H√ρ, Gaussian ρ", math.Abs(m12/m21-1), 1e-9)
	// −∇² + V itself, on functions of L²_ρ, is not self-adjoint there.
	m12, m21 = moments(out[2])
	claim.Note("relative asymmetry of E_ρ[f_1 Hf_2] for −∇² + V itself: %.2g",
		math.Abs(m12-m21)/math.Max(math.Abs(m12), math.Abs(m21)))
	assert.Greater(t, math.Abs(m12-m21), 0.1*math.Abs(m12))
}

// square is the Gauss–Legendre rule with n² points on [−a, a]².
func square(n int, a float64) schrodinger.Quadrature {
	x, w := make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(x, w, -a, a)
	q := schrodinger.Quadrature{Points: mat.NewDense(n*n, 2, nil), Weights: make([]float64, n*n)}
	for i := range n * n {
		q.Points.SetRow(i, []float64{x[i/n], x[i%n]})
		q.Weights[i] = w[i/n] * w[i%n]
	}
	return q
}

// trials returns three functions without symmetry.
func trials(x jet.Jet) jet.Jet {
	first, second := x.Column(0), x.Column(1)
	return jet.Concatenate(
		jet.Sin(jet.Shift(jet.Scale(first, 0.7), 0.4)),
		jet.Softplus(jet.Add(jet.Scale(second, 0.5), jet.Scale(first, -0.2))),
		jet.Sin(jet.Shift(jet.Add(jet.Scale(first, 0.3), jet.Scale(second, -0.6)), math.Pi/2)))
}

// TestWeakFormIsTheStrongForm compares integrals of both forms, for functions that vanish on the boundary and are not
// eigenfunctions. With only four samples, the matrix of the weak form is still symmetric.
func TestWeakFormIsTheStrongForm(t *testing.T) {
	well, oscillator := testkit.Must(schrodinger.Well(2, 5)), testkit.Must(schrodinger.Oscillator(2))
	hydrogen := schrodinger.Hydrogen()
	nucleus := testkit.Must(schrodinger.Disc(120, 48, 45))
	for _, c := range []struct {
		system  schrodinger.System
		sampler schrodinger.Sampler
		rule    schrodinger.Quadrature
		factor  func(x jet.Jet) jet.Jet // makes √ρ·f vanish; nil if √ρ vanishes
	}{
		{well, schrodinger.Uniform{Dim: 2, HalfWidth: 5}, square(36, 5),
			func(x jet.Jet) jet.Jet { return net.BoxMask(x, 5) }},
		{oscillator, schrodinger.Gaussian{Dim: 2, Sigma: 1.3}, square(60, 11), nil},
		{hydrogen, schrodinger.Gaussian{Dim: 2, Sigma: 16}, nucleus, func(x jet.Jet) jet.Jet {
			// With the cusp at the nucleus.
			r := jet.Sqrt(jet.Add(jet.Mul(x.Column(0), x.Column(0)), jet.Mul(x.Column(1), x.Column(1))))
			return jet.Exp(jet.Scale(r, -0.8))
		}},
	} {
		const scale, k = 3.0, 3
		out := testkit.EvaluatePureGo(t, func(in []*Node) []*Node {
			x := jet.Inputs(in[0])
			u := jet.Scale(c.sampler.LogDensity(x), 0.5)
			h := operator.Hamiltonian{Potential: c.system.Potential(in[0]), LogRoot: &u}
			f := trials(x)
			if c.factor != nil {
				f = jet.Mul(f, c.factor(x))
			}
			strong, weak := h.Direct(f, scale), h.Weak(f, scale)
			nodes := []*Node{Exp(MulScalar(u.Value, 2)), strong.F, strong.TF, weak.F}
			for _, term := range weak.Form {
				nodes = append(nodes, term.Left, term.Right)
			}
			return nodes
		}, tensors.FromFlatDataAndDimensions(c.rule.Points.RawMatrix().Data, len(c.rule.Weights), 2))
		moment := func(samples int, left, right []float64) *mat.Dense {
			m := mat.NewDense(k, k, nil)
			for p, w := range c.rule.Weights[:samples] {
				for i := range k {
					for j := range k {
						m.Set(i, j, m.At(i, j)+w*out[0][p]*left[p*k+i]*right[p*k+j])
					}
				}
			}
			return m
		}
		assert.Equal(t, out[1], out[3])
		all := len(c.rule.Weights)
		strong, weak, few := moment(all, out[1], out[2]), mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
		for i := 4; i < len(out); i += 2 {
			weak.Add(weak, moment(all, out[i], out[i+1]))
			few.Add(few, moment(4, out[i], out[i+1]))
		}
		assert.True(t, mat.EqualApprox(few, few.T(), 1e-14*mat.Norm(few, 2)))
		largest := mat.Max(strong)
		largest = math.Max(largest, -mat.Min(strong))
		assert.True(t, mat.EqualApprox(strong, weak, 1e-8*largest), "%s:\nstrong\n%v\nweak\n%v", c.system.Name,
			mat.Formatted(strong), mat.Formatted(weak))
	}
}
