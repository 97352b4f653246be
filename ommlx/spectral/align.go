package spectral

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// negligible is the norm, relative to unit columns, below which an aligned function is only rounding error.
const negligible = 1e-12

// Align rotates the learned functions within each degenerate eigenspace onto the truth (the orthogonal Procrustes
// problem; Schönemann 1966, Psychometrika 31:1), as the paper (appendix C.2) and NeuralSVD (Ryu et al. 2024; procrustes
// in its examples/linalg.py) do before comparing single modes. With the columns of one eigenspace scaled to norm 1, A
// true and B learned,
//
//	Q = argmin_{QᵀQ=I} ‖BQ − A‖ = UVᵀ   where   BᵀA = UΣVᵀ,
//
// and Align returns BQ. In a simple eigenspace Q = ±1 fixes the sign.
//
// truth is N×K and learned N×k, on the same N points with quadrature weights. spaces lists which modes share an
// eigenvalue (see [Eigenpairs.Eigenspaces]), from mode 0 without gaps, up to the end of the space of mode k − 1. If k
// cuts through that space, its learned columns are unchanged, and the truth is rotated to the closest frame in the
// space.
//
// aligned and target are N×k; compare column i of one with column i of the other. Target is the truth scaled to norm 1
// except in a space that is cut. Align returns an error if shapes do not fit, if a function is zero on all points, and
// in the cases of [Norms].
func Align(truth, learned *mat.Dense, weights []float64, spaces []Eigenspace) (aligned, target *mat.Dense, err error) {
	if aligned, target, err = align(truth, learned, weights, spaces); err != nil {
		return nil, nil, err
	}
	unweighted := func(p, _ int, v float64) float64 { return v / math.Sqrt(weights[p]) }
	aligned.Apply(unweighted, aligned)
	target.Apply(unweighted, target)
	return aligned, target, nil
}

// align returns the functions of [Align] times the roots of the weights.
func align(truth, learned *mat.Dense, weights []float64, spaces []Eigenspace) (aligned, target *mat.Dense, err error) {
	truth, learned, spaces, err = comparison(truth, learned, weights, spaces)
	if err != nil {
		return nil, nil, err
	}
	points, k := learned.Dims()
	aligned, target = mat.DenseCopyOf(learned), mat.DenseCopyOf(truth.Slice(0, points, 0, k))
	for _, s := range spaces {
		end := min(s.End, k)
		exact, found := truth.Slice(0, points, s.First, s.End), learned.Slice(0, points, s.First, end)
		from, to, rotated := found, exact, aligned
		if end < s.End {
			from, to, rotated = exact, found, target
		}
		q, err := nearestOrthogonal(from, to)
		if err != nil {
			return nil, nil, err
		}
		rotated.Slice(0, points, s.First, end).(*mat.Dense).Mul(from, q)
	}
	return aligned, target, nil
}

// AngleDistances returns the angle between each learned mode and its true mode (k), in radians from 0 to π/2, after
// [Align]:
//
//	θ_i = arccos( |⟨f̃_i, ψ̃_i⟩| / (‖f̃_i‖ ‖ψ̃_i‖) ),   f̃ aligned, ψ̃ target.
//
// The paper (appendix C.2) reports angle distances per mode without their unit, following NeuralSVD (Ryu et al. 2024,
// appendix E.1). Of two modes that learn the same direction of a degenerate space, at most one has an angle near 0.
// Arguments and errors are as in [Align].
func AngleDistances(truth, learned *mat.Dense, weights []float64, spaces []Eigenspace) ([]float64, error) {
	aligned, target, err := align(truth, learned, weights, spaces)
	if err != nil {
		return nil, err
	}
	points, k := aligned.Dims()
	angles := make([]float64, k)
	away := mat.NewVecDense(points, nil)
	for i := range angles {
		learned, exact := aligned.ColView(i), target.ColView(i)
		if mat.Norm(learned, 2) < negligible {
			angles[i] = math.Pi / 2
			continue
		}
		norm := mat.Norm(exact, 2)
		along := mat.Dot(learned, exact) / norm
		away.AddScaledVec(learned, -along/norm, exact)
		angles[i] = math.Atan2(mat.Norm(away, 2), math.Abs(along))
	}
	return angles, nil
}

