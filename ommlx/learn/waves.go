package learn

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// wavefunctions are ψ_i(x) = m(x) f_i(x), with networks f_i. In a box, the mask m of [net.Box] makes
// them vanish on the faces and outside (Dirichlet). For samples of a law ρ on ℝ^D, m = √ρ.
type wavefunctions struct {
	net.Waves
	factor func(x jet.Jet) jet.Jet // m
	box    net.Box                 // in the caller's coordinates; the zero value: no box
	centre []float64               // of the box
	kind   string                  // in a file: one of the three of wavefunctions
}

// inBox returns the wavefunctions of networks in a box. They take coordinates relative to its centre, since float32
// would lose the digits of coordinates far from the origin.
func inBox(f net.Waves, box net.Box, kind string) wavefunctions {
	around, centre := centred(box)
	return wavefunctions{f, around.Mask, box, centre, kind}
}

// centred returns a box of this size around the origin, and the centre of the box.
func centred(box net.Box) (around net.Box, centre []float64) {
	for d, lower := range box.Lower {
		half := (box.Upper[d] - lower) / 2
		centre = append(centre, lower+half)
		around.Lower, around.Upper = append(around.Lower, -half), append(around.Upper, half)
	}
	return around, centre
}

func (w wavefunctions) Validate() error { return valid(w.Waves) }

// Apply takes coordinates relative to the centre of a box: see [inputs].
func (w wavefunctions) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	return w.jet(params, x).Value
}

// relative subtracts the centre of the box from points of the caller, in float64.
func (w wavefunctions) relative(points mat.Matrix) mat.Matrix {
	if w.centre == nil {
		return points
	}
	return standardised{mean: w.centre, scale: slices.Repeat([]float64{1}, len(w.centre))}.standardise(points)
}

// jet evaluates the functions with their gradients and Laplacians at x [R, n, D].
func (w wavefunctions) jet(params []*graph.Node, x *graph.Node) jet.Jet {
	if dims := len(w.box.Lower); dims > 0 && x.Shape().Dim(-1) != dims {
		panic(fmt.Errorf("points are %s, want [runs points %d]", x.Shape(), dims))
	}
	points := jet.Inputs(x)
	inputs := points
	if w.kind == kindMasked { // a caller's networks
		back := floats.ScaleTo(make([]float64, len(w.centre)), -1, w.centre)
		inputs = jet.Standardise(points, back, slices.Repeat([]float64{1}, len(back)))
	}
	return jet.Mul(w.Waves.Apply(params, inputs), w.factor(points))
}

// waves are the default networks, k' separate networks of Fourier features and, in a box, of coordinates,
//
//	f_i(y, sin ω_1·x, …, cos ω_1·x, …),   y = 2x/width in [−1, 1]^D,
//
// where x is relative to the centre of the box.
type waves struct {
	net.Disjoint
	frequencies []float64 // ω_j, F×D row by row; not trained
	box         net.Box   // of y, around the origin; the zero value: no y
	last        float64   // factor of the initial last layer
}

func newWaves(frequencies []float64, dims, outputs int, box net.Box, last float64) waves {
	inputs := len(box.Lower) + 2*len(frequencies)/dims
	return waves{net.Disjoint{In: inputs, Hidden: []int{waveWidth, waveWidth}, Out: outputs}, frequencies, box, last}
}

func (w waves) Init(seeds []int64) []*tensors.Tensor {
	params := w.Disjoint.Init(seeds)
	_ = w.Scale(params, slices.Repeat([]float64{w.last}, len(seeds))...)
	return params
}

func (w waves) Apply(params []*graph.Node, x jet.Jet) jet.Jet {
	table := train.Table(mat.NewDense(len(w.frequencies)/x.Dims(), x.Dims(), w.frequencies))
	frequencies := graph.ConstTensor(x.Value.Graph(), table)
	frequencies = graph.BroadcastPrefix(frequencies, x.Value.Shape().Dim(0)) // [R, F, D]
	inputs := jet.SinCos(jet.Dense(x, frequencies, nil))
	if w.box.Lower != nil {
		inputs = jet.Concatenate(w.box.Unit(x), inputs)
	}
	return w.Disjoint.Apply(params, inputs)
}

// random draws frequencies of [net.Fourier] at some scales, row by row.
func random(dims, count int, scales ...float64) []float64 {
	return tensorx.Numbers(net.Fourier{Dims: dims, Frequencies: count, Scales: scales}.Init([]int64{1}))
}
