package operator

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// Kernel estimates Tf for the integral operator of a kernel at the samples of a batch,
//
//	(Tf)(x) = E_y[k(x, y) f(y)],   (T̂f)(x_b) = 1/(B−1) Σ_{c≠b} k(x_b, x_c) f(x_c).
//
// The estimate is unbiased because it omits the terms c = b, which would add k(x, x) f(x)/B: about 1/B to every
// eigenvalue of a kernel with k(x, x) = 1.
//
// gram [R, B, B] is the symmetric k(x_b, x_c); f is [R, B, k]. Returns [R, B, k]. B is at least 2.
func Kernel(gram, f *Node) *Node {
	const where = "operator.Kernel"
	requireShape(where, "f", "[R, B, k]", f, some, some, some)
	runs, batch := f.Shape().Dim(0), f.Shape().Dim(1)
	requireShape(where, "the Gram matrix", "[R, B, B] for f [R, B, k]", gram, runs, batch, batch)
	if batch < 2 {
		panic(fmt.Errorf("%s: the batch has %d samples, want at least 2", where, batch))
	}
	g := gram.Graph()
	row, column := Iota(g, gram.Shape(), 1), Iota(g, gram.Shape(), 2)
	others := ConvertDType(NotEqual(row, column), gram.DType())
	return DivScalar(DotGeneral(Mul(gram, others), []int{2}, []int{0}, f, []int{1}, []int{0}), float64(batch-1))
}
