package learn

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/train"
)

// Matrix is a symmetric matrix, N×N, whose k largest eigenvalues and their unit eigenvectors are learned: the vectors
// are trained as they stand, by exact moments (Section 2.2). Of one that is not symmetric, but for rounding, the
// symmetric part is learned, and the diagnosis and [Learned.Advice] say where it is not, for every k.
type Matrix struct{ A mat.Matrix }

// Task scales the matrix to the spectral radius 1.
func (m Matrix) Task(_ compute.Backend, k int) (Task, error) {
	if m.A == nil {
		return Task{}, errors.New("no matrix is given; set A")
	}
	n, columns := m.A.Dims()
	if n != columns {
		return Task{}, fmt.Errorf("the matrix is %d×%d; only a square one has eigenvectors", n, columns)
	}
	for i := range n {
		for j := range n {
			if v := m.A.At(i, j); !finite(v) {
				return Task{}, fmt.Errorf("entry (%d, %d) of the matrix is %v; all entries must be finite, in float32",
					i, j, v)
			}
		}
	}
	said := notSymmetric(m.A.At, above(n), "entry (%d, %d) of the matrix is %.6g, but entry (%d, %d) is %.6g",
		symmetrise)
	radius := spectralRadius(n, times(m.A))
	var scaled mat.Dense
	scaled.Scale(1/radius, m.A)
	data := []*tensors.Tensor{train.Table(&scaled)}
	return onStates(n, k, n*n/denseEntries, radius, said, data, func(f *graph.Node, data []*graph.Node) *graph.Node {
		_, tf := operator.Matrix(graph.MulScalar(f, 1/math.Sqrt(float64(n))), data[0]) // which has √N of its own
		return tf
	})
}

// Sparse is a symmetric N×N matrix of which the entries that are not zero are listed, both (i, j) and (j, i); an entry
// that is listed twice counts twice. What is learned is as for [Matrix], also where it is not symmetric, as one of
// which (i, j) alone is listed.
type Sparse struct {
	N             int
	Rows, Columns []int // of the entries, from 0
	Values        []float64
}

// Task scales the matrix to the spectral radius 1.
func (s Sparse) Task(_ compute.Backend, k int) (Task, error) {
	if s.N < 1 || len(s.Rows) != len(s.Columns) || len(s.Rows) != len(s.Values) || len(s.Rows) == 0 {
		return Task{}, fmt.Errorf("a sparse matrix of %d rows is given %d rows, %d columns and %d values of entries; "+
			"give the same number of each, at least 1", s.N, len(s.Rows), len(s.Columns), len(s.Values))
	}
	for e, v := range s.Values {
		if i, j := s.Rows[e], s.Columns[e]; min(i, j) < 0 || max(i, j) >= s.N {
			return Task{}, fmt.Errorf("entry %d of the sparse matrix is at (%d, %d), outside of its %d rows, which "+
				"count from 0", e, i, j, s.N)
		}
		if !finite(v) {
			return Task{}, fmt.Errorf("entry %d of the sparse matrix is %v; all entries must be finite, in float32",
				e, v)
		}
	}
	sums := make(map[[2]int]float64, len(s.Values))
	for e, v := range s.Values {
		sums[[2]int{s.Rows[e], s.Columns[e]}] += v
	}
	entry := func(i, j int) float64 { return sums[[2]int{i, j}] }
	said := notSymmetric(entry, func(look func(i, j int)) {
		for e, i := range s.Rows {
			look(min(i, s.Columns[e]), max(i, s.Columns[e]))
		}
	}, "entry (%d, %d) of the sparse matrix is %.6g, but entry (%d, %d) is %.6g", symmetrise)
	radius := spectralRadius(s.N, s.apply)
	return onStates(s.N, k, len(s.Values), radius, said, s.tables(radius),
		func(f *graph.Node, data []*graph.Node) *graph.Node {
			return operator.Sparse(f, data[0], data[1], data[2])
		})
}

// apply multiplies the matrix by src.
func (s Sparse) apply(dst, src []float64) {
	clear(dst)
	for e, v := range s.Values {
		dst[s.Rows[e]] += v * src[s.Columns[e]]
	}
}

// tables are the arguments of [operator.Sparse], with the values divided by radius.
func (s Sparse) tables(radius float64) []*tensors.Tensor {
	rows, columns, values := make([]int32, len(s.Rows)), make([]int32, len(s.Rows)), make([]float32, len(s.Rows))
	for e, v := range s.Values {
		rows[e], columns[e], values[e] = int32(s.Rows[e]), int32(s.Columns[e]), float32(v/radius)
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(rows, len(rows)),
		tensors.FromFlatDataAndDimensions(columns, len(columns)),
		tensors.FromFlatDataAndDimensions(values, len(values))}
}

// tableRate is the learning rate for tables, whose entries are about 1 in the end.
const tableRate = 3e-2

// onStates is the task of k functions on n states of weight 1 each, with the operator of so many entries divided by
// radius, of which it is said where it is not symmetric.
func onStates(n, k, entries int, radius float64, notSymmetric string, data []*tensors.Tensor,
	apply func(f *graph.Node, data []*graph.Node) *graph.Node) (Task, error) {
	if err := enoughStates(n, k); err != nil {
		return Task{}, err
	}
	return Task{Functions: table(n, k), Data: data, Volume: float64(n), Rate: tableRate, notSymmetric: notSymmetric,
		touched: k * (n + entries), Draw: func(in Inputs, _ int) ommlx.Batch {
			f := in.F(nil)
			return ommlx.Batch{F: f, TF: apply(f, in.Data)}
		},
		Own: func(b ommlx.Batch) (f, tf *graph.Node) { return b.F, graph.MulScalar(b.TF, radius) }}, nil
}

// times multiplies by a square matrix.
func times(a mat.Matrix) func(dst, src []float64) {
	return func(dst, src []float64) {
		mat.NewVecDense(len(dst), dst).MulVec(a, mat.NewVecDense(len(src), src))
	}
}

func enoughStates(n, k int) error {
	if k > n {
		return fmt.Errorf("%d functions on %d states were asked for; ask for at most as many as there are states", k, n)
	}
	return nil
}

// spectralRadius estimates max |λ| of a symmetric operator from below by the power method; it is 1 for the zero
// operator.
func spectralRadius(n int, apply func(dst, src []float64)) float64 {
	const rounds = 20 // a few percent are enough: it sets the scale, nothing more
	rng := rand.New(rand.NewPCG(1, 1))
	v, next := make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	radius := 0.0
	for range rounds {
		floats.Scale(1/floats.Norm(v, 2), v)
		apply(next, v)
		if radius = floats.Norm(next, 2); radius == 0 {
			return 1
		}
		v, next = next, v
	}
	return radius
}
