package learn

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Matrix is a symmetric matrix, N×N. [Learn] finds its k largest eigenvalues and unit eigenvectors, training the
// vectors directly with exact moments (Section 2.2). If the matrix is not symmetric, up to rounding, its symmetric part
// is learned and [Learned.Advice] names the worst entry.
//
// A complex Hermitian matrix A + iB is the real symmetric one with the blocks A, −B and B, A: learn 2k functions. Each
// eigenvalue occurs twice, and an eigenvector (u, v) is u + iv. See the example.
//
// Other problems are matrices too:
//
//	Ax = λBx          L⁻¹AL⁻ᵀ with the Cholesky factor, B = LLᵀ; its eigenvectors are y = Lᵀx
//	centred kernel    HKH/n with the Gram matrix K of n samples, H = I − 11ᵀ/n
//	signed graph      D^{−½}AD^{−½} with the degrees Σ_j |a_ij| in D
//
// See also [operator.Matrix], f and Tf for a training loop of your own.
type Matrix struct{ A mat.Matrix }

// Define scales the matrix to the spectral radius 1.
func (m Matrix) Define(_ compute.Backend, k int) (Task, error) {
	if m.A == nil {
		return Task{}, errors.New("matrix: A is nil, want a symmetric matrix")
	}
	n, columns := m.A.Dims()
	if n != columns || n == 0 {
		return Task{}, fmt.Errorf("matrix: A is %d×%d, want square with at least 1 row", n, columns)
	}
	scaled := mat.DenseCopyOf(m.A)
	entries := scaled.RawMatrix().Data
	if e := slices.IndexFunc(entries, func(v float64) bool { return !finite(v) }); e >= 0 {
		return Task{}, fmt.Errorf("matrix: entry (%d, %d) is %v, want a finite float32", e/n, e%n, entries[e])
	}
	t, radius, err := onStates("matrix", n, k, n*n/denseEntries, times(m.A), above(n, m.A.At))
	scaled.Scale(1/radius, scaled)
	t.Data = []*tensors.Tensor{train.Table(scaled)}
	t.Draw = func(in Inputs, _ int) ommlx.Batch {
		f := in.F(nil)
		_, tf := operator.Matrix(graph.MulScalar(f, 1/math.Sqrt(float64(n))), in.Data[0]) // multiplies by √N
		return ommlx.Batch{F: f, TF: tf}
	}
	return t, err
}

// Sparse is a symmetric N×N matrix given by its nonzero entries, both (i, j) and (j, i); entries listed twice are
// added. It is learned like a [Matrix].
type Sparse struct {
	N             int
	Rows, Columns []int // of the entries, in [0, N)
	Values        []float64
}

// Define scales the matrix to the spectral radius 1.
func (s Sparse) Define(_ compute.Backend, k int) (Task, error) {
	if s.N < 1 || len(s.Rows) != len(s.Columns) || len(s.Rows) != len(s.Values) || len(s.Rows) == 0 {
		return Task{}, fmt.Errorf("sparse matrix: N is %d with %d Rows, %d Columns and %d Values, want N ≥ 1 and "+
			"equal lengths of at least 1", s.N, len(s.Rows), len(s.Columns), len(s.Values))
	}
	for e, v := range s.Values {
		i, j := s.Rows[e], s.Columns[e]
		if min(i, j) < 0 || max(i, j) >= s.N || !finite(v) {
			return Task{}, fmt.Errorf("sparse matrix: entry %d is %v at (%d, %d), want a finite float32 at indices "+
				"in [0, %d)", e, v, i, j, s.N)
		}
	}
	t, radius, err := onStates("sparse matrix", s.N, k, len(s.Values), s.apply, s.mirrored)
	t.Data = s.tables(radius)
	t.Draw = func(in Inputs, _ int) ommlx.Batch {
		f := in.F(nil)
		return ommlx.Batch{F: f, TF: operator.Sparse(f, in.Data[0], in.Data[1], in.Data[2])}
	}
	return t, err
}

// apply multiplies the matrix by src.
func (s Sparse) apply(dst, src []float64) {
	clear(dst)
	for e, v := range s.Values {
		dst[s.Rows[e]] += v * src[s.Columns[e]]
	}
}

func (s *Sparse) add(i, j int, v float64) {
	s.Rows, s.Columns, s.Values = append(s.Rows, i), append(s.Columns, j), append(s.Values, v)
}

// mirrored visits each pair of indices i ≤ j that occurs, with the sums of the entries at (i, j) and at (j, i).
func (s Sparse) mirrored(visit func(i, j int, above, below float64)) {
	ends := func(e int) [2]int {
		return [2]int{min(s.Rows[e], s.Columns[e]), max(s.Rows[e], s.Columns[e])}
	}
	order := xslices.Iota(0, len(s.Values)) // a map would take several times the memory of the entries
	slices.SortFunc(order, func(a, b int) int {
		x, y := ends(a), ends(b)
		return slices.Compare(x[:], y[:])
	})
	for next := 0; next < len(order); {
		pair, above, below := ends(order[next]), 0.0, 0.0
		for ; next < len(order) && ends(order[next]) == pair; next++ {
			if e := order[next]; s.Rows[e] == pair[0] {
				above += s.Values[e]
			} else {
				below += s.Values[e]
			}
		}
		if pair[0] == pair[1] {
			below = above
		}
		visit(pair[0], pair[1], above, below)
	}
}

