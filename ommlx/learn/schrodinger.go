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

// Schrodinger is H = −∇² + V in a box with ψ = 0 on its faces, whose k lowest states are learned by the
// inverse-operator trick (Section 3.2): networks g, and f = s(H + ε)g, so that T = (s(H + ε))⁻¹ has Tf = g. For H =
// −½∇² + V give 2V, and halve the energies.
//
// Everything else follows from the potential, the box and k. Sizes are estimated from problems in one dimension
// ([schrodinger.System.Scales]); they decide on features, start and scale, and on nothing that is learned:
//
//   - ε ≥ −min V, so that H + ε is positive, and so that the gap below state k is large; s such that T's largest
//     eigenvalue is about ½;
//   - frequencies of features: those of a classical particle with the energy of state k;
//   - the part of the box where functions are not zero: that which a particle of this energy can reach, and a margin in
//     which they die out;
//   - two functions more than k are trained, since the last ones are the least accurate, and left out in the end.
//
// Samples are lattices of points that are shifted at random ([schrodinger.Lattice]), whose means have little noise in
// few dimensions. In one to three dimensions the defaults reach a few digits within a minute on two cores; beyond that
// give more steps and a larger batch.
type Schrodinger struct {
	// Potential is V: x [R, n, D] to [R, n, 1]. It is finite in the box.
	Potential func(x *graph.Node) *graph.Node
	Box       net.Box // on all of ℝ^D, any that the states fit into: what is too large of it is not used
	// Network, if not nil, takes the place of the default networks, with k + 2 outputs; the mask is put on it.
	Network Waves
}

const (
	// With no function beyond k the last of them erred by 2 % in an oscillator whose next level is near, with two by
	// 1e-4.
	spare       = 2
	largest     = 0.5  // T's largest eigenvalue: functions f = s(H + ε)g start small
	leastEnergy = 1e-6 // of H + ε, relative to the highest energy that is asked for

	waveRate  = 3e-3
	waveBatch = 512
	waveJudge = 16_384
	waveWidth = 48
)

// Task estimates the sizes, for which it evaluates the potential.
func (s Schrodinger) Task(b compute.Backend, k int) (Task, error) {
	if s.Potential == nil {
		return Task{}, errors.New("no potential is given; set Potential")
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
		return Task{}, fmt.Errorf("the lowest energy is estimated at %.3g above the lowest potential, "+
			"next to nothing beside %.3g; check the potential and the box", lowest, highest)
	}
	// Of all shifts that leave H + ε positive, this one makes the gap below state k largest beside T's largest
	// eigenvalue: (E_1 + ε)/(E_k + ε)² has its maximum at E_k + ε = 2(E_1 + ε).
	above := max(0, highest-2*lowest)
	epsilon, factor := above-scales.Minimum, 1/(largest*(lowest+above))
	samples := schrodinger.Lattice{Box: scales.Region}
	wave := Wave{Box: scales.Region, Count: k + spare,
		Frequencies: frequenciesFor(system.Dim, math.Sqrt(highest)), Hidden: []int{waveWidth, waveWidth},
		Network: s.Network}
	apply := func(in Inputs, x *graph.Node) ommlx.Batch {
		return operator.Hamiltonian{Potential: s.Potential(x)}.Inverse(wave.Jet(in.Params, x), factor, epsilon)
	}
	return Task{Functions: wave, Lowest: true, Spare: spare, Volume: samples.Volume(),
		Draw: func(in Inputs, n int) ommlx.Batch {
			return apply(in, samples.Sample(in.Random, in.Params[0].DType(), n))
		},
		border: func(in Inputs, n int) []*graph.Node {
			x := samples.Sample(in.Random, in.Params[0].DType(), n)
			distance := graph.Abs(within(scales.Region, jet.Inputs(x)).Value) // from the centre
			return []*graph.Node{apply(in, x).TF,
				graph.AddScalar(graph.ReduceAndKeep(distance, graph.ReduceMax, -1), outermost-1)}
		},
		Own: func(b ommlx.Batch) (psi, applied *graph.Node) {
			return b.TF, graph.Sub(graph.MulScalar(b.F, 1/factor), graph.MulScalar(b.TF, epsilon))
		},
		Batch: waveBatch, Steps: 2_000, Rate: waveRate, Judge: waveJudge}, nil
}
