package spectral

import "math"

// overlooked is the probability with which a random start may hide an eigenvalue.
const overlooked = 1e-10

// nothingAbove reports whether the complement has no eigenvalue of at least value, by the largest Ritz value θ of a
// Krylov space of dimension m that was grown from a random start and never restarted. With λ the largest eigenvalue and
// μ the smallest one, and n the dimension,
//
//	P(λ − θ > ε(λ − μ)) ≤ 1.648 √n exp(−√ε (2m − 1))
//
// (Kuczyński & Woźniakowski 1992, SIAM J. Matrix Anal. Appl. 13:4, 1094–1122, for matrices that are positive; Krylov
// spaces do not change when μ is taken away). Were λ ≥ value, then ε would be at least that of λ = value. λ − μ is at
// most twice the spectral radius. That proof takes fewer applications of the operator than the convergence of θ.
func (s *krylov) nothingAbove(value float64) (bool, error) {
	if err := s.ritz(); err != nil {
		return false, err
	}
	epsilon := (value - s.values[0]) / (2 * s.radius)
	if !(epsilon > 0) {
		return false, nil
	}
	chance := 1.648 * math.Sqrt(float64(s.n)) * math.Exp(-math.Sqrt(epsilon)*float64(2*s.dim-1))
	return chance < overlooked, nil
}
