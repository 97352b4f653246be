package learn

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// boxed represents wavefunctions that vanish on the faces of a box and outside it (Dirichlet),
//
//	ψ_i(x) = m(y) n_i(y, sin ω_1·x, …, cos ω_1·x, …),   y = 2(x − centre)/width in [−1, 1]^D,
//
// with the mask m of net.BoxMask and k separate networks n_i of the coordinates and Fourier features.
type boxed struct {
	box         net.Box
	frequencies []float64 // ω_j, F×D row by row; not trained
	hidden      []int     // widths of the layers of one network
	count       int       // k'
	network     net.Waves // if not nil, replaces networks and features; its input is x
}

// lastLayer scales the initial last layer. With large initial functions OMM first removes the leading eigenfunctions
// (notebooks/06_schrodinger_inverse).
const lastLayer = 0.3

func (w boxed) disjoint() net.Disjoint {
	dims := len(w.box.Lower)
	return net.Disjoint{In: dims + 2*len(w.frequencies)/max(1, dims), Hidden: w.hidden, Out: w.count}
}

func (w boxed) Validate() error {
	if w.network != nil {
		return valid(w.network)
	}
	return w.disjoint().Validate()
}

func (w boxed) Init(seeds []int64) []*tensors.Tensor {
	if w.network != nil {
		return w.network.Init(seeds)
	}
	params := w.disjoint().Init(seeds)
	_ = w.disjoint().Scale(params, slices.Repeat([]float64{lastLayer}, len(seeds))...)
	return params
}

func (w boxed) Apply(params []*graph.Node, x *graph.Node) *graph.Node { return w.jet(params, x).Value }

// jet evaluates the functions with their gradients and Laplacians at x [R, n, D].
func (w boxed) jet(params []*graph.Node, x *graph.Node) jet.Jet {
	dims := len(w.box.Lower)
	if x.Rank() != 3 || x.Shape().Dim(-1) != dims {
		panic(fmt.Errorf("points are %s, want [runs points %d]", x.Shape(), dims))
	}
	points := jet.Inputs(x)
	mask := w.box.Mask(points)
	if w.network != nil {
		return jet.Mul(w.network.Apply(params, points), mask)
	}
	features := within(w.box, points) // y
	if count := len(w.frequencies); count > 0 {
		table := train.Table(mat.NewDense(count/dims, dims, w.frequencies))
		frequencies := graph.BroadcastPrefix(graph.ConstTensor(x.Graph(), table), x.Shape().Dim(0)) // ω, [R, F, D]
		features = jet.Concatenate(features, jet.SinCos(jet.Dense(points, frequencies, nil)))
	}
	return jet.Mul(w.disjoint().Apply(params, features), mask)
}

// within maps points of a box to [−1, 1]^D.
func within(box net.Box, points jet.Jet) jet.Jet {
	var centre, scale []float64
	for d, low := range box.Lower {
		half := (box.Upper[d] - low) / 2
		centre, scale = append(centre, low+half), append(scale, 1/half)
	}
	return jet.Standardise(points, centre, scale)
}

const waveFeatures = 32 // random frequencies

// frequenciesFor draws frequencies whose root mean square lengths are one half and one quarter of waveNumber.
func frequenciesFor(dims int, waveNumber float64) []float64 {
	scale := waveNumber / (2 * math.Pi) / math.Sqrt(float64(dims))
	return tensorx.Numbers(net.Fourier{Dims: dims, Frequencies: waveFeatures,
		Scales: []float64{scale / 4, scale / 2}}.Init([]int64{1}))
}