// comparison returns truth and learned functions times the roots of the weights, scaled to norm 1, and the spaces that
// contain one of the k learned modes. Errors are as in [Align].
func comparison(truth, learned *mat.Dense, weights []float64, spaces []Eigenspace) (a, b *mat.Dense,
	leading []Eigenspace, err error) {
	if b, err = weigh("learned function", learned, weights); err != nil {
		return nil, nil, nil, err
	}
	if a, err = weigh("true function", truth, weights); err != nil {
		return nil, nil, nil, err
	}
	_, k := b.Dims()
	_, known := a.Dims()
	if leading, err = spacesOf(spaces, k, known); err != nil {
		return nil, nil, nil, err
	}
	if _, err = normaliseColumns("learned function", b); err != nil {
		return nil, nil, nil, err
	}
	_, err = normaliseColumns("true function", a)
	return a, b, leading, err
}

// spacesOf returns the leading spaces, up to the one that contains mode k−1, if they tile 0…k−1 and end within the
// known modes.
func spacesOf(spaces []Eigenspace, k, known int) ([]Eigenspace, error) {
	end := 0
	for i, s := range spaces {
		if s.First != end || s.End <= s.First {
			return nil, fmt.Errorf("eigenspace %d is modes %d to %d, want spaces in order from mode 0 without gaps", i,
				s.First, s.End-1)
		}
		end = s.End
		if end > known {
			return nil, fmt.Errorf("eigenspace %d ends with mode %d, out of range [0, %d)", i, end-1, known)
		}
		if end >= k {
			return spaces[:i+1], nil
		}
	}
	return nil, fmt.Errorf("eigenspaces have %d modes, want all of %d learned functions", end, k)
}

// nearestOrthogonal returns the matrix with orthonormal columns that minimises ‖xQ − y‖, UVᵀ with xᵀy = UΣVᵀ. x must
// have at least as many columns as y.
func nearestOrthogonal(x, y mat.Matrix) (*mat.Dense, error) {
	var cross, u, v mat.Dense
	cross.Mul(x.T(), y)
	var svd mat.SVD
	if !svd.Factorize(&cross, mat.SVDThin) {
		return nil, errors.New("alignment: no convergence of the singular values: check the scale of the functions")
	}
	svd.UTo(&u)
	svd.VTo(&v)
	var q mat.Dense
	q.Mul(&u, v.T())
	return &q, nil
}

// SubspaceDistances returns, for each eigenspace of one of the k learned modes, the normalised distance
//
//	d = 1 − tr(P P̂)/m ∈ [0, 1],
//
// where P projects onto the true eigenspace, P̂ onto the span of its m learned functions; both projections are
// orthogonal in the quadrature's inner product. This is the mean of sin²θ over the principal angles θ, whatever the
// basis of the learned functions. If functions repeat one direction, the missing dimension counts as a right angle.
//
// Source: the normalised subspace distance of Tang 2019 (Exponentially convergent stochastic k-PCA without variance
// reduction), used per degenerate eigenspace by NeuralSVD (Ryu et al. 2024, appendix E.1; subspace_distance in its
// examples/linalg.py) and by the paper (appendix C.2). Give the single space {0, k} for all k modes together. Arguments
// and errors are as in [Align]; if k cuts through the last space, m is less than its dimension.
func SubspaceDistances(truth, learned *mat.Dense, weights []float64, spaces []Eigenspace) ([]float64, error) {
	truth, learned, spaces, err := comparison(truth, learned, weights, spaces)
	if err != nil {
		return nil, err
	}
	points, k := learned.Dims()
	distances := make([]float64, len(spaces))
	for i, s := range spaces {
		a, err := orthonormalBasis(truth.Slice(0, points, s.First, s.End))
		if err != nil {
			return nil, err
		}
		b, err := orthonormalBasis(learned.Slice(0, points, s.First, min(s.End, k)))
		if err != nil {
			return nil, err
		}
		// ‖(I − P)B̂‖² instead of 1 − ‖AᵀB̂‖²/m, which would lose distances below the rounding of 1.
		var overlap, outside mat.Dense
		overlap.Mul(a.T(), b)
		outside.Mul(a, &overlap)
		outside.Sub(b, &outside)
		norm, m := mat.Norm(&outside, 2), min(s.End, k)-s.First
		_, rank := b.Dims()
		distances[i] = min(1, (norm*norm+float64(m-rank))/float64(m))
	}
	return distances, nil
}

// orthonormalBasis returns an orthonormal basis of the span of unit columns; it has fewer columns if they are
// dependent.
func orthonormalBasis(columns mat.Matrix) (mat.Matrix, error) {
	var svd mat.SVD
	if !svd.Factorize(columns, mat.SVDThinU) {
		return nil, errors.New("subspaces: no convergence of the singular values: check the scale of the functions")
	}
	var u mat.Dense
	svd.UTo(&u)
	rows, _ := u.Dims()
	return u.Slice(0, rows, 0, svd.Rank(negligible)), nil
}
