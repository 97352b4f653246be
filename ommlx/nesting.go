package ommlx

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
)

// Nesting says how an objective tells the leading eigenfunctions apart, so that they are learned in order instead of up
// to a rotation. Paper, section 2.2.4 (matrices) and 2.3.1 (operators).
type Nesting int

const (
	// NoNesting learns the space that the leading k eigenfunctions span.
	NoNesting Nesting = iota
	// Joint minimises the weighted sum Σ_i α_i L(f_1, …, f_i) over all prefixes.
	Joint
	// Sequential moves each f_i by ∂L(f_1, …, f_i)/∂f_i, as if those before it had converged.
	Sequential
)

// String returns the suffix that the paper gives the nesting: "", "jnt" or "seq".
func (n Nesting) String() string {
	switch n {
	case NoNesting:
		return ""
	case Joint:
		return "jnt"
	case Sequential:
		return "seq"
	}
	return fmt.Sprintf("Nesting(%d)", int(n))
}

// suffixed appends the nesting to an objective's short id.
func (n Nesting) suffixed(id string) string {
	if n == NoNesting {
		return id
	}
	return id + "_" + n.String()
}

// validate reports a nesting that does not exist, and weights that do not fit it or k functions.
func (n Nesting) validate(weights []float64, k int) error {
	if n < NoNesting || n > Sequential {
		return fmt.Errorf("nesting %d does not exist: use NoNesting, Joint or Sequential", int(n))
	}
	if weights == nil {
		return nil
	}
	if n == NoNesting {
		return fmt.Errorf("weights are given but there is no nesting: leave Weights nil, or set Nesting to Joint or " +
			"Sequential")
	}
	if len(weights) != k {
		return fmt.Errorf("nesting of %d functions needs %d weights, got %d: give one per function, or nil", k, k,
			len(weights))
	}
	for i, a := range weights {
		if !(a > 0) || math.IsInf(a, 1) {
			return fmt.Errorf("nesting weight %d is %g: every weight must be positive and finite", i+1, a)
		}
	}
	return nil
}

// orUniform returns the weights themselves, or for nil the paper's choice 1/k each (section 2.2.4).
func orUniform(weights []float64, k int) []float64 {
	if weights != nil {
		return weights
	}
	uniform := make([]float64, k)
	for i := range uniform {
		uniform[i] = 1 / float64(k)
	}
	return uniform
}

// weighted multiplies entry (i, j) of a loss of sequential nesting, [...,] k×k, by the weight of the later function:
// that is the one which moves in it. Weights nil leaves it.
func weighted(entries *Node, weights []float64) *Node {
	if weights == nil {
		return entries
	}
	return Mul(constantLike(entries, ofTheLater(weights)), entries)
}

// JointMask returns the k×k matrix mask of joint nesting for positive weights α_1, …, α_k,
//
//	P_ij = m_max(i,j),  m_i = Σ_{j≥i} α_j,
//
// so that Σ_i α_i ⟨A_{1:i,1:i}, B_{1:i,1:i}⟩ = ⟨P ⊙ A, B⟩: entry (i,j) is in the prefixes that hold both i and j.
// Paper, section 2.3.1.
func JointMask(alpha []float64) [][]float64 {
	m := make([]float64, len(alpha))
	var sum float64
	for i := len(alpha) - 1; i >= 0; i-- {
		sum += alpha[i]
		m[i] = sum
	}
	return ofTheLater(m)
}

// ofTheLater returns the k×k matrix m_max(i,j) of k numbers.
func ofTheLater(m []float64) [][]float64 {
	mask := make([][]float64, len(m))
	for i := range mask {
		mask[i] = make([]float64, len(m))
		for j := range mask[i] {
			mask[i][j] = m[max(i, j)]
		}
	}
	return mask
}
