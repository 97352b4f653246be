package pde

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/train"
)

// wave evaluates the learned functions with their derivatives: x [R, B, D] or [B, D] → [R, B, k].
func (e Experiment) wave(params []*Node, frequencies, x *Node) jet.Jet {
	if e.Difference > 0 {
		return jet.Differences(func(x *Node) *Node { return e.network(params, frequencies, jet.Inputs(x)).Value },
			x, e.Difference)
	}
	return e.network(params, frequencies, jet.Inputs(x))
}

func (e Experiment) network(params []*Node, frequencies *Node, in jet.Jet) jet.Jet {
	features := in
	if e.Frequencies > 0 {
		features = e.fourier(in.Dims()).Apply(frequencies, in)
	}
	f := e.networks(in.Dims()).Apply(params, features)
	if e.Box > 0 {
		f = jet.Mul(f, net.BoxMask(in, e.Box))
	}
	return f
}

// hamiltonian is H at the points x for functions f that stand for √ρ·f.
func (e Experiment) hamiltonian(system schrodinger.System, x *Node) operator.Hamiltonian {
	h := operator.Hamiltonian{Potential: system.Potential(x)}
	if e.Sigma > 0 {
		u := jet.Scale(e.sampler(system).LogDensity(jet.Inputs(x)), 0.5)
		h.LogRoot = &u
	}
	return h
}

// batch is what the objective sees of the functions f at the points x.
func (e Experiment) batch(system schrodinger.System, f jet.Jet, x *Node) ommlx.Batch {
	h := e.hamiltonian(system, x)
	var b ommlx.Batch
	switch {
	case e.Inverse:
		b = h.Inverse(f, e.Scale, e.Epsilon)
	case e.Weak:
		b = h.Weak(f, e.Scale)
	default:
		b = h.Direct(f, e.Scale)
	}
	b.OneSided = e.OneSided
	if e.Shift != 0 {
		b = b.Shift(e.Shift)
	}
	return b
}

// Problem returns the training problem. Its data are the Fourier frequencies, [R, F, D].
func (e Experiment) Problem() (train.Problem, error) {
	var p train.Problem
	if err := e.Validate(); err != nil {
		return p, err
	}
	known, err := e.system()
	if err != nil {
		return p, err
	}
	objective, err := ommlx.Lookup(e.Method)
	if err != nil {
		return p, err
	}
	system := known.System
	sampler := e.sampler(system)
	p.Seeds = e.Seeds
	p.Params = e.networks(system.Dim).Init(e.Seeds)
	p.State = objective.InitState(len(e.Seeds), e.K)
	p.Data = []*tensors.Tensor{e.frequencies(system.Dim)}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		x := sampler.Sample(in.Random, dtypes.Float32, e.Batch)
		return objective.Loss(e.batch(system, e.wave(in.Params, in.Data[0], x), x), in.State)
	}
	return p, nil
}

// checkSamples draws a batch and returns an error where training on such batches could not work.
func (e Experiment) checkSamples(b compute.Backend, system schrodinger.System) error {
	var mask func(x *Node) *Node
	if e.Box > 0 {
		mask = func(x *Node) *Node { return net.BoxMask(jet.Inputs(x), e.Box).Value }
	}
	return schrodinger.CheckSamples(b, system, e.sampler(system), mask, e.Batch)
}

// frequencies draws those of the Fourier features; without any it is one number that nobody reads.
func (e Experiment) frequencies(dims int) *tensors.Tensor {
	if e.Frequencies == 0 {
		return tensors.FromScalar(float32(0))
	}
	return e.fourier(dims).Init(e.Seeds)
}
