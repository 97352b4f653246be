package spectral

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
)

// Lanczos finds the K largest eigenpairs of a symmetric operator A on n states from its products with vectors, by
// thick-restart Lanczos (Wu & Simon 2000, SIAM J. Matrix Anal. Appl. 22:2, 602–616) with full reorthogonalisation. For
// the smallest ones give −A. It stores 2K + Space vectors of length n and costs, in addition to each application of A,
// about 4n(K + Space) multiplications. Fields other than K have defaults for zero.
//
// A Krylov space contains one direction of each eigenspace. After K pairs are found, new spaces are therefore grown
// from random starts in the orthogonal complement of those pairs, until the leading pair of a space does not belong to
// the K, or cannot except for one start in 10¹⁰. This finds every copy of a multiple eigenvalue.
type Lanczos struct {
	K int // number of eigenpairs, 1 ≤ K ≤ n
	// Tolerance is the largest residual ‖Av − λv‖, ‖v‖ = 1, relative to the spectral radius; zero means 1e-10. A simple
	// eigenvalue errs by at most residual²/gap, its eigenvector by residual/gap, with gap the distance to the next.
	Tolerance float64
	// Space is the dimension of the Krylov space before a restart, at least K + 2 or n; zero means 3K/2 + 25. A larger
	// one needs fewer applications of A, and more memory and work for each.
	Space           int
	MaxApplications int // of A, before giving up; zero means 50,000
}

const (
	finestTolerance = 1e-13 // products of vectors of 10⁶ entries in float64 err by about this
	asymmetry       = 1e-7  // allowed difference of ⟨u, Av⟩ and ⟨Au, v⟩ relative to ‖A‖; float32 stays below it
)

// Solve returns the K eigenpairs of the operator A on n states; apply(dst, src) sets dst to A src, both of length n,
// and must neither change src nor keep either. The random starts are always the same, so results are too.
//
// It returns an error for settings out of range, for an operator that is not symmetric or returns values that are not
// finite, and if MaxApplications did not suffice.
func (l Lanczos) Solve(n int, apply func(dst, src []float64)) (Eigenpairs, error) {
	l, err := l.withDefaults(n)
	if err != nil {
		return Eigenpairs{}, err
	}
	s := newKrylov(n, l.K, min(l.Space, n), apply, rand.New(rand.NewPCG(0, 0)))
	if err := s.checkSymmetry(); err != nil {
		return Eigenpairs{}, err
	}
	for found := false; !found; {
		if found, err = l.sweep(s); err != nil {
			return Eigenpairs{}, err
		}
	}
	return l.finish(s)
}

func (l Lanczos) withDefaults(n int) (Lanczos, error) {
	if l.K < 1 || l.K > n {
		return l, fmt.Errorf("Lanczos: K is %d, want 1 to %d, the number of states", l.K, n)
	}
	l.Tolerance = cmp.Or(l.Tolerance, 1e-10)
	l.Space = cmp.Or(l.Space, 3*l.K/2+25) // 25 keeps restarts rare if K is small
	l.MaxApplications = cmp.Or(l.MaxApplications, 50_000)
	if !(l.Tolerance >= finestTolerance && l.Tolerance < 1) {
		return l, fmt.Errorf("Lanczos: Tolerance is %v, want %v, the limit of float64, to below 1", l.Tolerance,
			finestTolerance)
	}
	if l.Space < min(n, l.K+2) {
		return l, fmt.Errorf("Lanczos: Space is %d, want at least K + 2 = %d or the number of states", l.Space, l.K+2)
	}
	return l, nil
}

