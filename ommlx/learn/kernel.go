package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/learn/inspect"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Kernel is the integral operator of a symmetric kernel on samples of a law ρ, (Tf)(x) = E_{y~ρ}[k(x, y) f(y)]. [Learn]
// finds its k largest eigenvalues. If the kernel is not symmetric on the first 512 samples, up to rounding, its
// symmetric part is learned and [Learned.Advice] reports it.
//
// For samples of weights w_i that sum to 1, repeat each in proportion to its weight, or learn the Matrix
// √(w_i w_j) k(x_i, x_j), whose eigenvectors are √w_i f(x_i).
type Kernel struct {
	Samples mat.Matrix // N×D
	// K maps x [R, n, 1, D] and y [R, 1, n, D] to the kernel of each pair of points, [R, n, n]. nil: exp(−|x − y|²/2h²)
	// with h the median distance of samples.
	K func(x, y *graph.Node) *graph.Node
	// Functions maps the samples' coordinates to k values; nil: a two-layer network on standardised coordinates, with
	// two more functions, which are dropped after the training.
	Functions net.Functions
}

const (
	radiusSamples = 512  // to estimate the spectral radius of a kernel
	minOffDiag    = 1e-6 // of the diagonal, below which all that learning could find is noise
)

// Define scales the operator to a spectral radius of about 1.
func (o Kernel) Define(b compute.Backend, k int) (Task, error) {
	o, err := o.ready(k)
	if err != nil {
		return Task{}, err
	}
	n, _ := o.Samples.Dims()
	first := min(n, radiusSamples)
	samples := linalg.Rows(o.Samples, xslices.Iota(0, first))
	gram, err := o.gram(b, samples, samples, 1)
	if err != nil {
		return Task{}, err
	}
	if i, j, found := linalg.Find(gram, isInfinite); found {
		return Task{}, fmt.Errorf("kernel: K of samples %d and %d is %v, want finite", i, j, gram.At(i, j))
	}
	notSymmetric := notSymmetric(linalg.Mirrored(first, gram.At), "K(%d, %d) of the samples is %.3g, but K(%d, %d) "+
		"is %.3g", "use (k(x, y) + k(y, x))/2")
	var diagonal float64 // its largest entry
	for i := range first {
		diagonal = max(diagonal, math.Abs(gram.At(i, i)))
		gram.Set(i, i, 0) // the moments omit pairs of a sample with itself
	}
	switch distinct := floats.Norm(gram.RawMatrix().Data, math.Inf(1)); {
	case distinct == 0 && diagonal == 0:
		return Task{}, errors.New("kernel: K is 0 for all samples in float32: multiply it by a constant")
	case distinct <= minOffDiag*diagonal:
		return Task{}, fmt.Errorf("kernel: K(x, y) is at most %.2g for distinct samples, but %.2g for x = y: %s",
			distinct, diagonal, cmp.Or(inspect.Coarse(o.Samples), "use a wider kernel"))
	}
	gram.Scale(1/float64(first-1), gram)
	functions, spare := orNetwork(o.Functions, o.Samples, k, spareFunctions)
	radius := spectral.Radius(first, linalg.Times(gram))
	t := Task{Functions: functions, notSymmetric: notSymmetric, spare: spare, rows: n,
		Data: []*tensors.Tensor{train.Table(o.Samples), inputs(functions, o.Samples)},
		Key:  fmt.Sprintf("kernel %.4g %.4g", radius, mat.Norm(gram, 2)),
		defaults: Settings{Steps: 5_000, Rate: networkRate,
			Shift: spectral.PositiveShift(first, k+spare, radius, linalg.Times(gram))}}
	if first == n {
		t.apply = linalg.Times(gram)
	}
	t.Draw = func(in Inputs, batch int) ommlx.Batch {
		rows := choose(in, n, batch)
		x, f := rows(in.Data[0]), in.F(rows(in.Data[1]))
		return ommlx.Batch{F: f, TF: graph.MulScalar(operator.Kernel(o.between(x, x), f), 1/radius)}
	}
	if t.examine(o.Samples, o.Functions, rowOf("Samples")); o.Functions == nil { // K takes raw coordinates
		t.remarks = append(t.remarks, inspect.Coarse(o.Samples))
	}
	t.States = func(in Inputs, batch int) *graph.Node { return in.F(choose(in, n, batch)(in.Data[1])) }
	t.Own = func(b ommlx.Batch) (f, tf *graph.Node) { return b.F, graph.MulScalar(b.TF, radius) }
	return t, nil
}

