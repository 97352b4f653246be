package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
)

// Frequencies are relative to the width of the samples. The public code of the paper's predecessor uses 10 for hydrogen
// and 25 for the oscillator (net.Fourier, schrodinger.Gaussian); the slower ones are for smooth parts.
const fastFrequency, slowFrequency = 10, 2.5

// onSamples returns the task for states on all of ℝ^D.
func (s Schrodinger) onSamples(b compute.Backend, k int) (Task, error) {
	x, potential, err := schrodinger.Samples(b, s.Sampler, s.Potential, waveEval)
	if err != nil {
		return Task{}, err
	}
	_, dim := x.Dims()
	system := schrodinger.System{Name: "Schrödinger operator", Dim: dim, Potential: s.Potential}
	var sampled net.Box
	variance := 0. // of a coordinate, on average
	for d := range dim {
		column := mat.Col(nil, d, x)
		variance += stat.PopVariance(column, nil) / float64(dim)
		sampled.Lower = append(sampled.Lower, slices.Min(column))
		sampled.Upper = append(sampled.Upper, slices.Max(column))
	}
	if err := schrodinger.Resolved(sampled); err != nil {
		return Task{}, err
	}
	if err := system.Bounded(b, sampled); err != nil {
		return Task{}, err
	}
	least := mat.Min(potential)
	if least >= 0 { // then H has no state of negative energy
		return Task{}, fmt.Errorf("schrödinger: minimum of the potential on %d samples is %.3g, want below 0 for "+
			"states of negative energy: use a Box for confined states, or a potential that vanishes at infinity",
			waveEval, least)
	}
	factor := math.Exp2(-math.Round(math.Log2(-least))) // T = −factor·H, for units in which energies are far from 1
	functions := wavefunctions{Waves: s.Network, kind: kindSampled,
		factor: func(x jet.Jet) jet.Jet { return jet.Exp(*schrodinger.LogRoot(s.Sampler, x.Value)) }}
	if s.Network == nil {
		turn := 2 * math.Pi * math.Sqrt(variance)
		frequencies := random(dim, 64, slowFrequency/turn, fastFrequency/turn)
		functions.Waves = newWaves(frequencies, dim, k, net.Box{}, 1)
	}
	// The next state of a square or a parabolic well is farther away than the energy above its bottom, divided by the
	// dimension. The continuous spectrum begins at 0.
	gap := func(energy float64) float64 { return min(-energy, (energy-least)/float64(dim)) }
	return Task{Functions: functions, lowest: true, negative: true, gap: gap,
		Key: fmt.Sprintf("samples %.4g %.4g", mat.Norm(x, 2), mat.Norm(potential, 2)),
		defaults: Settings{Objective: ommlx.Sanger{}, Batch: waveBatch, Steps: 3_000, Rate: waveRate,
			EvalBatch: waveEval},
		remedy: "the samples are too narrow, or fewer than k states have negative energy: widen the Sampler, lower " +
			"k, or use a Box for confined states",
		Draw: func(in Inputs, n int) ommlx.Batch {
			x := s.Sampler.Sample(in.Random, in.Params[0].DType(), n)
			h := operator.Hamiltonian{Potential: s.Potential(x), LogRoot: schrodinger.LogRoot(s.Sampler, x)}
			return h.Direct(functions.Waves.Apply(in.Params, jet.Inputs(x)), factor)
		},
		Own: func(b ommlx.Batch) (f, applied *graph.Node) { return b.F, graph.MulScalar(b.TF, -1/factor) }}, nil
}