// tables returns the arguments of [operator.Sparse], with the values divided by radius.
func (s Sparse) tables(radius float64) []*tensors.Tensor {
	index := func(i int) int32 { return int32(i) }
	scaled := func(v float64) float32 { return float32(v / radius) }
	return []*tensors.Tensor{tensors.FromValue(xslices.Map(s.Rows, index)),
		tensors.FromValue(xslices.Map(s.Columns, index)), tensors.FromValue(xslices.Map(s.Values, scaled))}
}

const (
	tableRate = 3e-2  // learning rate of tables, whose final entries are about 1
	least32   = 1e-33 // of the largest eigenvalue, so that residuals are not below the range of float32
	startSize = 0.3   // deviation of initial entries: for M[f] ≤ I the loss does not fall along negative eigenvalues
)

// table represents k functions on n states without a network.
func table(n, k int) net.Table { return net.Table{States: n, Out: k, Scale: startSize} }

// onStates returns a task of k functions on n states of weight 1, and the spectral radius, by which the task divides
// the operator. The operator has that many entries, and mirrored visits them for [notSymmetric].
func onStates(what string, n, k, entries int, apply func(dst, src []float64),
	mirrored func(visit func(i, j int, above, below float64))) (t Task, radius float64, err error) {
	radius = spectral.Radius(n, apply)
	if err := enough(n, k); err != nil {
		return t, radius, err
	}
	if !(radius > least32 && radius < 1/least32) {
		return t, radius, fmt.Errorf("the largest eigenvalue is about %.2g, want %g to %g for float32: multiply the "+
			"matrix by a constant", radius, least32, 1/least32)
	}
	return Task{Functions: table(n, k), volume: float64(n), radius: radius,
		Own:   func(b ommlx.Batch) (f, tf *graph.Node) { return b.F, graph.MulScalar(b.TF, radius) },
		apply: apply, rows: n, work: k * (n + entries),
		notSymmetric: notSymmetric(mirrored, "entry (%d, %d) of the "+what+" is %.6g, but entry (%d, %d) is %.6g",
			"for a walk reversible for ρ learn √ρ_i P_ij/√ρ_j or a Graph, otherwise a Joint; else fix the entries"),
		defaults: Settings{Rate: tableRate, Shift: positiveShift(n, k, radius, apply)}}, radius, nil
}

// times returns the product by a square matrix.
func times(a mat.Matrix) func(dst, src []float64) {
	return func(dst, src []float64) {
		mat.NewVecDense(len(dst), dst).MulVec(a, mat.NewVecDense(len(src), src))
	}
}

const (
	minPositive       = 0.02 // k-th eigenvalue, relative to the radius, for which no shift is needed
	shiftTolerance    = 1e-3 // of the eigenvalues that decide on it
	shiftApplications = 300  // of the operator, to find them
)

// positiveShift returns a shift κ, relative to the radius, that makes the k largest eigenvalues of an operator on n
// states positive, since a function without a positive eigenvalue vanishes (Section 2.2.2, Theorem 1). 0: no shift is
// needed. If the eigenvalues that decide are not found, κ = 1 makes all eigenvalues positive.
func positiveShift(n, k int, radius float64, apply func(dst, src []float64)) float64 {
	solver := spectral.Lanczos{K: k, Tolerance: shiftTolerance, MaxApplications: shiftApplications}
	leading, err := solver.Solve(n, apply)
	if err != nil {
		return 1
	}
	if leading.Values[k-1] > minPositive*radius {
		return 0
	}
	solver.K = 1
	lowest, err := solver.Solve(n, func(dst, src []float64) {
		apply(dst, src)
		floats.Scale(-1, dst)
	})
	if err != nil {
		return 1
	}
	return max(0, lowest.Values[0]/radius) + 2*minPositive
}

// sumRounding is the float32 rounding of a sum of thousands of terms, relative to the largest entry.
const sumRounding = 1e-4

// notSymmetric describes the entries (i, j) and (j, i) that differ most, as "symptom: cause; remedy", or returns "" if
// the matrix is symmetric. The format of the symptom takes i, j, entry (i, j), j, i, entry (j, i).
func notSymmetric(everywhere func(visit func(i, j int, above, below float64)), symptom, remedy string) string {
	var row, column int
	var upper, lower, largest float64
	everywhere(func(i, j int, above, below float64) {
		if math.Abs(above-below) > math.Abs(upper-lower) {
			row, column, upper, lower = i, j, above, below
		}
		largest = max(largest, math.Abs(above), math.Abs(below))
	})
	if math.Abs(upper-lower) <= sumRounding*largest {
		return ""
	}
	return fmt.Sprintf(symptom+": T is not self-adjoint, so only its symmetric part was learned; "+remedy, row, column,
		upper, column, row, lower)
}

// above visits the upper triangle of an n×n matrix, with the diagonal.
func above(n int, at func(i, j int) float64) func(visit func(i, j int, above, below float64)) {
	return func(visit func(i, j int, above, below float64)) {
		for j := range n {
			for i := range j + 1 {
				visit(i, j, at(i, j), at(j, i))
			}
		}
	}
}
