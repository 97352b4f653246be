package rl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// sample is the operator of a run's pairs on the states seen: with W their symmetrised law and ρ_s = Σ_s' W_ss',
//
//	(Tf)(s) = Σ_s' W_ss' f(s') / ρ_s,  ⟨f, g⟩ = Σ_s ρ_s f(s) g(s).
//
// The run learns from this operator, not from the true P.
type sample struct {
	states int   // N, the states of the environment
	seen   []int // states with ρ_s > 0, ascending
	law    *mat.SymDense
	rho    []float64
}

// newSample returns the sample of a law of pairs on all states, N×N.
func newSample(pairs *mat.SymDense) sample {
	d := sample{states: pairs.SymmetricDim(), law: &mat.SymDense{}}
	for s := range d.states {
		mass := 0.0
		for other := range d.states {
			mass += pairs.At(s, other)
		}
		if mass > 0 {
			d.seen, d.rho = append(d.seen, s), append(d.rho, mass)
		}
	}
	d.law.SubsetSym(pairs, d.seen)
	return d
}

// on restricts functions on all states, N×k, to the states seen.
func (d sample) on(functions *mat.Dense) *mat.Dense {
	_, k := functions.Dims()
	rows := mat.NewDense(len(d.seen), k, nil)
	for i, s := range d.seen {
		rows.SetRow(i, functions.RawRowView(s))
	}
	return rows
}

// ritz returns the Ritz functions in the span of functions on all states, N×k. It is nil if the functions are linearly
// dependent or not finite.
func (d sample) ritz(functions *mat.Dense) (*mat.Dense, error) {
	infinite := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	if slices.ContainsFunc(functions.RawMatrix().Data, infinite) {
		return nil, nil
	}
	f := d.on(functions)
	var tf mat.Dense
	tf.Mul(d.law, f)
	tf.Apply(func(i, _ int, v float64) float64 { return v / d.rho[i] }, &tf)
	diagnosis, err := spectral.Diagnose(f, &tf, d.rho)
	if err != nil || diagnosis.Rotation == nil {
		return nil, err
	}
	var turned mat.Dense
	turned.Mul(functions, diagnosis.Rotation)
	return &turned, nil
}

// modes returns the spectrum of D^{−1/2} W D^{−1/2} with D = diag(ρ), whose eigenvectors are D^{1/2} v with v the
// eigenfunctions on the states seen. functions are the first k v on all states, N×k; they are 0 on unseen states.
func (d sample) modes(k int) (truth spectral.Truth, functions *mat.Dense, err error) {
	n := len(d.seen)
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			a.SetSym(i, j, d.law.At(i, j)/math.Sqrt(d.rho[i]*d.rho[j]))
		}
	}
	if truth, err = spectral.SymEigen(a); err != nil {
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

// weighted returns [sample.on] scaled so that the Euclidean inner product is the sample's.
func (d sample) weighted(functions *mat.Dense) *mat.Dense {
	f := d.on(functions)
	f.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(d.rho[i]) }, f)
	return f
}
