package learn

import (
	"errors"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
)

// Schrodinger is H = −∇² + V, whose k lowest states are learned; for H = −½∇² + V give 2V, and halve the energies. It
// takes a Box or a Sampler.
//
// In a Box with ψ = 0 on its faces, for states that are confined, states are learned by the inverse-operator trick
// (Section 3.2): networks g, and f = s(H + ε)g, so that T = (s(H + ε))⁻¹ has Tf = g. Everything else follows from the
// potential, the box and k. Sizes are estimated from problems in one dimension ([schrodinger.System.Scales]); they
// decide on features, start and scale, and on nothing that is learned:
//
//   - ε ≥ −min V, so that H + ε is positive, and so that the gap below state k is large; s such that T's largest
//     eigenvalue is about ½;
//   - frequencies of features: a classical particle with the energy of state k has them;
//   - the part of the box where functions are not zero: what a particle of this energy can reach, and a margin in which
//     they decay;
//   - two functions more than k are trained, since the last ones are the least accurate, and left out in the end.
//
// Samples are lattices of points that are shifted at random ([schrodinger.Lattice]), whose means have little noise in
// few dimensions. In one to three dimensions the defaults reach a few digits within a minute on two cores; beyond that
// give more steps and a larger batch.
//
// With a Sampler, on all of ℝ^D, states are learned as the leading ones of T = −H, without inverting anything (Section
// 3.2). It fits states of negative energy, such as an atom's: states that are bound where V vanishes far out. The
// samples must cover the states. The default objective is Sanger's rule, which takes no gradient through H and survived
// where OMM did not (notebooks/05_schrodinger_hydrogen).
type Schrodinger struct {
	// Potential is V: x [R, n, D] to [R, n, 1]. It is finite in the box.
	Potential func(x *graph.Node) *graph.Node
	Box       net.Box // on all of ℝ^D, any that the states fit into: what is too large of it is not used
	Sampler   schrodinger.Sampler
	// Network, if not nil, replaces the default networks. In a box it has k + 2 outputs and is masked; with a Sampler
	// it is f, k functions of the coordinates, in ψ = √ρ f.
	Network net.Waves
}

const (
	// With no function beyond k the last of them erred by 2 % in an oscillator whose next level is near, with two by
	// 1e-4.
	spare       = 2
	largest     = 0.5  // T's largest eigenvalue: functions f = s(H + ε)g start small
	leastEnergy = 1e-6 // of H + ε, relative to the highest energy that is asked for
	// outermost is the share of a box's width, on both sides together, that counts as its border.
	outermost = 0.1

	waveRate  = 3e-3
	waveBatch = 512
	waveJudge = 16_384
	waveWidth = 48
)

// Task estimates the sizes, for which it evaluates the potential.
func (s Schrodinger) Task(b compute.Backend, k int) (Task, error) {
	if s.Potential == nil {
		return Task{}, errors.New("Schrödinger operator: no Potential")
	}
	if (s.Sampler == nil) == (s.Box.Lower == nil && s.Box.Upper == nil) {
		return Task{}, errors.New("Schrödinger operator: give a Box for states that are confined, or a Sampler as " +
			"wide as the states, such as a schrodinger.Gaussian, for states of negative energy")
	}
	if s.Sampler != nil {
		return s.unbounded(b, k)
	}
	if err := s.Box.Validate(); err != nil {
		return Task{}, err
	}
	system := schrodinger.System{Name: "Schrödinger operator", Dim: len(s.Box.Lower), Potential: s.Potential}
	scales, err := system.Scales(b, s.Box, k)
	if err != nil {
		return Task{}, err
	}
	lowest, highest := scales.Energies[0]-scales.Minimum, scales.Energies[k-1]-scales.Minimum
	if !(lowest > leastEnergy*highest) {
		return Task{}, fmt.Errorf("Schrödinger operator: the lowest energy is estimated %.3g above the lowest "+
			"potential, but energy %d is %.3g; check the potential and the box", lowest, k, highest)
	}
	// Of all shifts that leave H + ε positive, this one makes the gap below state k largest relative to T's largest
	// eigenvalue: (E_1 + ε)/(E_k + ε)² has its maximum at E_k + ε = 2(E_1 + ε).
	above := max(0, highest-2*lowest)
	epsilon, factor := above-scales.Minimum, 1/(largest*(lowest+above))
	samples := schrodinger.Lattice{Box: scales.Region}
	waves := boxed{box: scales.Region, count: k + spare,
		frequencies: frequenciesFor(system.Dim, math.Sqrt(highest)), hidden: []int{waveWidth, waveWidth},
		network: s.Network}
	draw := func(in Inputs, n int) (x *graph.Node, b ommlx.Batch) {
		x = samples.Sample(in.Random, in.Params[0].DType(), n)
		return x, operator.Hamiltonian{Potential: s.Potential(x)}.Inverse(waves.jet(in.Params, x), factor, epsilon)
	}
	return Task{Functions: waves, Lowest: true, Spare: spare, Volume: samples.Volume(),
		Draw: func(in Inputs, n int) ommlx.Batch {
			_, b := draw(in, n)
			return b
		},
		Border: func(in Inputs, n int) (psi, at *graph.Node) {
			x, b := draw(in, n)
			distance := graph.Abs(within(scales.Region, jet.Inputs(x)).Value) // from the centre
			return b.TF, graph.AddScalar(graph.ReduceAndKeep(distance, graph.ReduceMax, -1), outermost-1)
		},
		Own: func(b ommlx.Batch) (psi, applied *graph.Node) {
			return b.TF, graph.Sub(graph.MulScalar(b.F, 1/factor), graph.MulScalar(b.TF, epsilon))
		},
		Batch: waveBatch, Steps: 2_000, Rate: waveRate, Judge: waveJudge}, nil
}
