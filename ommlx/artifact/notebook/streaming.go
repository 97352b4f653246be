package notebook

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// StreamRule names a rule of streaming PCA.
type StreamRule int

const (
	// Oja moves every column along the sample and orthonormalises the columns in order by the Gram-Schmidt process (Oja
	// & Karhunen 1985, J. Math. Anal. Appl. 106:1),
	//
	//	V ← GS( V + η x xᵀV ).
	//
	// Each column tends to its eigenvector where eigenvalues are simple.
	Oja StreamRule = iota
	// Sanger is Sanger's rule, the generalized Hebbian algorithm (Sanger 1989, Neural Networks 2:6), with no
	// constraint:
	//
	//	v_i ← v_i + η y_i (x − Σ_{j≤i} y_j v_j),   y = Vᵀx.
	//
	// The columns become orthonormal eigenvectors in order if η is small compared with 1/‖x‖²; a large η diverges. The
	// paper's section 2.2.5 compares the mean step over samples with OMM's sequential nesting.
	Sanger
)

// InverseTime returns the learning rates η_t = c/(t₀ + t), t = 1, 2, …. If c > 1/(2 gap), where gap is the difference
// of the eigenvalues of two directions, the squared sine of the angle that mixes them falls as
//
//	E[sin²θ] ≈ c² λ_i λ_j / ((2c (λ_i − λ_j) − 1) t)
//
// for Gaussian samples (the linearisation of Oja's rule); a smaller c is slower than 1/t. t₀ keeps the first steps
// below 1/‖x‖².
func InverseTime(c, t0 float64) func(t int) float64 {
	return func(t int) float64 { return c / (t0 + float64(t)) }
}

// StreamingPCA learns the k leading eigenvectors of the second moment E[x xᵀ] of samples x ∈ R^d, without subtracting
// the mean. It sees each sample once, stores d·k numbers, and needs about 4dk multiplications (2dk² more in Oja's rule)
// per sample.
type StreamingPCA struct {
	rule        StreamRule
	rate        func(t int) float64
	rows        *mat.Dense // k×d: the components, each contiguous
	steps       int
	projections []float64 // y
	remainder   []float64 // x minus its projections
}

// NewStreamingPCA starts from k random orthonormal columns in R^d. rate returns the learning rate η_t > 0 of step
// t = 1, 2, …, in units of 1/‖x‖². It returns an error unless 1 ≤ k ≤ d.
func NewStreamingPCA(rule StreamRule, d, k int, rate func(t int) float64, seed uint64) (*StreamingPCA, error) {
	if k < 1 || k > d {
		return nil, fmt.Errorf("notebook: k = %d out of range [1, %d]", k, d)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	p := &StreamingPCA{rule: rule, rate: rate, rows: mat.NewDense(k, d, nil),
		projections: make([]float64, k), remainder: make([]float64, d)}
	p.rows.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, p.rows)
	p.orthonormalise()
	return p, nil
}

// Update makes one step with the sample x, of length d. It returns an error if the components diverged.
func (p *StreamingPCA) Update(x []float64) error {
	p.steps++
	eta := p.rate(p.steps)
	for i := range p.projections {
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
		return fmt.Errorf("streaming PCA diverged at step %d with η‖x‖² = %.3g; use a smaller learning rate",
			p.steps, eta*floats.Dot(x, x))
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

// Components returns a copy of the columns V (d×k), orthonormal for Oja's rule.
func (p *StreamingPCA) Components() *mat.Dense { return mat.DenseCopyOf(p.rows.T()) }
