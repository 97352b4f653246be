package notebook

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
)

// Geometric returns d numbers, 1, q, q², …
func Geometric(q float64, d int) []float64 {
	values := make([]float64, d)
	for j := range values {
		values[j] = math.Pow(q, float64(j))
	}
	return values
}

// Sampled is the operator on [0, 1] with the eigenfunctions 1, √2 cos πx, √2 cos 2πx, … and the given eigenvalues. Each
// of the k learned functions is a combination of d of them, one for each eigenvalue, and starts with the norm start.
// Moments are from uniform samples.
func Sampled(eigenvalues []float64, k int, start float64) learn.Task {
	d := len(eigenvalues)
	f := waves{net.Table{States: d, Out: k, Scale: start / math.Sqrt(float64(d))}}
	draw := func(in learn.Inputs, n int) *graph.Node { return in.Random.Uniform(dtypes.Float32, n, 1) }
	return learn.Task{Functions: f, Draw: func(in learn.Inputs, n int) ommlx.Batch {
		x := draw(in, n)
		return ommlx.Batch{F: in.F(x), TF: f.scaled(in.Params, x, eigenvalues)}
	}, States: func(in learn.Inputs, n int) *graph.Node { return in.F(draw(in, n)) }}
}

// waves are functions f = ΦV on [0, 1], Φ = (1, √2 cos πx, √2 cos 2πx, …), with a table V of d×k numbers.
type waves struct{ net.Table }

// Apply evaluates f at x [R, n, 1].
func (c waves) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	return c.scaled(params, x, slices.Repeat([]float64{1}, c.States))
}

// scaled is Φ diag(s) V at x [R, n, 1].
func (c waves) scaled(params []*graph.Node, x *graph.Node, s []float64) *graph.Node {
	row := func(values []float64) *graph.Node { // [1, 1, d]
		return graph.ExpandLeftToRank(graph.ConstAs(x, values), 3)
	}
	size := floats.ScaleTo(make([]float64, c.States), math.Sqrt2, s)
	size[0] = s[0]
	angle := graph.Mul(x, row(floats.Span(make([]float64, c.States), 0, math.Pi*float64(c.States-1))))
	return graph.DotGeneral(graph.Mul(graph.Cos(angle), row(size)), []int{2}, []int{0}, params[0], []int{1}, []int{0})
}

// Skewed is a matrix with the given eigenvalues that is not symmetric: the numbers above its diagonal are ½.
func Skewed(eigenvalues []float64) *mat.Dense {
	a := mat.DenseCopyOf(mat.NewDiagDense(len(eigenvalues), eigenvalues))
	for j := 1; j < len(eigenvalues); j++ {
		a.Set(j-1, j, 0.5)
	}
	return a
}

// Gaussian is the kernel exp(−|x − y|²/2ℓ²) for [learn.Kernel].
func Gaussian(length float64) func(x, y *graph.Node) *graph.Node {
	return func(x, y *graph.Node) *graph.Node {
		return graph.Exp(graph.MulScalar(graph.ReduceSum(graph.Square(graph.Sub(x, y)), -1), -0.5/(length*length)))
	}
}
