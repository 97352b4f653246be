package bench

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx"
	"operator-omm/ommlx/artifact/pde"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/train"
)

// laplacian compares the step of [pde.Experiment], which propagates Laplacians forward, with the same networks on other
// ways. Gradients go through the operator. Targets: 0.8 of finite differences and half of nested reverse mode. The weak
// form, which needs no Laplacian, is the same in the mean over points alone, and has no target.
func (s *session) laplacian() error {
	const steps = 2
	set := paperHydrogen("lora_seq")
	differences, weak := set, set
	differences.Difference, weak.Weak = 0.01, true
	var others []contender
	for _, c := range []struct {
		label   string
		target  float64
		problem func() (train.Problem, error)
	}{
		{"finite differences", 0.8, differences.Problem},
		{"nested reverse", 0.5, func() (train.Problem, error) { return nestedReverse(set) }},
		{"weak form", 0, weak.Problem},
	} {
		p, err := c.problem()
		if err != nil {
			return err
		}
		t, err := s.train(c.label, p, s.steps(steps))
		if err != nil {
			return err
		}
		defer t.close()
		others = append(others, contender{c.label, c.target, t.round})
	}
	ours, err := set.Problem()
	if err != nil {
		return err
	}
	_, err = s.compareWith("forward", set.Method, ours, steps, others...)
	return err
}

// nestedReverse is the problem of set on hydrogen with the Laplacian of ψ = √ρ·f by reverse mode of reverse mode.
func nestedReverse(set pde.Experiment) (train.Problem, error) {
	p, err := set.Problem()
	if err != nil {
		return p, err
	}
	system, err := schrodinger.Hydrogen(2)
	if err != nil {
		return p, err
	}
	objective, err := ommlx.Lookup(set.Method)
	if err != nil {
		return p, err
	}
	sampler := schrodinger.Gaussian{Dim: 2, Sigma: set.Sigma}
	root := func(x *Node) *Node { return schrodinger.RootDensity(sampler, jet.Inputs(x)).Value }
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		x := sampler.Sample(in.Random, dtypes.Float32, set.Batch)
		value, laplacian := jet.NestedReverse(func(x *Node) *Node { // ψ [R, k, B, 1] at x [R, B, 2] or [R, k, B, 2]
			rho := root(x)
			if rho.Rank() == 3 {
				rho = InsertAxes(rho, 1)
			}
			return Mul(separate(in, x), rho)
		}, x)
		side := func(f *Node) *Node { return Transpose(Squeeze(f, -1), 1, 2) } // → [R, B, k]
		h := operator.Hamiltonian{Potential: system.Potential(x)}
		b := h.Direct(jet.Jet{Value: side(value), Laplacian: side(laplacian)}, set.Scale)
		return objective.Loss(ommlx.Batch{F: Div(b.F, root(x)), TF: Div(b.TF, root(x))}, in.State)
	}
	return p, nil
}

// separate is [net.Disjoint] on the features of [net.Fourier] without derivatives, [R, k, B, 1], where every network
// may also be given points of its own: x [R, B, 2] or [R, k, B, 2].
func separate(in train.Inputs, x *Node) *Node {
	h := jet.SinCos(jet.Dense(jet.Inputs(x), in.Data[0], nil))
	for l := 0; l < len(in.Params); l += 2 {
		if l > 0 {
			h = jet.Softplus(h)
		}
		h = jet.Dense(h, in.Params[l], in.Params[l+1])
	}
	return h.Value
}
