package pde

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// square is the Gauss–Legendre rule with n² points on [−a, a]².
func square(n int, a float64) Quadrature {
	x, w := legendre(n, -a, a)
	q := Quadrature{Points: mat.NewDense(n*n, 2, nil), Weights: make([]float64, n*n)}
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
	nucleus := testkit.Must(Disc(120, 48, 45))
	for _, c := range []struct {
		system  schrodinger.System
		sampler schrodinger.Sampler
		rule    Quadrature
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
		const scale, shift, k, terms = 3.0, 0.4, 3, 3
		out := testkit.Compile(t, func(in []*Node) []*Node {
			x := jet.Inputs(in[0])
			u := jet.Scale(c.sampler.LogDensity(x), 0.5)
			h := operator.Hamiltonian{Potential: c.system.Potential(in[0]), LogRoot: &u}
			f := trials(x)
			if c.factor != nil {
				f = jet.Mul(f, c.factor(x))
			}
			strong, form := h.Direct(f, scale), weak(h, f, scale, shift)
			strong.TF = Add(strong.TF, MulScalar(strong.F, shift))
			return slices.Concat([]*Node{Exp(MulScalar(u.Value, 2)), strong.F, strong.TF, form.Overlap[0]},
				Split(form.F, -2, terms), Split(MulScalar(form.TF, 1./terms), -2, terms))
		}).Numbers(t, tensors.FromFlatDataAndDimensions(c.rule.Points.RawMatrix().Data, len(c.rule.Weights), 2))
		all := len(c.rule.Weights)
		weights := floats.MulTo(make([]float64, all), c.rule.Weights, out[0])
		moment := func(samples, left, right int) *mat.Dense {
			f, tf := mat.NewDense(all, k, out[left]), mat.NewDense(all, k, out[right])
			return testkit.Must(spectral.Diagnose(f.Slice(0, samples, 0, k).(*mat.Dense),
				tf.Slice(0, samples, 0, k).(*mat.Dense), weights[:samples])).Projected
		}
		assert.Equal(t, out[1], out[3])
		strong, weak, few := moment(all, 1, 2), mat.NewDense(k, k, nil), mat.NewDense(k, k, nil)
		for left := 4; left < 4+terms; left++ {
			weak.Add(weak, moment(all, left, left+terms))
			few.Add(few, moment(4, left, left+terms))
		}
		assert.True(t, mat.EqualApprox(few, few.T(), 1e-14*mat.Norm(few, 2)))
		assert.True(t, mat.EqualApprox(strong, weak, 1e-8*max(mat.Max(strong), -mat.Min(strong))),
			"%s:\nstrong\n%v\nweak\n%v", c.system.Name, mat.Formatted(strong), mat.Formatted(weak))
	}
}
