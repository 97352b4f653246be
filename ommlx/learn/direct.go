package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// Direct is H = −∇² + V on all of ℝ^D, whose k lowest states are learned as the leading ones of T = −H, without
// inverting anything (Section 3.2). It fits states of negative energy, as of an atom: those that are bound where V
// vanishes far out. For states that are confined, [Schrodinger] is the better way, and needs less choosing.
//
// The default objective is Sanger's rule, which takes no gradient through H and survived where OMM did not
// (notebooks/05_schrodinger_hydrogen). How wide the samples are is for the user to choose: they must cover the states.
type Direct struct {
	System  schrodinger.System
	Sampler schrodinger.Sampler
	// Network is f, of the coordinates, in ψ = √ρ f; nil: k separate networks of Fourier features, whose frequencies
	// follow from the width of the samples.
	Network Waves
}

// The public code of the paper's predecessor has frequencies of 10 over the width of its samples for hydrogen, and 25
// for the oscillator (net.Fourier, schrodinger.Gaussian). Slower ones beside them are for what is smooth.
const fastFrequency, slowFrequency = 10, 2.5

// Task checks the samples.
func (d Direct) Task(b compute.Backend, k int) (Task, error) {
	if d.Sampler == nil {
		return Task{}, errors.New("no sampler is given; set Sampler, for example to a schrodinger.Gaussian as wide " +
			"as the states")
	}
	d.System.Name = cmp.Or(d.System.Name, "Schrödinger operator")
	if err := schrodinger.CheckSamples(b, d.System, d.Sampler, nil, waveBatch); err != nil {
		return Task{}, err
	}
	drawn, err := evaluated(b, nil, func(in train.Inputs) *graph.Node { // x and V
		x := d.Sampler.Sample(in.Random, dtypes.Float32, waveJudge)
		return graph.Concatenate([]*graph.Node{x, d.System.Potential(x)}, -1)
	})
	if err != nil {
		return Task{}, err
	}
	dim := d.System.Dim
	if least := mat.Min(drawn.ColView(dim)); least >= 0 { // then H has no state of negative energy
		return Task{}, fmt.Errorf("the potential is nowhere below %.3g on %d samples, so that −H has no positive "+
			"eigenvalue; use Schrodinger for states that are confined, or give a potential that vanishes far out",
			least, waveJudge)
	}
	functions := density{values{d.Network}, d.Sampler}
	if d.Network == nil {
		x := mat.DenseCopyOf(drawn.Slice(0, waveJudge, 0, dim)).RawMatrix().Data
		turn := 2 * math.Pi * stat.PopStdDev(x, nil)
		fourier := net.Fourier{Dims: dim, Frequencies: 64,
			Scales: []float64{slowFrequency / turn, fastFrequency / turn}}
		functions.Waves = featured{fourier: fourier, Disjoint: net.Disjoint{In: fourier.Features(),
			Hidden: []int{waveWidth, waveWidth}, Out: k}}
	}
	return Task{Functions: functions, Lowest: true, Objective: ommlx.Sanger{}, Steps: 3_000, Rate: waveRate,
		Batch: waveBatch, Judge: waveJudge,
		diverges: "the samples are too narrow for the states, or there are no more states of negative energy: widen " +
			"the sampler, ask for fewer, or use Schrodinger for states that are confined",
		Draw: func(in Inputs, n int) ommlx.Batch {
			x := d.Sampler.Sample(in.Random, in.Params[0].DType(), n)
			h := operator.Hamiltonian{Potential: d.System.Potential(x), LogRoot: schrodinger.LogRoot(d.Sampler, x)}
			return h.Direct(functions.Waves.Apply(in.Params, jet.Inputs(x)), 1)
		},
		Own: func(b ommlx.Batch) (f, applied *graph.Node) { return b.F, graph.Neg(b.TF) }}, nil
}

// density are f as ψ = √ρ f.
type density struct {
	values
	sampler schrodinger.Sampler
}

func (d density) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	points := jet.Inputs(x)
	return jet.Mul(d.Waves.Apply(params, points), schrodinger.RootDensity(d.sampler, points)).Value
}

// featured are separate networks of Fourier features.
type featured struct {
	net.Disjoint
	fourier net.Fourier
}

func (f featured) Apply(params []*graph.Node, x jet.Jet) jet.Jet {
	frequencies := f.fourier.Init(slices.Repeat([]int64{1}, params[0].Shape().Dim(0))) // the same for all runs
	return f.Disjoint.Apply(params, f.fourier.Apply(graph.ConstTensor(params[0].Graph(), frequencies), x))
}
