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
	periodic    bool      // ω_j are multiples of 2π/width, and there is neither a mask nor y
}

// lastLayer scales the initial last layer. With large initial functions OMM first removes the leading eigenfunctions
// (notebooks/06_schrodinger_inverse).
const lastLayer = 0.3

func (w boxed) disjoint() net.Disjoint {
	dims := len(w.box.Lower)
	features := 2 * len(w.frequencies) / max(1, dims)
	if !w.periodic {
		features += dims
	}
	return net.Disjoint{In: features, Hidden: w.hidden, Out: w.count}
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
	if w.periodic {
		return w.disjoint().Apply(params, w.waves(points))
	}
	mask := w.box.Mask(points)
	if w.network != nil {
		return jet.Mul(w.network.Apply(params, points), mask)
	}
	features := jet.Concatenate(w.box.Unit(points), w.waves(points)) // y and waves
	return jet.Mul(w.disjoint().Apply(params, features), mask)
}

// waves are the Fourier features sin ω_j·x and cos ω_j·x.
func (w boxed) waves(points jet.Jet) jet.Jet {
	dims := len(w.box.Lower)
	table := train.Table(mat.NewDense(len(w.frequencies)/dims, dims, w.frequencies))
	frequencies := graph.ConstTensor(points.Value.Graph(), table)
	frequencies = graph.BroadcastPrefix(frequencies, points.Value.Shape().Dim(0)) // [R, F, D]
	return jet.SinCos(jet.Dense(points, frequencies, nil))
}

// harmonics returns the frequencies of periodic functions, row by row: multiples of 2π/width of each axis up to about a
// wave number, at least 2 and at most 8.
func harmonics(box net.Box, waveNumber float64) (frequencies []float64) {
	for d, low := range box.Lower {
		base := 2 * math.Pi / (box.Upper[d] - low)
		for m := range max(2, min(8, 1+int(waveNumber/base))) {
			row := make([]float64, len(box.Lower))
			row[d] = base * float64(m+1)
			frequencies = append(frequencies, row...)
		}
	}
	return frequencies
}

const waveFeatures = 32 // random frequencies

// frequenciesFor draws frequencies whose root mean square lengths are one half and one quarter of waveNumber.
func frequenciesFor(dims int, waveNumber float64) []float64 {
	scale := waveNumber / (2 * math.Pi) / math.Sqrt(float64(dims))
	return tensorx.Numbers(net.Fourier{Dims: dims, Frequencies: waveFeatures,
		Scales: []float64{scale / 4, scale / 2}}.Init([]int64{1}))
}