// ready checks the samples and returns the kernel with K, by default exp(−|x − y|²/2h²) with the median distance h.
func (o Kernel) ready(k int) (Kernel, error) {
	if err := cmp.Or(check("kernel: Samples", o.Samples, o.Functions), tiny("kernel: Samples", o.Samples)); err != nil {
		return o, err
	}
	if err := enoughStates("kernel: Samples", k, o.Samples); err != nil || o.K != nil {
		return o, err
	}
	h := linalg.MedianDistance(o.Samples, radiusSamples)
	if h == 0 {
		return o, errors.New("kernel: Samples: nearly all rows are equal, so they have no width: set K")
	}
	o.K = func(x, y *graph.Node) *graph.Node {
		squares := graph.ReduceSum(graph.Square(graph.MulScalar(graph.Sub(x, y), 1/h)), -1) // h² may overflow
		return graph.Exp(graph.MulScalar(squares, -0.5))
	}
	return o, nil
}

// between returns the kernel of points x [R, m, D] and y [R, n, D], [R, m, n].
func (o Kernel) between(x, y *graph.Node) *graph.Node {
	gram := o.K(graph.InsertAxes(x, 2), graph.InsertAxes(y, 1))
	runs, m, n := x.Shape().Dim(0), x.Shape().Dim(1), y.Shape().Dim(1)
	if s := gram.Shape(); s.Rank() != 3 || s.Dim(0) != runs || s.Dim(1) != m || s.Dim(2) != n {
		panic(fmt.Errorf("kernel: K is %s, want [%d %d %d]", s, runs, m, n))
	}
	return gram
}

// gram computes the kernel of the rows of x and y, divided by a number.
func (o Kernel) gram(b compute.Backend, x, y mat.Matrix, divisor int) (*mat.Dense, error) {
	data := []*tensors.Tensor{train.Table(x), train.Table(y)}
	return train.Compute(b, data, func(in train.Inputs) *graph.Node {
		gram := o.between(graph.InsertAxes(in.Data[0], 0), graph.InsertAxes(in.Data[1], 0))
		return graph.DivScalar(gram, divisor)
	})
}

// Exact computes the k largest eigenvalues on all samples and the eigenfunctions at points, M×D, to compare with
// learned functions. The operator is the Gram matrix without its diagonal, divided by N − 1. The functions have mean
// square 1 over the samples and are extended to points by φ = Tφ/λ (Nyström). Time and memory grow as N².
func (o Kernel) Exact(b compute.Backend, k int, points mat.Matrix) (values []float64, functions *mat.Dense, err error) {
	if o, err = o.ready(k); err != nil {
		return nil, nil, err
	}
	n, d := o.Samples.Dims()
	if err := checkPoints(points, d); err != nil {
		return nil, nil, err
	}
	gram, err := o.gram(b, o.Samples, o.Samples, n-1)
	if err != nil {
		return nil, nil, err
	}
	for i := range n {
		gram.Set(i, i, 0)
	}
	pairs, err := spectral.Lanczos{K: k}.Solve(n, linalg.Times(gram))
	if err != nil {
		return nil, nil, err
	}
	extension, err := o.gram(b, points, o.Samples, n-1)
	if err != nil {
		return nil, nil, err
	}
	functions = linalg.Product(extension, pairs.Vectors)
	functions.Apply(func(_, i int, v float64) float64 { return v * math.Sqrt(float64(n)) / pairs.Values[i] }, functions)
	return pairs.Values, functions, nil
}
