package notebook

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// StreamRule names a rule of streaming PCA.
type StreamRule int

const (
	// Oja moves every column along the sample and then orthonormalises the columns, in order, by the Gram-Schmidt
	// process (Oja & Karhunen 1985, J. Math. Anal. Appl. 106:1),
	//
	//	V ← GS( V + η x xᵀV ).
	//
	// For k = 1 it is Oja's neuron (Oja 1982, J. Math. Biol. 15:3) with exactly unit length. Not only does the span of
	// the columns tend to the leading eigenspace, each column tends to its eigenvector where eigenvalues are simple.
	Oja StreamRule = iota
	// Sanger is Sanger's rule, the generalized Hebbian algorithm (Sanger 1989, Neural Networks 2:6), with no
	// constraint:
	//
	//	v_i ← v_i + η y_i (x − Σ_{j≤i} y_j v_j),   y = Vᵀx.
	//
	// The columns become orthonormal eigenvectors in order if η is small against 1/‖x‖²; a large η diverges. The mean
	// over samples is the step that the paper's section 2.2.5 compares with OMM's sequential nesting.
	Sanger
)

// InverseTime returns the learning rates η_t = c/(t₀ + t), t = 1, 2, …. If c > 1/(2 gap), where gap is the difference
// of the eigenvalues of two directions, the squared sine of the angle that mixes them falls as
//
//	E[sin²θ] ≈ c² λ_i λ_j / ((2c (λ_i − λ_j) − 1) t)
//
// for Gaussian samples (the linearisation of Oja's rule, a stochastic approximation with step c/t); a smaller c is
// slower than 1/t. t₀ keeps the first steps below 1/‖x‖².
func InverseTime(c, t0 float64) func(t int) float64 {
	return func(t int) float64 { return c / (t0 + float64(t)) }
}

// StreamingPCA learns the k leading eigenvectors of the second moment E[x xᵀ] of samples x ∈ R^d. It sees each sample
// once, stores d·k numbers, and needs about 4dk multiplications (2dk² more in Oja's rule) per sample. The mean is not
// subtracted.
type StreamingPCA struct {
	rule        StreamRule
	rate        func(t int) float64
	rows        *mat.Dense // k×d: the components, each contiguous
	steps       int
	projections []float64 // y
	remainder   []float64 // x minus its projections
}

// NewStreamingPCA starts from k random orthonormal columns in R^d. rate returns the learning rate η_t > 0 of step
// t = 1, 2, …, in units of 1/‖x‖²: [InverseTime], a constant, or any function. The first starting columns do not depend
// on k.
//
// It returns an error unless 1 ≤ k ≤ d, the rule exists and rate is not nil.
func NewStreamingPCA(rule StreamRule, d, k int, rate func(t int) float64, seed uint64) (*StreamingPCA, error) {
	if k < 1 || k > d {
		return nil, fmt.Errorf("notebook: k = %d out of range [1, %d]", k, d)
	}
	if rule != Oja && rule != Sanger {
		return nil, fmt.Errorf("notebook: unknown streaming rule %d; use Oja or Sanger", int(rule))
	}
	if rate == nil {
		return nil, errors.New("notebook: no learning rate; pass InverseTime or another function of the step")
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	p := &StreamingPCA{rule: rule, rate: rate, rows: mat.NewDense(k, d, nil),
		projections: make([]float64, k), remainder: make([]float64, d)}
	for i := range k {
		for j := range d {
			p.rows.Set(i, j, rng.NormFloat64())
		}
	}
	p.orthonormalise()
	return p, nil
}

// Update takes one sample x, of length d, and makes one step.
//
// It returns an error if x has another length or a non-finite value, or if the rate is not positive and finite; the
// components are then unchanged. It also returns an error if the step diverged, after which the components are useless.
func (p *StreamingPCA) Update(x []float64) error {
	k, d := p.rows.Dims()
	if len(x) != d {
		return fmt.Errorf("notebook: sample has length %d, want %d", len(x), d)
	}
	for j, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("notebook: sample value %d is %v, want a finite number", j, v)
		}
	}
	eta := p.rate(p.steps + 1)
	if !(eta > 0) || math.IsInf(eta, 0) {
		return fmt.Errorf("notebook: learning rate of step %d is %v, want a positive finite number", p.steps+1, eta)
	}
	p.steps++
	for i := range k {
		p.projections[i] = floats.Dot(p.rows.RawRowView(i), x)
	}
	copy(p.remainder, x)
	for i, y := range p.projections {
		row := p.rows.RawRowView(i)
		if p.rule == Sanger {
			floats.AddScaled(p.remainder, -y, row)
		}
		floats.AddScaled(row, eta*y, p.remainder)
	}
	if p.rule == Oja {
		p.orthonormalise()
	}
	if size := mat.Norm(p.rows, 2); math.IsNaN(size) || math.IsInf(size, 0) {
		return fmt.Errorf("notebook: streaming PCA diverged at step %d, where η‖x‖² is %.3g; "+
			"keep it well below 1 with a smaller learning rate or scale", p.steps, eta*floats.Dot(x, x))
	}
	return nil
}

// orthonormalise is the modified Gram-Schmidt process, run twice for columns that a long step has made nearly parallel.
func (p *StreamingPCA) orthonormalise() {
	k, _ := p.rows.Dims()
	for i := range k {
		row := p.rows.RawRowView(i)
		for range 2 {
			for j := range i {
				before := p.rows.RawRowView(j)
				floats.AddScaled(row, -floats.Dot(before, row), before)
			}
			floats.Scale(1/floats.Norm(row, 2), row)
		}
	}
}

// Components returns a copy of the columns V (d×k). With Oja's rule they are orthonormal; with Sanger's they converge
// to orthonormal columns.
func (p *StreamingPCA) Components() *mat.Dense { return mat.DenseCopyOf(p.rows.T()) }