// sweep grows a Krylov space from a random start in the complement of the locked pairs and locks those that belong to
// the K leading ones. It reports whether all are found: the space had nothing to add to K pairs, or no complement
// exists.
func (l Lanczos) sweep(s *krylov) (found bool, err error) {
	// Residuals of the K locked pairs add to the residuals of later pairs; see finish.
	tolerance := l.Tolerance / math.Sqrt(float64(l.K+1))
	full := len(s.locked) == l.K
	wanted := max(1, l.K-len(s.locked))
	s.start()
	for fresh := true; ; fresh = false {
		if s.applications >= l.MaxApplications {
			return false, fmt.Errorf("Lanczos: %d applications of the operator found %d of %d eigenpairs and did not "+
				"prove them complete: raise MaxApplications, Space or Tolerance", s.applications, len(s.locked), l.K)
		}
		for !s.complete() && s.applications < l.MaxApplications {
			if err := s.extend(); err != nil {
				return false, err
			}
			if full && fresh && s.dim%proofEvery == 0 && s.nothingAbove(slices.Min(s.locked)) {
				return true, nil
			}
		}
		if err := s.ritz(); err != nil {
			return false, err
		}
		// The K-th largest value is taken over the locked pairs and the leading converged ones. A leading pair below it
		// ends the sweep, since none that follows can belong to the K.
		candidates := slices.Clone(s.locked)
		slack := 2 * tolerance * s.radius
		converged, ended := 0, s.invariant
		for converged < len(s.values) && s.residuals[converged] <= tolerance*s.radius {
			value := s.values[converged]
			if full && converged == 0 && value <= slices.Min(candidates)+slack {
				return true, nil
			}
			candidates = append(candidates, value)
			converged++
			slices.Sort(candidates)
			if len(candidates) >= l.K && value <= candidates[len(candidates)-l.K] {
				ended = true
				break
			}
		}
		if ended {
			s.lock(converged)
			return len(s.locked) == s.n, nil
		}
		// To keep few Ritz vectors beyond the wanted ones makes rotations cheap. Ten, if that is at most half of the
		// others, save applications if K is small.
		rest := len(s.values) - wanted
		s.restart(max(wanted+max(rest/4, min(10, rest/2)), converged+1))
	}
}

// finish measures the residuals and sorts the pairs. The residual of a pair for the whole of A is its residual in the
// complement plus the couplings ⟨u, Av⟩ to pairs locked earlier, each at most the residual of u.
func (l Lanczos) finish(s *krylov) (Eigenpairs, error) {
	pairs := Eigenpairs{Values: slices.Clone(s.locked), Vectors: mat.NewDense(s.n, l.K, nil),
		Tolerance: degeneracyTolerance * s.radius, Residuals: make([]float64, l.K)}
	order, image := make([]int, l.K), make([]float64, s.n)
	floats.Argsort(pairs.Values, order) // ascending
	slices.Reverse(pairs.Values)
	slices.Reverse(order)
	for i, value := range pairs.Values {
		v := s.basis.RawRowView(order[i])
		if err := s.image(image, v); err != nil {
			return Eigenpairs{}, err
		}
		floats.AddScaled(image, -value, v)
		pairs.Residuals[i] = norm(image)
		if bound := l.Tolerance * s.radius; pairs.Residuals[i] > bound {
			return Eigenpairs{}, fmt.Errorf("Lanczos: residual of eigenvalue %.6g is %.2g, want at most %.2g: check "+
				"that the operator is linear, symmetric and the same at every call",
				value, pairs.Residuals[i], bound)
		}
		pairs.Vectors.SetCol(i, v)
	}
	pairs.Applications = s.applications
	return pairs, nil
}

const (
	overlooked = 1e-10 // probability that a random start hides an eigenvalue at one of the checks
	proofEvery = 4     // dimensions of the Krylov space between checks
)

// nothingAbove reports whether the complement has no eigenvalue of at least value, by the extreme Ritz values θ ≥ θ' of
// a Krylov space of dimension m that was grown from a random start and never restarted. With λ the largest eigenvalue
// and μ the smallest one, and n the dimension,
//
//	P(λ − θ > ε(λ − μ)) ≤ 1.648 √n exp(−√ε (2m − 1))
//
// (Kuczyński & Woźniakowski 1992, SIAM J. Matrix Anal. Appl. 13:4, 1094–1122, for positive matrices; subtracting μ does
// not change Krylov spaces), and the same for θ' − μ, by −A. If neither occurs, λ ≤ θ + ε(θ − θ')/(1 − 2ε). This proof
// takes fewer applications of the operator than the convergence of θ.
func (s *krylov) nothingAbove(value float64) bool {
	diagonal, next := make([]float64, s.dim), make([]float64, s.dim-1)
	for i := range s.dim {
		if diagonal[i] = s.h.At(i, i); i > 0 {
			next[i-1] = s.h.At(i-1, i) // other entries are zero before a restart, up to rounding
		}
	}
	ritz, ok := linalg.Tridiagonal(diagonal, next)
	events := 2 * float64(s.limit/proofEvery) / overlooked
	epsilon := math.Pow(math.Log(1.648*math.Sqrt(float64(s.n))*events)/float64(2*s.dim-1), 2)
	least, most := ritz[0], ritz[s.dim-1]
	return ok && 2*epsilon < 1 && most+epsilon*(most-least)/(1-2*epsilon) < value
}
