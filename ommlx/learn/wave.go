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

// Wave are wavefunctions that vanish on the faces of a box and outside of it (Dirichlet),
//
//	ψ_i(x) = m(y) n_i(y, sin ω_1·x, …, cos ω_1·x, …),   y = 2(x − centre)/width in [−1, 1]^D,
//
// with the mask m of net.BoxMask and k separate networks n_i of the coordinates and of Fourier features.
type Wave struct {
	Box         net.Box
	Frequencies []float64 // ω_j, F×D row by row; they are not trained
	Hidden      []int     // widths of the layers of one network
	Count       int       // k'
	// Network, if not nil, takes the place of the networks and their features; it is given the coordinates x alone.
	Network Waves
}

// lastLayer is a factor of the last layer at the start. Functions that start large make OMM remove the leading
// eigenfunctions first (notebooks/06_schrodinger_inverse).
const lastLayer = 0.3

func (w Wave) disjoint() net.Disjoint {
	dims := len(w.Box.Lower)
	return net.Disjoint{In: dims + 2*len(w.Frequencies)/max(1, dims), Hidden: w.Hidden, Out: w.Count}
}

// Validate returns an error when the networks make no sense.
func (w Wave) Validate() error {
	if w.Network != nil {
		return values{w.Network}.Validate()
	}
	return w.disjoint().Validate()
}

// Init draws the parameters of the networks.
func (w Wave) Init(seeds []int64) []*tensors.Tensor {
	if w.Network != nil {
		return w.Network.Init(seeds)
	}
	params := w.disjoint().Init(seeds)
	_ = w.disjoint().Scale(params, slices.Repeat([]float64{lastLayer}, len(seeds))...) // they fit
	return params
}

// Apply evaluates the functions.
func (w Wave) Apply(params []*graph.Node, x *graph.Node) *graph.Node { return w.Jet(params, x).Value }

// Jet evaluates the functions with their gradients and Laplacians at x [R, n, D].
func (w Wave) Jet(params []*graph.Node, x *graph.Node) jet.Jet {
	if x.Rank() != 3 || x.Shape().Dim(-1) != len(w.Box.Lower) {
		panic(fmt.Errorf("wavefunctions in %d dimensions are asked for at points of shape %s; give [runs, points, %d]",
			len(w.Box.Lower), x.Shape(), len(w.Box.Lower)))
	}
	points := jet.Inputs(x)
	mask := w.Box.Mask(points)
	if w.Network != nil {
		return jet.Mul(w.Network.Apply(params, points), mask)
	}
	features := within(w.Box, points) // y
	if count := len(w.Frequencies); count > 0 {
		table := train.Table(mat.NewDense(count/len(w.Box.Lower), len(w.Box.Lower), w.Frequencies))
		frequencies := graph.BroadcastPrefix(graph.ConstTensor(x.Graph(), table), x.Shape().Dim(0)) // ω, [R, F, D]
		features = jet.Concatenate(features, jet.SinCos(jet.Dense(points, frequencies, nil)))
	}
	return jet.Mul(w.disjoint().Apply(params, features), mask)
}

// within are the points of a box as coordinates from −1 to 1.
func within(box net.Box, points jet.Jet) jet.Jet {
	var centre, scale []float64
	for d, low := range box.Lower {
		half := (box.Upper[d] - low) / 2
		centre, scale = append(centre, low+half), append(scale, 1/half)
	}
	return jet.Standardise(points, centre, scale)
}

// waveFeatures is the number of random frequencies.
const waveFeatures = 32

// frequenciesFor draws frequencies whose root mean square lengths are one half and one quarter of a wave number, the
// largest that a classical particle of the energy has.
func frequenciesFor(dims int, waveNumber float64) []float64 {
	scale := waveNumber / (2 * math.Pi) / math.Sqrt(float64(dims))
	return tensorx.Numbers(net.Fourier{Dims: dims, Frequencies: waveFeatures,
		Scales: []float64{scale / 4, scale / 2}}.Init([]int64{1}))
}
