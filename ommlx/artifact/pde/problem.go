package pde

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

func (e Experiment) networks() (w Ansatz, err error) {
	of, _, err := e.lowest(1)
	if err != nil {
		return w, err
	}
	w = Ansatz{System: of.System, Sampler: schrodinger.Gaussian{Dim: of.Dim, Sigma: e.Sigma},
		Fourier: net.Fourier{Dims: of.Dim, Frequencies: e.Frequencies, Scales: e.Scales}, Hidden: e.Hidden,
		Count: e.K + e.Spare, Difference: e.Difference}
	if e.Sigma == 0 {
		w.Sampler = schrodinger.Uniform{Dim: of.Dim, HalfWidth: of.HalfWidth}
	}
	if e.Box > 0 {
		w.Mask = func(x jet.Jet) jet.Jet { return net.BoxMask(x, e.Box) }
	}
	return w, nil
}

// batch returns the objective's batch for functions f at points where the Hamiltonian is h.
func (e Experiment) batch(h operator.Hamiltonian, f jet.Jet) ommlx.Batch {
	var b ommlx.Batch
	switch {
	case e.Inverse:
		b = h.Inverse(f, e.Scale, 0)
	case e.Weak:
		b = weak(h, f, e.Scale, e.Shift)
	default:
		b = h.Direct(f, e.Scale)
	}
	b.OneSided = e.OneSided
	if e.Shift != 0 && !e.Weak {
		b.TF = Add(b.TF, MulScalar(b.F, e.Shift))
	}
	return b
}

// Problem returns the training problem. Its data are the Fourier frequencies, [R, F, D].
func (e Experiment) Problem() (p train.Problem, err error) {
	networks, err := e.networks()
	objective, unof := ommlx.Lookup(e.Method)
	if err = cmp.Or(err, unof); err != nil {
		return p, err
	}
	params, frequencies := networks.Init(e.Seeds)
	p.Seeds, p.Params = e.Seeds, params
	p.State = objective.InitState(len(e.Seeds), e.K+e.Spare)
	p.Data = []*tensors.Tensor{frequencies}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		x := networks.Sampler.Sample(in.Random, dtypes.Float32, e.Batch)
		return objective.Loss(e.batch(networks.Hamiltonian(x), networks.Jet(in.Params, in.Data[0], x)), in.State)
	}
	return p, nil
}
