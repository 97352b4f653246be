package spectral

import (
	"runtime"
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// stripe is how many states of all vectors of a basis are worked on at once. It is the same on every machine, since
// sums over stripes are rounded as they are cut.
const stripe = 8192

// stripes is their number for n states.
func stripes(n int) int { return (n + stripe - 1) / stripe }

// inStripes calls do for each stripe of n states, first to end, on all cores.
func inStripes(n int, do func(i, first, end int)) {
	var next atomic.Int64
	var busy sync.WaitGroup
	count := stripes(n)
	for range min(count, runtime.GOMAXPROCS(0)) {
		busy.Go(func() {
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				do(i, i*stripe, min((i+1)*stripe, n))
			}
		})
	}
	busy.Wait()
}

// part is a stripe of the first rows of the basis.
func (s *krylov) part(rows, first, end int) blas64.General {
	return s.basis.Slice(0, rows, first, end).(*mat.Dense).RawMatrix()
}

// overlaps returns the products of v with the first rows of the basis.
func (s *krylov) overlaps(v []float64, rows int) []float64 {
	parts := make([][]float64, stripes(s.n))
	inStripes(s.n, func(i, first, end int) {
		parts[i] = make([]float64, rows)
		blas64.Gemv(blas.NoTrans, 1, s.part(rows, first, end), vector(v[first:end]), 0, vector(parts[i]))
	})
	for _, p := range parts[1:] {
		floats.Add(parts[0], p)
	}
	return parts[0]
}

// subtract takes away from v the first rows of the basis times the overlaps and returns the length that is left.
func (s *krylov) subtract(v, overlaps []float64) float64 {
	lengths := make([]float64, stripes(s.n))
	inStripes(s.n, func(i, first, end int) {
		left := v[first:end]
		blas64.Gemv(blas.Trans, -1, s.part(len(overlaps), first, end), vector(overlaps), 1, vector(left))
		lengths[i] = norm(left)
	})
	return norm(lengths)
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

func norm(v []float64) float64 { return blas64.Nrm2(vector(v)) }
