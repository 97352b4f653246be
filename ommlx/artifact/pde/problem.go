package pde

import (
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

// waves are the networks on a system of the experiment.
func (e Experiment) waves(system schrodinger.System) schrodinger.Waves {
	w := schrodinger.Waves{System: system, Sampler: e.sampler(system), Hidden: e.Hidden, Count: e.K,
		Difference: e.Difference}
	if e.Frequencies != 0 {
		w.Fourier = net.Fourier{Dims: system.Dim, Frequencies: e.Frequencies, Scales: e.Scales}
	}
	if e.Box > 0 {
		w.Mask = func(x jet.Jet) jet.Jet { return net.BoxMask(x, e.Box) }
	}
	return w
}

// batch is what the objective sees of the functions f at points where the Hamiltonian is h.
func (e Experiment) batch(h operator.Hamiltonian, f jet.Jet) ommlx.Batch {
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
	waves := e.waves(known.System)
	params, frequencies := waves.Init(e.Seeds)
	p.Seeds, p.Params = e.Seeds, params
	p.State = objective.InitState(len(e.Seeds), e.K)
	p.Data = []*tensors.Tensor{frequencies}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		x := waves.Sampler.Sample(in.Random, dtypes.Float32, e.Batch)
		return objective.Loss(e.batch(waves.Hamiltonian(x), waves.Jet(in.Params, in.Data[0], x)), in.State)
	}
	return p, nil
}
