package pde

import (
	"cmp"
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

func (e Experiment) networks() (w Ansatz, err error) {
	known, _, err := e.lowest(1)
	if err != nil {
		return w, err
	}
	w = Ansatz{System: known.System, Sampler: schrodinger.Gaussian{Dim: known.Dim, Sigma: e.Sigma},
		Fourier: net.Fourier{Dims: known.Dim, Frequencies: e.Frequencies, Scales: e.Scales}, Hidden: e.Hidden,
		Count: e.K + e.Spare, Difference: e.Difference}
	if e.Sigma == 0 {
		w.Sampler = schrodinger.Uniform{Dim: known.Dim, HalfWidth: known.HalfWidth}
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
	objective, unknown := ommlx.Lookup(e.Method)
	if err = cmp.Or(err, unknown); err != nil {
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

// knownSystem is one of the paper's systems.
type knownSystem struct {
	schrodinger.System
	of    func() (schrodinger.System, error)
	paper func(method string) Experiment
	// quadrature integrates products of these states. It extends beyond the samples and resolves the shortest
	// waves of the networks.
	quadrature func() (Quadrature, error)
	region     func(k int) float64 // half-width of a picture of k states, beyond their classical turning point
}

var systems = map[string]knownSystem{
	"hydrogen": {
		of:    func() (schrodinger.System, error) { return schrodinger.Hydrogen(), nil },
		paper: func(method string) Experiment { return Hydrogen(run.Paper, method) },
		// The cusp at the nucleus needs polar coordinates. 100 radii up to 200 integrate the lowest 16 states to 1e-11,
		// but the energy of a cusp smoothed by a network needs 400. 40 angles resolve angular momenta up to 19; those
		// states have at most 3.
		quadrature: func() (Quadrature, error) { return Disc(400, 40, 200) },
		region: func(k int) float64 { // level n follows n² states, and its states lie within 3/2·(2n+1)²
			n := math.Ceil(math.Sqrt(float64(k))) - 1
			return 1.5 * (2*n + 1) * (2*n + 1)
		},
	},
	"oscillator": {
		of:    func() (schrodinger.System, error) { return schrodinger.Oscillator(2) },
		paper: func(string) Experiment { return Oscillator(run.Paper) },
		// The paper's 28 states have energies up to 14, with turning points up to √14 = 3.7. At 8 they are below 1e-9.
		// The spacing 1/4 is a seventh of their shortest wave, 2π/√14.
		quadrature: func() (Quadrature, error) { return Midpoint(2, 64, 8) },
		region:     func(int) float64 { return 5 },
	},
	"well": {
		of:    func() (schrodinger.System, error) { return schrodinger.Well(2, wellHalfWidth) },
		paper: func(string) Experiment { return Well(run.Paper) },
		// 64 points on each axis are 20 for each wave of the state n = 6.
		quadrature: func() (Quadrature, error) { return Midpoint(2, 64, wellHalfWidth) },
		region:     func(int) float64 { return wellHalfWidth },
	},
}

const wellHalfWidth = schrodinger.WellHalfWidth

// lowest returns the experiment's system with its k lowest states, or more to complete an eigenspace.
func (e Experiment) lowest(k int) (known knownSystem, states schrodinger.Spectrum, err error) {
	known, found := systems[e.System]
	if !found {
		return known, states, fmt.Errorf("pde: unknown system %q; use hydrogen, oscillator or well", e.System)
	}
	if known.System, err = known.of(); err == nil {
		states, err = known.Lowest(k)
	}
	return known, states, err
}

// note is the sentence under a figure or table that states the profile. Hydrogen's samples are not the paper's; see
// [Hydrogen].
func note(p run.Profile, hydrogen bool) string {
	if hydrogen && p == run.Paper {
		return "Paper profile: the paper's protocol except for hydrogen's samples."
	}
	return p.Note("smaller networks and batches, fewer runs and steps, " +
		"for some systems fewer modes than in the paper's protocol")
}

// MethodName is the paper's name of a method, by its id; others keep their ids.
func MethodName(id string) string {
	return cmp.Or(map[string]string{"omm": "OMM", "omm_seq": "OMM-seq", "omm_jnt": "OMM-joint", "sanger": "Sanger",
		"lora": "LoRA", "lora_seq": "LoRA-seq", "lora_jnt": "LoRA-joint", "allo": "ALLO", "spin": "SpIN",
		"neuralef": "NeuralEF"}[id], id)
}
