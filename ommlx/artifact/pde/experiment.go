// Package pde holds the experiments of the paper's Section 3.2 and appendix C.2, which learn the lowest states of
// Schrödinger operators.
package pde

import (
	"cmp"
	"fmt"
	"slices"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/artifact/verify"
)

// Experiment is the training of one method on a Schrödinger operator in two dimensions, in independent runs.
type Experiment struct {
	System string `json:"system"` // "hydrogen", "oscillator" or "well"
	Method string `json:"method"` // an id of [verify.Lookup]
	K      int    `json:"k"`      // number of eigenfunctions
	// Spare functions are learned beyond K. If there are any, the first K Ritz functions are judged.
	Spare int `json:"spare,omitempty"`

	// T = −Scale·H + Shift, or with Inverse (Scale·H)⁻¹ + Shift.
	Inverse bool    `json:"inverse"`
	Scale   float64 `json:"scale"`
	Shift   float64 `json:"shift"`

	Sigma float64 `json:"sigma"` // standard deviation of the Gaussian samples; 0: uniform on the system's box
	Batch int     `json:"batch"`

	Frequencies int       `json:"frequencies"` // of the Fourier features; 0: the inputs are the coordinates
	Scales      []float64 `json:"scales,omitempty"`
	Hidden      []int     `json:"hidden"` // widths of each softplus network
	Box         float64   `json:"box"`    // half-width of the Dirichlet mask; 0: no mask
	// Weak and OneSided are [operator.Hamiltonian.Weak] and [ommlx.Batch.OneSided], beyond the paper.
	Weak     bool `json:"weak,omitempty"`
	OneSided bool `json:"one_sided,omitempty"`
	// Difference is the step of finite differences instead of exact derivatives, for comparison; 0: exact.
	Difference float64 `json:"difference,omitempty"`

	Train run.Training `json:"train"`
	Seeds []int64      `json:"seeds"` // one run each: initialisation, frequencies and samples
}

// paper returns the protocol of the experiment's system, or the zero value for an unknown one.
func (e Experiment) paper() (p Experiment) {
	if known, found := systems[e.System]; found {
		p = known.paper(e.Method)
	}
	return p
}

// RunSeeds implements [run.Experiment].
func (e Experiment) RunSeeds() []int64 { return e.Seeds }

// With implements [run.Experiment].
func (e Experiment) With(seeds []int64) Experiment {
	e.Seeds = seeds
	return e
}

// Validate returns an error that names the first invalid field.
func (e Experiment) Validate() error {
	_, _, err := e.lowest(e.K)
	o, unknown := verify.Lookup(e.Method)
	w, other := e.networks()
	if err = cmp.Or(err, unknown, other); err != nil {
		return err
	}
	if !(e.Scale > 0) || e.Batch < 1 || e.Spare < 0 || !(e.Box >= 0) || !(e.Difference >= 0) || e.Weak && e.Inverse {
		return fmt.Errorf("pde: scale %g, batch %d, spare %d, box %g, difference %g, weak %t; want scale and batch "+
			"positive, the others not negative, and weak only without inverse", e.Scale, e.Batch, e.Spare, e.Box,
			e.Difference, e.Weak)
	}
	if e.Frequencies != 0 {
		err = w.Fourier.Validate()
	}
	return cmp.Or(err, w.Sampler.Validate(), w.Networks().Validate(), ommlx.Check(o, e.K+e.Spare),
		e.Train.Config().Validate())
}

// Label names the experiment in a progress bar, with its differences from the paper's protocol. It leaves out smaller
// networks and their numbers of steps.
func (e Experiment) Label() string {
	p, steps, adam := e.paper(), e.Train.Steps, e.Train.Adam
	if !slices.Equal(e.Hidden, p.Hidden) {
		steps = p.Train.Steps
	}
	words := []string{e.System, e.Method,
		run.Differs("scale", e.Scale, p.Scale),
		run.Differs("κ", e.Shift, p.Shift),
		run.Differs("σ", e.Sigma, p.Sigma),
		run.Differs("box", e.Box, p.Box),
		run.Differs("weak", e.Weak, false),
		run.Differs("one-sided", e.OneSided, p.OneSided),
		run.Differs("two-sided", !e.OneSided, !p.OneSided),
		run.Differs("h", e.Difference, 0.0),
		run.Differs("spare", e.Spare, 0),
		run.Differs("B", e.Batch, p.Batch),
		run.Differs("steps", steps, p.Train.Steps)}
	if r := e.Train.RMSProp; r != nil {
		words = append(words, run.Differs("RMSProp", r.Decay, 0.0), run.Differs("warm-up", r.Schedule.Warmup, 0))
	} else {
		words = append(words, run.Differs("decay", adam.Schedule.Decay, p.Train.Adam.Schedule.Decay))
	}
	return run.Label(e.K, e.Seeds, words...)
}

// Cost estimates time and memory. A step has three products with each weight of each network, or two in the first
// layer, for each of four streams: value, two slopes and Laplacian. The rates were measured on two idle cores.
func (e Experiment) Cost() run.Cost {
	const rate = 300e9 // operations per second
	unit := 1.6e-9     // seconds for each number of a unit, forward and backward
	if e.Inverse {
		unit = 4.2e-9
	}
	in, weights, units, products := max(2, 2*e.Frequencies), 0, 0, 0
	for i, w := range append(slices.Clone(e.Hidden), 1) {
		products += min(2+i, 3) * in * w
		weights, units, in = weights+in*w, units+w, w
	}
	runs, networks := len(e.Seeds), len(e.Seeds)*(e.K+e.Spare)
	step := float64(4*networks*e.Batch) * (2*float64(products)/rate + float64(units)*unit)
	activations := 4 * e.Batch * (networks*units + runs*2*e.Frequencies) * 3 // value and gradient
	return run.Cost{Seconds: float64(e.Train.Steps) * step,
		Memory: 500<<20 + 4*int64(activations) + 4*8*int64(networks*weights)}
}
