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

// boxed represents functions of points in a box. Unless they are periodic, the mask m of [net.Box] makes them vanish on
// the faces and outside (Dirichlet): ψ_i(x) = m(x) n_i(x), with networks n_i.
type boxed struct {
	net.Waves
	box      net.Box
	periodic bool
}

func (w boxed) Validate() error { return valid(w.Waves) }

func (w boxed) Apply(params []*graph.Node, x *graph.Node) *graph.Node { return w.jet(params, x).Value }

// jet evaluates the functions with their gradients and Laplacians at x [R, n, D].
func (w boxed) jet(params []*graph.Node, x *graph.Node) jet.Jet {
	if dims := len(w.box.Lower); x.Rank() != 3 || x.Shape().Dim(-1) != dims {
		panic(fmt.Errorf("points are %s, want [runs points %d]", x.Shape(), dims))
	}
	points := jet.Inputs(x)
	if w.periodic {
		return w.Waves.Apply(params, points)
	}
	mask := w.box.Mask(points)
	return jet.Mul(w.Waves.Apply(params, points), mask)
}

// waves are the default networks in a box, k' separate networks of Fourier features and, unless they are periodic, of
// coordinates,
//
//	n_i(y, sin ω_1·x, …, cos ω_1·x, …),   y = 2(x − centre)/width in [−1, 1]^D.
type waves struct {
	net.Disjoint
	frequencies []float64 // ω_j, F×D row by row; not trained
	box         net.Box   // of y; the zero value: no y
}

// lastLayer scales the initial last layer. With large initial functions OMM first removes the leading eigenfunctions
// (notebooks/06_schrodinger_inverse).
const lastLayer = 0.3

func (w waves) Init(seeds []int64) []*tensors.Tensor {
	params := w.Disjoint.Init(seeds)
	_ = w.Scale(params, slices.Repeat([]float64{lastLayer}, len(seeds))...)
	return params
}

func (w waves) Apply(params []*graph.Node, x jet.Jet) jet.Jet {
	if w.box.Lower == nil {
		return w.Disjoint.Apply(params, w.fourier(x))
	}
	return w.Disjoint.Apply(params, jet.Concatenate(w.box.Unit(x), w.fourier(x)))
}

// fourier returns the features sin ω_j·x and cos ω_j·x.
func (w waves) fourier(x jet.Jet) jet.Jet {
	table := train.Table(mat.NewDense(len(w.frequencies)/x.Dims(), x.Dims(), w.frequencies))
	frequencies := graph.ConstTensor(x.Value.Graph(), table)
	frequencies = graph.BroadcastPrefix(frequencies, x.Value.Shape().Dim(0)) // [R, F, D]
	return jet.SinCos(jet.Dense(x, frequencies, nil))
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
