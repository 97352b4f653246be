package spectral

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// krylov is a Krylov space of A in the orthogonal complement of locked eigenvectors. With Q its basis and u the next
// vector, both orthonormal and in the complement, it maintains, also after restarts,
//
//	P A Q = Q H + β u e_mᵀ,   H = QᵀAQ,
//
// P projecting onto the complement, so that the residual of a Ritz pair (θ, Qy), Hy = θy, is β|y_m|.
type krylov struct {
	n            int
	apply        func(dst, src []float64)
	rng          *rand.Rand
	radius       float64 // largest ‖Aq‖ and |θ| seen: a lower bound of ‖A‖
	applications int

	locked []float64  // eigenvalues
	basis  *mat.Dense // rows: the locked eigenvectors, then Q, then u
	dim    int        // m, columns of Q
	limit  int        // of m before a restart
	h      *mat.SymDense
	beta   float64
	// invariant means that Q spans an invariant space: β is zero up to rounding, or the complement is exhausted.
	invariant bool

	values, residuals []float64  // of the Ritz pairs, descending
	rotation          *mat.Dense // m×m, row i is y of Ritz pair i
}

func newKrylov(n, k, limit int, apply func(dst, src []float64), rng *rand.Rand) *krylov {
	return &krylov{n: n, apply: apply, rng: rng, limit: limit,
		basis: mat.NewDense(k+limit+1, n, nil), h: mat.NewSymDense(limit, nil)}
}

// image sets dst to A src.
func (s *krylov) image(dst, src []float64) error {
	s.apply(dst, src)
	s.applications++
	length := norm(dst)
	if math.IsNaN(length) || math.IsInf(length, 0) {
		return fmt.Errorf("Lanczos: application %d of the operator is not finite: check it, or its scale",
			s.applications)
	}
	s.radius = max(s.radius, length)
	return nil
}

// checkSymmetry compares ⟨u, Av⟩ with ⟨Au, v⟩ for random unit vectors.
func (s *krylov) checkSymmetry() error {
	u, v := make([]float64, s.n), make([]float64, s.n)
	s.random(u)
	s.random(v)
	au, av := make([]float64, s.n), make([]float64, s.n)
	if err := s.image(au, u); err != nil {
		return err
	}
	if err := s.image(av, v); err != nil {
		return err
	}
	if left, right := floats.Dot(u, av), floats.Dot(au, v); math.Abs(left-right) > asymmetry*s.radius {
		return fmt.Errorf("Lanczos: operator is not symmetric: ⟨u, Av⟩ is %.6g but ⟨Au, v⟩ is %.6g for two random "+
			"unit vectors: for a reversible random walk use D^{1/2} P D^{-1/2}", left, right)
	}
	return nil
}

// random fills v with a unit vector of uniform direction.
func (s *krylov) random(v []float64) {
	for i := range v {
		v[i] = s.rng.NormFloat64()
	}
	floats.Scale(1/norm(v), v)
}

// row returns vector i of Q; i = m is u.
func (s *krylov) row(i int) []float64 { return s.basis.RawRowView(len(s.locked) + i) }

// start empties Q and draws u. The complement must not be empty.
func (s *krylov) start() {
	s.dim, s.invariant, s.values, s.residuals = 0, false, nil, nil
	u := s.row(0)
	s.random(u)
	_, length := s.orthogonalise(u)
	floats.Scale(1/length, u)
}

// complete reports whether Q cannot be extended: it is at its limit or invariant.
func (s *krylov) complete() bool { return s.invariant || s.dim == s.limit }

// extend adds u to Q and finds the next u.
func (s *krylov) extend() error {
	q, next := s.row(s.dim), s.row(s.dim+1)
	if err := s.image(next, q); err != nil {
		return err
	}
	s.dim++
	overlaps, length := s.orthogonalise(next)
	for i, overlap := range overlaps[len(s.locked):] {
		s.h.SetSym(i, s.dim-1, overlap)
	}
	// A remainder of Aq within the rounding of n products has no direction.
	const epsilon = 0x1p-52
	s.beta = length
	s.invariant = length <= 4*epsilon*math.Sqrt(float64(s.n))*s.radius || len(s.locked)+s.dim == s.n
	if s.invariant {
		s.beta = 0
		return nil
	}
	floats.Scale(1/length, next)
	return nil
}

