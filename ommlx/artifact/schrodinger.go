package artifact

import (
	"errors"
	"fmt"
	"math"

	"operator-omm/ommlx"
	"operator-omm/ommlx/jet"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/schrodinger"
	"operator-omm/ommlx/train"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// Schrodinger is one experiment of the paper's Sections 3.2 and C.2: a method on a Schrödinger operator in two
// dimensions, in independent runs.
type Schrodinger struct {
	System string `json:"system"` // "hydrogen", "oscillator" or "well"
	Method string `json:"method"` // an id of [ommlx.Lookup]
	K      int    `json:"k"`      // number of eigenfunctions

	// T = −Scale·H + Shift, or with Inverse (Scale·(H + Epsilon))⁻¹ + Shift.
	Inverse bool    `json:"inverse"`
	Scale   float64 `json:"scale"`
	Epsilon float64 `json:"epsilon,omitempty"`
	Shift   float64 `json:"shift"`

	Sigma float64 `json:"sigma"` // standard deviation of the Gaussian samples; 0: uniform on the system's box
	Batch int     `json:"batch"`

	Frequencies int       `json:"frequencies"` // of the Fourier features; 0: the coordinates are the inputs
	Scales      []float64 `json:"scales,omitempty"`
	Hidden      []int     `json:"hidden"` // widths of each softplus network
	Box         float64   `json:"box"`    // half-width of the Dirichlet mask; 0: none
	// Weak and OneSided are [operator.Hamiltonian.Weak] and [ommlx.Batch.OneSided], beyond the paper.
	Weak     bool `json:"weak,omitempty"`
	OneSided bool `json:"one_sided,omitempty"`
	// Difference is the step of finite differences in place of exact derivatives, for comparison; 0: exact.
	Difference float64 `json:"difference,omitempty"`

	Train Training `json:"train"`
	Seeds []int64  `json:"seeds"` // one run each: initialisation, frequencies and samples
}

func (s Schrodinger) system() (schrodinger.System, error) {
	switch s.System {
	case "hydrogen":
		return schrodinger.Hydrogen(2)
	case "oscillator":
		return schrodinger.Oscillator(2)
	case "well":
		return schrodinger.Well(2, schrodinger.WellHalfWidth)
	}
	return schrodinger.System{}, fmt.Errorf("unknown system %q; use hydrogen, oscillator or well", s.System)
}

func (s Schrodinger) sampler(system schrodinger.System) schrodinger.Sampler {
	if s.Sigma == 0 {
		return schrodinger.Uniform{Dim: system.Dim, HalfWidth: system.HalfWidth}
	}
	return schrodinger.Gaussian{Dim: system.Dim, Sigma: s.Sigma}
}

func (s Schrodinger) fourier(dims int) net.Fourier {
	return net.Fourier{Dims: dims, Frequencies: s.Frequencies, Scales: s.Scales}
}

func (s Schrodinger) networks(dims int) net.Disjoint {
	in := dims
	if s.Frequencies > 0 {
		in = s.fourier(dims).Features()
	}
	return net.Disjoint{In: in, Hidden: s.Hidden, Out: s.K}
}

// Validate returns an error that names the field that does not fit.
func (s Schrodinger) Validate() error {
	system, err := s.system()
	if err != nil {
		return err
	}
	if _, err := system.Lowest(s.K); err != nil {
		return err
	}
	o, err := ommlx.Lookup(s.Method)
	if err != nil {
		return err
	}
	switch {
	case !(s.Scale > 0) || math.IsInf(s.Scale, 0):
		return fmt.Errorf("the scale of the operator is %g; it must be positive and finite", s.Scale)
	case !(s.Epsilon >= 0) || math.IsInf(s.Epsilon, 0):
		return fmt.Errorf("ε is %g; it must be finite and not negative", s.Epsilon)
	case math.IsNaN(s.Shift) || math.IsInf(s.Shift, 0):
		return fmt.Errorf("the shift κ is %g; it must be finite", s.Shift)
	case s.Batch < 1 || len(s.Seeds) < 1:
		return fmt.Errorf("batch %d and number of runs %d must both be at least 1", s.Batch, len(s.Seeds))
	case s.Weak && s.Inverse:
		return errors.New("the inverse-operator trick has no weak form: leave out one of the two")
	case !(s.Difference >= 0) || math.IsInf(s.Difference, 0):
		return fmt.Errorf("the step of finite differences is %g; it must be positive, or 0 for exact derivatives", s.Difference)
	case !(s.Box >= 0) || math.IsInf(s.Box, 0):
		return fmt.Errorf("the half-width of the mask is %g; it must be positive, or 0 for no mask", s.Box)
	}
	if err := s.sampler(system).Validate(); err != nil {
		return err
	}
	if s.Frequencies != 0 {
		if err := s.fourier(system.Dim).Validate(); err != nil {
			return err
		}
	}
	if err := s.networks(system.Dim).Validate(); err != nil {
		return err
	}
	if err := ommlx.Check(o, s.K); err != nil {
		return err
	}
	return s.Train.config().Validate()
}

// wave evaluates the learned functions with their derivatives: x [R, B, D] or [B, D] → [R, B, k].
func (s Schrodinger) wave(params []*Node, frequencies, x *Node) jet.Jet {
	if s.Difference > 0 {
		return jet.Differences(func(x *Node) *Node { return s.network(params, frequencies, jet.Inputs(x)).Value }, x, s.Difference)
	}
	return s.network(params, frequencies, jet.Inputs(x))
}

func (s Schrodinger) network(params []*Node, frequencies *Node, in jet.Jet) jet.Jet {
	features := in
	if s.Frequencies > 0 {
		features = s.fourier(in.Dims()).Apply(frequencies, in)
	}
	f := s.networks(in.Dims()).Apply(params, features)
	if s.Box > 0 {
		f = jet.Mul(f, net.BoxMask(in, s.Box))
	}
	return f
}

// hamiltonian is H at the points x for functions f that stand for √ρ·f.
func (s Schrodinger) hamiltonian(system schrodinger.System, x *Node) operator.Hamiltonian {
	h := operator.Hamiltonian{Potential: system.Potential(x)}
	if s.Sigma > 0 {
		u := jet.Scale(s.sampler(system).LogDensity(jet.Inputs(x)), 0.5)
		h.LogRoot = &u
	}
	return h
}

// batch is what the objective sees of the functions f at the points x.
func (s Schrodinger) batch(system schrodinger.System, f jet.Jet, x *Node) ommlx.Batch {
	h := s.hamiltonian(system, x)
	var b ommlx.Batch
	switch {
	case s.Inverse:
		b = h.Inverse(f, s.Scale, s.Epsilon)
	case s.Weak:
		b = h.Weak(f, s.Scale)
	default:
		b = h.Direct(f, s.Scale)
	}
	b.OneSided = s.OneSided
	if s.Shift != 0 {
		b = b.Shift(s.Shift)
	}
	return b
}

// Problem returns the training problem. Its data are the Fourier frequencies, [R, F, D].
func (s Schrodinger) Problem() (train.Problem, error) {
	var p train.Problem
	if err := s.Validate(); err != nil {
		return p, err
	}
	system, err := s.system()
	if err != nil {
		return p, err
	}
	objective, err := ommlx.Lookup(s.Method)
	if err != nil {
		return p, err
	}
	sampler := s.sampler(system)
	p.Seeds = s.Seeds
	p.Params = s.networks(system.Dim).Init(s.Seeds)
	p.State = objective.InitState(len(s.Seeds), s.K)
	p.Data = []*tensors.Tensor{s.frequencies(system.Dim)}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		x := sampler.Sample(in.Random, dtypes.Float32, s.Batch)
		return objective.Loss(s.batch(system, s.wave(in.Params, in.Data[0], x), x), in.State)
	}
	return p, nil
}

// check draws a batch and returns an error where training on such batches could not work.
func (s Schrodinger) check(b compute.Backend) error {
	system, err := s.system()
	if err != nil {
		return err
	}
	var mask func(x *Node) *Node
	if s.Box > 0 {
		mask = func(x *Node) *Node { return net.BoxMask(jet.Inputs(x), s.Box).Value }
	}
	return schrodinger.CheckSamples(b, system, s.sampler(system), mask, s.Batch)
}

// frequencies draws those of the Fourier features; without any it is one number that nobody reads.
func (s Schrodinger) frequencies(dims int) *tensors.Tensor {
	if s.Frequencies == 0 {
		return tensors.FromScalar(float32(0))
	}
	return s.fourier(dims).Init(s.Seeds)
}
