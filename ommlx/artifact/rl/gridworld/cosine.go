package gridworld

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/spectral"
)

// CosineSimilarity compares learned eigenfunctions with the truth, given the true multiplicities (paper, section 3.1
// and appendix C.1). Column i of learned (N×k, k ≤ N) contains the i-th learned eigenfunction on all states, in any
// scale and sign. Its score is
//
//	cos_i = ‖Π_{E(i)} f_i‖ / ‖f_i‖,
//
// where Π_{E(i)} projects onto the whole true eigenspace that contains mode i, even if k cuts through that space. Norms
// weight all states equally. Two columns that repeat one direction in a degenerate space both score 1. A column that is
// zero or not finite scores 0.
//
// perMode has length k and values in [0, 1]; mean is its average. It is an error if the shapes do not fit.
func CosineSimilarity(t spectral.Eigenpairs, learned *mat.Dense) (perMode []float64, mean float64, err error) {
	n, modes := t.Vectors.Dims()
	rows, k := learned.Dims()
	if rows != n || k == 0 || k > modes || len(t.Values) != modes {
		return nil, 0, fmt.Errorf("cosine similarity: learned is %d×%d, want %d states and 1 to %d modes", rows, k, n,
			modes)
	}
	perMode = make([]float64, k)
	f, v := make([]float64, n), make([]float64, n)
	for _, space := range t.Eigenspaces() {
		for i := space.First; i < min(space.End, k); i++ {
			mat.Col(f, i, learned)
			if !Normalise(f) {
				continue
			}
			var captured float64
			for j := space.First; j < space.End; j++ {
				overlap := floats.Dot(mat.Col(v, j, t.Vectors), f)
				captured += overlap * overlap
			}
			perMode[i] = min(1, math.Sqrt(captured))
		}
	}
	return perMode, floats.Sum(perMode) / float64(k), nil
}

// Normalise scales f to unit length in place. It returns false and leaves f as it is if f is zero or not finite.
// Dividing by the largest entry first keeps the squares of a diverging run from overflowing.
func Normalise(f []float64) bool {
	largest := floats.Norm(f, math.Inf(1))
	if largest == 0 || math.IsInf(largest, 0) || floats.HasNaN(f) {
		return false
	}
	for i := range f {
		f[i] /= largest
	}
	floats.Scale(1/floats.Norm(f, 2), f)
	return true
}
