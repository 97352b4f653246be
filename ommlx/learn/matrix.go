package learn

import (
	"errors"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
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
	if i, j, found := linalg.Find(scaled, isInfinite); found {
		return Task{}, fmt.Errorf("matrix: entry (%d, %d) is %v, want a finite float32", i, j, scaled.At(i, j))
	}
	t, radius, err := onStates("matrix", n, k, n*n/denseEntries, linalg.Times(m.A), linalg.Mirrored(n, m.A.At))
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
		if min(i, j) < 0 || max(i, j) >= s.N || isInfinite(v) {
			return Task{}, fmt.Errorf("sparse matrix: entry %d is %v at (%d, %d), want a finite float32 at indices "+
				"in [0, %d)", e, v, i, j, s.N)
		}
	}
	a := linalg.Sparse(s)
	t, radius, err := onStates("sparse matrix", s.N, k, len(s.Values), a.Apply, a.Mirrored)
	t.Data = tables(a, radius)
	t.Draw = func(in Inputs, _ int) ommlx.Batch {
		f := in.F(nil)
		return ommlx.Batch{F: f, TF: operator.Sparse(f, in.Data[0], in.Data[1], in.Data[2])}
	}
	return t, err
}

// tables returns the arguments of [operator.Sparse], with the values divided by radius.
func tables(s linalg.Sparse, radius float64) []*tensors.Tensor {
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
		defaults: Settings{Rate: tableRate, Shift: spectral.PositiveShift(n, k, radius, apply)}}, radius, nil
}

// sumRounding is the float32 rounding of a sum of thousands of terms, relative to the largest entry.
const sumRounding = 1e-4

// notSymmetric describes the entries (i, j) and (j, i) that differ most, as "symptom: cause; remedy", or returns "" if
// the matrix is symmetric. The format of the symptom takes i, j, entry (i, j), j, i, entry (j, i).
func notSymmetric(mirrored func(visit func(i, j int, above, below float64)), symptom, remedy string) string {
	i, j, above, below, found := linalg.Asymmetry(mirrored, sumRounding)
	if !found {
		return ""
	}
	return fmt.Sprintf(symptom+": T is not self-adjoint, so only its symmetric part was learned; "+remedy, i, j, above,
		j, i, below)
}
