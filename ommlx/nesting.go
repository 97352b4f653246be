package ommlx

import (
	"fmt"
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
)

// Nesting is the way in which an objective learns the leading eigenfunctions in order, instead of up to a rotation.
// Paper, section 2.2.4 (matrices) and 2.3.1 (operators).
type Nesting int

const (
	// NoNesting learns the span of the leading k eigenfunctions.
	NoNesting Nesting = iota
	// Joint minimises the weighted sum Σ_i α_i L(f_1, …, f_i) over all prefixes.
	Joint
	// Sequential moves each f_i by ∂L(f_1, …, f_i)/∂f_i, treating the functions before it as converged.
	Sequential
)

// String returns the paper's suffix for the nesting: "", "jnt" or "seq".
func (n Nesting) String() string {
	if n < NoNesting || n > Sequential {
		return fmt.Sprintf("Nesting(%d)", int(n))
	}
	return [...]string{"", "jnt", "seq"}[n]
}

// suffixed appends the nesting to an objective's short id.
func (n Nesting) suffixed(id string) string {
	if n == NoNesting {
		return id
	}
	return id + "_" + n.String()
}

// validate returns an error if the nesting is unknown or the weights do not fit it or k functions.
func (n Nesting) validate(weights []float64, k int) error {
	if n < NoNesting || n > Sequential {
		return fmt.Errorf("Nesting is %d, want NoNesting, Joint or Sequential", int(n))
	}
	if weights == nil {
		return nil
	}
	if n == NoNesting {
		return fmt.Errorf("Weights need a nesting: set Nesting to Joint or Sequential, or Weights to nil")
	}
	if len(weights) != k {
		return fmt.Errorf("Weights has %d entries, want %d, one per function, or nil", len(weights), k)
	}
	for i, a := range weights {
		if !(a > 0) || math.IsInf(a, 1) {
			return fmt.Errorf("Weights[%d] is %g, want positive and finite", i, a)
		}
	}
	return nil
}

// orUniform returns the weights themselves, or for nil the paper's choice 1/k each (section 2.2.4).
func orUniform(weights []float64, k int) []float64 {
	if weights != nil {
		return weights
	}
	return slices.Repeat([]float64{1 / float64(k)}, k)
}

// moment returns the second moment matrix of the nesting: see [SecondMoment] and [SeqSecondMoment].
func (n Nesting) moment(f, g *Node) *Node {
	if n == Sequential {
		return SeqSecondMoment(f, g)
	}
	return SecondMoment(f, g)
}

// weighted multiplies the entries of a loss, [...,] k×k, by [JointMask] for Joint, and for Sequential, with weights,
// entry (i, j) by the weight of the later function, the only one that moves in it.
func (n Nesting) weighted(entries *Node, weights []float64) *Node {
	var mask [][]float64
	switch {
	case n == Joint:
		mask = JointMask(orUniform(weights, entries.Shape().Dim(-1)))
	case weights != nil:
		mask = byLaterIndex(weights)
	default:
		return entries
	}
	return Mul(ExpandLeftToRank(ConstAs(entries, mask), entries.Rank()), entries)
}

// JointMask returns the k×k mask of joint nesting for positive weights α_1, …, α_k,
//
//	P_ij = m_max(i,j),  m_i = Σ_{j≥i} α_j,
//
// so that Σ_i α_i ⟨A_{1:i,1:i}, B_{1:i,1:i}⟩ = ⟨P ⊙ A, B⟩: entry (i,j) is in the prefixes that contain both i and j.
// Paper, section 2.3.1.
func JointMask(alpha []float64) [][]float64 {
	m := slices.Clone(alpha)
	for i := len(m) - 2; i >= 0; i-- {
		m[i] += m[i+1]
	}
	return byLaterIndex(m)
}

// byLaterIndex returns the k×k matrix m_max(i,j).
func byLaterIndex(m []float64) [][]float64 {
	mask := make([][]float64, len(m))
	for i := range mask {
		mask[i] = make([]float64, len(m))
		for j := range mask[i] {
			mask[i][j] = m[max(i, j)]
		}
	}
	return mask
}
