package rl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
)

// sample is the operator of a run's pairs on the states seen: with W their symmetrised law and ρ_s = Σ_s' W_ss',
//
//	(Tf)(s) = Σ_s' W_ss' f(s') / ρ_s,  ⟨f, g⟩ = Σ_s ρ_s f(s) g(s).
//
// On √ρ f the operator is a symmetric matrix, and the inner product is Euclidean. The run learns from this operator,
// not from the true P.
type sample struct {
	states   int           // N, the states of the environment
	seen     []int         // states with ρ_s > 0, ascending
	rho      []float64     // ρ_s of each
	operator *mat.SymDense // D^{−1/2} W D^{−1/2} with D = diag(ρ), on the states seen
}

// newSample returns the sample of a law of pairs on all states, N×N.
func newSample(pairs *mat.SymDense) sample {
	d := sample{states: pairs.SymmetricDim(), operator: &mat.SymDense{}}
	for s := range d.states {
		mass := 0.0
		for other := range d.states {
			mass += pairs.At(s, other)
		}
		if mass > 0 {
			d.seen, d.rho = append(d.seen, s), append(d.rho, mass)
		}
	}
	d.operator.SubsetSym(pairs, d.seen)
	for i := range d.seen {
		for j := range i + 1 {
			d.operator.SetSym(i, j, d.operator.At(i, j)/math.Sqrt(d.rho[i]*d.rho[j]))
		}
	}
	return d
}

// weighted returns √ρ f of functions f on all states, N×k, on the states seen.
func (d sample) weighted(functions *mat.Dense) *mat.Dense {
	rows := linalg.Rows(functions, d.seen)
	rows.Apply(func(i, _ int, v float64) float64 { return math.Sqrt(d.rho[i]) * v }, rows)
	return rows
}

// ritz returns the Ritz functions in the span of functions on all states, N×k. It is nil if the functions are linearly
// dependent or not finite.
func (d sample) ritz(functions *mat.Dense) (*mat.Dense, error) {
	infinite := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	if slices.ContainsFunc(functions.RawMatrix().Data, infinite) {
		return nil, nil
	}
	f := d.weighted(functions)
	diagnosis, err := spectral.Diagnose(f, linalg.Product(d.operator, f), nil)
	if err != nil || diagnosis.Rotation == nil {
		return nil, err
	}
	return linalg.Product(functions, diagnosis.Rotation), nil
}

// modes returns the spectrum of the operator, whose eigenvectors are √ρ v with v the eigenfunctions on the states seen.
// functions are the first k v on all states, N×k; they are 0 on unseen states.
func (d sample) modes(k int) (truth spectral.Eigenpairs, functions *mat.Dense, err error) {
	if truth, err = spectral.SymEigen(d.operator); err != nil {
		return truth, nil, err
	}
	functions = mat.NewDense(d.states, k, nil)
	for i, s := range d.seen {
		for mode := range k {
			functions.Set(s, mode, truth.Vectors.At(i, mode)/math.Sqrt(d.rho[i]))
		}
	}
	return truth, functions, nil
}
