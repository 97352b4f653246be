package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
)

// Schrodinger is H = −∇² + V. [Learn] finds its k lowest states. For H = −½∇² + V use 2V and halve the energies. Set
// either Box or Sampler.
//
// Box is for confined states, with ψ = 0 on its faces. They are learned by the inverse-operator trick (Section 3.2):
// networks g and f = s(H + ε)g, so that Tf = g for T = (s(H + ε))⁻¹. The other settings follow from the potential, the
// box and k, by estimates from one-dimensional problems ([schrodinger.System.Scales]):
//
//   - ε ≥ −min V makes H + ε positive and the gap below state k large; s makes T's largest eigenvalue about ½;
//   - the wave numbers of the Fourier features are scaled to a classical particle with the energy of state k;
//   - the functions are nonzero only where such a particle can be, plus a margin where they decay;
//   - two extra functions are trained and then dropped, since the last functions are the least accurate.
//
// Samples are randomly shifted lattices ([schrodinger.Lattice]). In one to three dimensions the defaults reach a few
// digits within a minute on two cores; in more, use more steps and a larger batch.
//
// Sampler is for bound states on all of ℝ^D, such as an atom's. Their energy is negative if V vanishes at infinity, and
// they are the leading states of T = −H (Section 3.2). The samples must cover the states. The default objective is
// Sanger's rule, which stayed finite where OMM diverged (notebooks/05_schrodinger_hydrogen).
//
// A potential without a lowest energy, such as −3/r² in three dimensions, is an error: [schrodinger.System.Bounded].
// Only the lowest point of V is examined, and only down to 10⁻⁴ of the width of the box.
type Schrodinger struct {
	// Potential is V, finite in the box: it maps x [R, n, D] to [R, n, 1].
	Potential func(x *graph.Node) *graph.Node
	Box       net.Box // may be larger than the states; the excess is not used
	Sampler   schrodinger.Sampler
	// Network, if not nil, replaces the default networks. In a box it has k + 2 outputs and is multiplied by a mask;
	// with a Sampler it has k outputs f, and ψ = √ρ f.
	Network net.Waves
}

const (
	spareStates = 2    // with a level close to the last one its error was 1e-4; without spare functions 2 %
	startRadius = 0.5  // T's largest eigenvalue: functions f = s(H + ε)g start small
	minEnergy   = 1e-6 // of H + ε, relative to the energy of state k

	waveEval = 16_384
	// lastLayer scales the initial last layer in a box. With large initial functions OMM first removes the leading
	// eigenfunctions (notebooks/06_schrodinger_inverse).
	lastLayer    = 0.3
	waveFeatures = 32 // random frequencies in a box
)

var waveHidden = []int{48, 48}

// Define evaluates the potential to estimate scales.
func (s Schrodinger) Define(b compute.Backend, k int) (Task, error) {
	switch {
	case s.Potential == nil:
		return Task{}, errors.New("schrödinger: Potential is nil, want a function of points")
	case (s.Sampler == nil) == (s.Box.Lower == nil && s.Box.Upper == nil):
		return Task{}, errors.New("schrödinger: set either Box, for confined states, or Sampler, for states of " +
			"negative energy")
	case s.Sampler != nil:
		return s.onSamples(b, k)
	}
	if err := s.Box.Validate(); err != nil {
		return Task{}, err
	}
	system := schrodinger.System{Name: "Schrödinger operator", Dim: len(s.Box.Lower), Potential: s.Potential}
	if err := system.Bounded(b, s.Box); err != nil {
		return Task{}, err
	}
	scales, err := system.Scales(b, s.Box, k)
	if err != nil {
		return Task{}, err
	}
	lowest, highest := scales.Lowest, scales.Highest
	if !(lowest > minEnergy*highest) {
		return Task{}, fmt.Errorf("schrödinger: energy 1 is estimated at only %.3g above the minimum of the "+
			"potential, %.3g, and energy %d at %.3g: check Potential and Box", lowest, scales.Minimum, k, highest)
	}
	more := "use more Steps and a larger Batch; for walls and singularities, which smoothing shifts, use " +
		"schrodinger.System.Differences in few dimensions; learn wells that are far apart each in a Box of its own"
	// Of all shifts that leave H + ε positive, this one makes the gap below state k largest relative to T's largest
	// eigenvalue: (E_1 + ε)/(E_k + ε)² has its maximum at E_k + ε = 2(E_1 + ε).
	above := max(0, highest-2*lowest)
	epsilon, factor := above-scales.Minimum, 1/(startRadius*(lowest+above))
	around, centre := scales.Region.Centred() // of x in the graphs
	samples := schrodinger.Lattice{Box: around}
	// Frequencies have root mean square ½ and ¼ of the wave number of a particle with the highest energy, which is
	// divided between the axes as the energies along them are.
	turns := math.Sqrt(highest) / (2 * math.Pi) / math.Sqrt(float64(system.Dim))
	features := net.Fourier{Dims: system.Dim, Frequencies: waveFeatures, Scales: []float64{turns / 4, turns / 2}}
	networks := net.NewFourierDisjoint(features, waveHidden, k+spareStates, around, lastLayer)
	for i := range networks.Frequencies {
		networks.Frequencies[i] *= math.Sqrt(scales.Axes[i%system.Dim] / stat.Mean(scales.Axes, nil))
	}
	functions := inBox(networks, scales.Region, kindWaves)
	if s.Network != nil {
		functions = inBox(s.Network, scales.Region, kindMasked)
	}
	key := fmt.Sprintf("{%.4g %.4g %.4g %.4g {%.4g %.4g} %.4g %.4g %.4g}", scales.Minimum, lowest, highest, scales.Axes,
		scales.Region.Lower, scales.Region.Upper, scales.Border, scales.Fall, scales.Fingerprint)
	return Task{Functions: functions, lowest: true, volume: samples.Volume(), spare: spareStates, improve: more,
		scales: scales, Key: key, defaults: Settings{Steps: 2_000, Rate: networkRate, EvalBatch: waveEval},
		Draw: func(in Inputs, n int) ommlx.Batch {
			x := samples.Sample(in.Random, in.Params[0].DType(), n)
			at := graph.Add(x, graph.ExpandLeftToRank(graph.ConstAs(x, centre), x.Rank()))
			h := operator.Hamiltonian{Potential: s.Potential(at)}
			return h.Inverse(functions.jet(in.Params, x), factor, epsilon)
		},
		Own: func(b ommlx.Batch) (psi, applied *graph.Node) {
			return b.TF, graph.Sub(graph.MulScalar(b.F, 1/factor), graph.MulScalar(b.TF, epsilon))
		}}, nil
}

