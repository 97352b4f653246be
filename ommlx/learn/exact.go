package learn

import (
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Exact returns the k largest eigenvalues of the walk and its eigenfunctions on the nodes, orthonormal for its
// stationary law, by the Lanczos method: the truth of what is learned.
func (g Graph) Exact(k int) (spectral.Eigenpairs, error) {
	a, degree, err := g.symmetric()
	if err != nil {
		return spectral.Eigenpairs{}, err
	}
	pairs, err := spectral.Lanczos{K: k}.Solve(g.Nodes, a.apply)
	if err != nil {
		return spectral.Eigenpairs{}, err
	}
	total := floats.Sum(degree)
	pairs.Vectors.Apply(func(s, _ int, v float64) float64 { return v * math.Sqrt(total/degree[s]) }, pairs.Vectors)
	return pairs, nil
}

// Exact returns the k largest eigenvalues of the operator on all samples, which are those of the Gram matrix without
// its diagonal, over N − 1, and the eigenfunctions at points M×D, of norm 1 over the samples and extended from them by
// φ = Tφ/λ (Nyström): the truth of what is learned from these samples. Time and memory grow as N². An error says what
// is wrong with the samples, the points or the kernel, or is that of [spectral.Lanczos.Solve].
func (o Kernel) Exact(b compute.Backend, k int, points mat.Matrix) (values []float64, functions *mat.Dense, err error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	if err := ofPoints.check(points, nil); err != nil {
		return nil, nil, err
	}
	n, d := o.Samples.Dims()
	if _, e := points.Dims(); e != d {
		return nil, nil, fmt.Errorf("the samples have %d coordinates, but the points have %d; give points like them",
			d, e)
	}
	between := func(x mat.Matrix) (*mat.Dense, error) {
		data := []*tensors.Tensor{train.Table(x), train.Table(o.Samples)}
		return evaluated(b, data, func(in train.Inputs) *graph.Node {
			gram := o.between(graph.InsertAxes(in.Data[0], 0), graph.InsertAxes(in.Data[1], 0))
			return graph.DivScalar(gram, n-1)
		})
	}
	gram, err := between(o.Samples)
	if err != nil {
		return nil, nil, err
	}
	for i := range n {
		gram.Set(i, i, 0)
	}
	pairs, err := spectral.Lanczos{K: k}.Solve(n, times(gram))
	if err != nil {
		return nil, nil, err
	}
	extension, err := between(points)
	if err != nil {
		return nil, nil, err
	}
	functions = product(extension, pairs.Vectors)
	functions.Apply(func(_, i int, v float64) float64 { return v * math.Sqrt(float64(n)) / pairs.Values[i] }, functions)
	return pairs.Values, functions, nil
}