// orthogonalise subtracts from v its projection on the locked vectors and Q, and returns the overlaps with them and the
// remaining length. In exact arithmetic the image of a Krylov vector overlaps with the last two vectors only, so these
// are subtracted first. The classical Gram-Schmidt process then usually takes one pass; it is repeated until it
// subtracts little, which makes the result orthogonal to working precision (Daniel, Gragg, Kaufman & Stewart 1976,
// Math. Comp. 30).
func (s *krylov) orthogonalise(v []float64) (overlaps []float64, length float64) {
	rows := len(s.locked) + s.dim
	overlaps = make([]float64, rows)
	for i := max(0, rows-2); i < rows; i++ {
		q := s.basis.RawRowView(i)
		overlaps[i] = floats.Dot(q, v)
		floats.AddScaled(v, -overlaps[i], q)
	}
	length = norm(v)
	if rows == 0 {
		return overlaps, length
	}
	const passes = 4 // two are enough unless only rounding is left
	for range passes {
		pass := s.overlaps(v, rows)
		before := length
		length = s.subtract(v, pass)
		floats.Add(overlaps, pass)
		if length > before/math.Sqrt2 {
			break
		}
	}
	return overlaps, length
}

// ritz solves the eigenproblem of H.
func (s *krylov) ritz() error {
	m := s.dim
	truth, err := SymEigen(s.h.SliceSym(0, m))
	if err != nil {
		return fmt.Errorf("Lanczos: projection of the operator: %w", err)
	}
	s.values, s.residuals = truth.Values, make([]float64, m)
	s.radius = max(s.radius, math.Abs(s.values[0]), math.Abs(s.values[m-1]))
	s.rotation = mat.DenseCopyOf(truth.Vectors.T())
	for i := range m {
		s.residuals[i] = s.beta * math.Abs(s.rotation.At(i, m-1))
	}
	return nil
}

// rotate replaces the first rows of Q by the leading Ritz vectors. Narrow strips fit in a cache, and save memory.
func (s *krylov) rotate(count int) {
	const narrow = 256
	first := len(s.locked)
	inStripes(s.n, func(_, from, end int) {
		turned := make([]float64, count*narrow)
		for ; from < end; from += narrow {
			to := min(from+narrow, end)
			q := s.basis.Slice(first, first+s.dim, from, to).(*mat.Dense).RawMatrix()
			for i := range count {
				blas64.Gemv(blas.Trans, 1, q, vector(s.rotation.RawRowView(i)), 0, vector(turned[i*narrow:][:to-from]))
			}
			for i := range count {
				copy(s.row(i)[from:to], turned[i*narrow:])
			}
		}
	})
}

// restart keeps the leading Ritz vectors as Q, and u. Adding u to Q finds their couplings to u again.
func (s *krylov) restart(keep int) {
	keep = min(keep, s.dim-1)
	s.rotate(keep)
	copy(s.row(keep), s.row(s.dim))
	s.h.Zero()
	for i, value := range s.values[:keep] {
		s.h.SetSym(i, i, value)
	}
	s.dim = keep
}

// lock adds the leading Ritz pairs to the locked ones, and keeps the largest of all, up to the capacity.
func (s *krylov) lock(count int) {
	s.rotate(count)
	s.locked = append(s.locked, s.values[:count]...)
	rows, _ := s.basis.Dims()
	for room := rows - s.limit - 1; len(s.locked) > room; {
		least, last := floats.MinIdx(s.locked), len(s.locked)-1
		copy(s.basis.RawRowView(least), s.basis.RawRowView(last))
		s.locked[least] = s.locked[last]
		s.locked = s.locked[:last]
	}
	s.dim = 0
}

// stripe is the number of states processed at once, for all vectors of a basis of n states: an eighth, within limits.
// It is the same on every machine, since it determines how sums are rounded.
func stripe(n int) int { return min(max((n+7)/8, 512), 8192) }

// stripes is the number of stripes of n states.
func stripes(n int) int { return (n + stripe(n) - 1) / stripe(n) }

// inStripes calls do for each stripe of n states, first to end, on all cores.
func inStripes(n int, do func(i, first, end int)) {
	var busy sync.WaitGroup
	for i := range stripes(n) {
		busy.Go(func() { do(i, i*stripe(n), min((i+1)*stripe(n), n)) })
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

// subtract subtracts from v the first rows of the basis times the overlaps and returns the remaining length.
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