// Frequencies are relative to the width of the samples. The public code of the paper's predecessor uses 10 for hydrogen
// and 25 for the oscillator (net.Fourier, schrodinger.Gaussian); the slower ones are for smooth parts.
const fastFrequency, slowFrequency = 10, 2.5

// onSamples returns the task for states on all of ℝ^D.
func (s Schrodinger) onSamples(b compute.Backend, k int) (Task, error) {
	samples, err := schrodinger.Samples(b, s.Sampler, s.Potential, waveEval)
	if err != nil {
		return Task{}, err
	}
	_, dim := samples.Points.Dims()
	least := mat.Min(samples.Potential)
	if least >= 0 { // then H has no state of negative energy
		return Task{}, fmt.Errorf("schrödinger: minimum of the potential on %d samples is %.3g, want below 0 for "+
			"states of negative energy: use a Box for confined states, or a potential that vanishes at infinity",
			waveEval, least)
	}
	factor := math.Exp2(-math.Round(math.Log2(-least))) // T = −factor·H, for units in which energies are far from 1
	functions := wavefunctions{Waves: s.Network, kind: kindSampled,
		factor: func(x jet.Jet) jet.Jet { return jet.Exp(*schrodinger.LogRoot(s.Sampler, x.Value)) }}
	if s.Network == nil {
		scales := []float64{slowFrequency, fastFrequency}
		floats.Scale(1/(2*math.Pi*samples.Deviation), scales)
		features := net.Fourier{Dims: dim, Frequencies: 64, Scales: scales}
		functions.Waves = net.NewFourierDisjoint(features, waveHidden, k, net.Box{}, 1)
	}
	// The next state of a square or a parabolic well is farther away than the energy above its bottom, divided by the
	// dimension. The continuous spectrum begins at 0.
	gap := func(energy float64) float64 { return min(-energy, (energy-least)/float64(dim)) }
	return Task{Functions: functions, lowest: true, negative: true, gap: gap,
		Key:      fmt.Sprintf("samples %.4g %.4g", mat.Norm(samples.Points, 2), mat.Norm(samples.Potential, 2)),
		defaults: Settings{Objective: ommlx.Sanger{}, Steps: 3_000, Rate: networkRate, EvalBatch: waveEval},
		remedy: "the samples are too narrow, or fewer than k states have negative energy: widen the Sampler, lower " +
			"k, or use a Box for confined states",
		Draw: func(in Inputs, n int) ommlx.Batch {
			x := s.Sampler.Sample(in.Random, in.Params[0].DType(), n)
			h := operator.Hamiltonian{Potential: s.Potential(x), LogRoot: schrodinger.LogRoot(s.Sampler, x)}
			return h.Direct(functions.Waves.Apply(in.Params, jet.Inputs(x)), factor)
		},
		Own: func(b ommlx.Batch) (f, applied *graph.Node) { return b.F, graph.MulScalar(b.TF, -1/factor) }}, nil
}

// wavefunctions are ψ_i(x) = m(x) f_i(x), with networks f_i. In a box, the mask m of [net.Box] makes them vanish on
// the faces and outside (Dirichlet). For samples of a law ρ on ℝ^D, m = √ρ.
type wavefunctions struct {
	net.Waves
	net.Coordinates                         // relative to the centre of the box
	factor          func(x jet.Jet) jet.Jet // m
	box             net.Box                 // in the caller's coordinates; the zero value: no box
	kind            string                  // in a file: one of the three of wavefunctions
}

// inBox returns the wavefunctions of networks in a box. They take coordinates relative to its centre, since float32
// would lose the digits of coordinates far from the origin.
func inBox(f net.Waves, box net.Box, kind string) wavefunctions {
	around, centre := box.Centred()
	ones := slices.Repeat([]float64{1}, len(centre))
	return wavefunctions{f, net.Coordinates{Mean: centre, Scale: ones}, around.Mask, box, kind}
}

func (w wavefunctions) Validate() error { return net.Validate(w.Waves) }

// Apply takes coordinates relative to the centre of a box.
func (w wavefunctions) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	return w.jet(params, x).Value
}

// jet evaluates the functions with their gradients and Laplacians at x [R, n, D].
func (w wavefunctions) jet(params []*graph.Node, x *graph.Node) jet.Jet {
	if dims := len(w.box.Lower); dims > 0 && x.Shape().Dim(-1) != dims {
		panic(fmt.Errorf("points are %s, want [runs points %d]", x.Shape(), dims))
	}
	points := jet.Inputs(x)
	inputs := points
	if w.kind == kindMasked { // a caller's networks
		back := floats.ScaleTo(make([]float64, len(w.Mean)), -1, w.Mean)
		inputs = jet.Standardise(points, back, w.Scale)
	}
	return jet.Mul(w.Waves.Apply(params, inputs), w.factor(points))
}
