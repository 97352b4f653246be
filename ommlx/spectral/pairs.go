package spectral

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// PairScores rate the span of k functions of a transition operator on pairs (x, x') that they were not fitted to. The
// first function is the constant, which every transition operator maps to itself. The others are Ritz functions in
// the part of the span that has mean zero.
type PairScores struct {
	Values []float64 // k: 1, then the Ritz values, cross-fitted; NaN if the pairs are too few
	Errors []float64 // k: 0, then standard errors: a value of noise is below three of them
	// Scores are the VAMP-2 scores of the first 1, 2, … k functions: sums of the squares of Values, in which negative
	// values count as zero. To choose k, stop where the score no longer rises.
	Scores []float64
	Pairs  int // their number
}

// Score is the score of all k functions.
func (s PairScores) Score() float64 { return s.Scores[len(s.Scores)-1] }

// ScorePairs scores functions by their values at both ends of pairs, n×k each. Pairs of one block may be correlated,
// as consecutive frames are; blocks must be independent. blocks has the block of each pair, and weights the weight of
// each pair; nil: one block for each pair, and equal weights.
//
// Cross-fitting keeps noise from passing for an eigenvalue: the Ritz functions on every second block come from the
// other blocks. The mean is removed at each end, so values of two views are correlations.
func ScorePairs(start, end *mat.Dense, weights []float64, blocks []int) (*PairScores, error) {
	n, k := start.Dims()
	if m, e := end.Dims(); m != n || e != k {
		return nil, fmt.Errorf("pairs: starts are %d×%d and ends are %d×%d, want equal shapes", n, k, m, e)
	}
	if weights != nil && len(weights) != n || blocks != nil && len(blocks) != n {
		return nil, fmt.Errorf("pairs: got %d weights and %d blocks, want %d", len(weights), len(blocks), n)
	}
	each, halves := []pairMoments{}, [2]pairMoments{newPairMoments(k), newPairMoments(k)}
	number := map[int]int{} // of each block
	for p := range n {
		block, w := p, 1.0
		if blocks != nil {
			block = blocks[p]
		}
		if weights != nil {
			w = weights[p]
		}
		b, known := number[block]
		if !known {
			b, number[block] = len(each), len(each)
			each = append(each, newPairMoments(k))
		}
		for _, m := range []pairMoments{each[b], halves[b%2]} {
			m.add(w, start.RawRowView(p), end.RawRowView(p))
		}
	}
	products, norms := mat.NewDense(len(each), k, unknown(len(each)*k)), mat.NewDense(len(each), k, nil)
	for side, half := range halves {
		left, right := half.ritz()
		for b := 1 - side; b < len(each); b += 2 {
			for i, u := range left {
				v := right[i]
				products.Set(b, i+1, mat.Inner(u, each[b].cross, v))
				norms.Set(b, i+1, (mat.Inner(u, each[b].start, u)+mat.Inner(v, each[b].end, v))/2)
			}
		}
	}
	s := &PairScores{Pairs: n}
	score := 0.0
	for i := range k {
		value, uncertain := 1.0, 0.0
		if i > 0 {
			value, uncertain = jackknife(mat.Col(nil, i, products), mat.Col(nil, i, norms))
			uncertain *= widening(len(each))
		}
		score += math.Pow(math.Max(0, value), 2)
		s.Values, s.Errors, s.Scores = append(s.Values, value), append(s.Errors, uncertain), append(s.Scores, score)
	}
	return s, nil
}

// widening of the standard error of a value. The halves, which choose each other's functions, may be fully correlated,
// so half of the blocks count: √2, and the quantile of Student's t at three standard errors, for the error of an error
// from few blocks.
func widening(blocks int) float64 {
	const errors = 3
	if blocks < 2 {
		return math.NaN()
	}
	student := distuv.StudentsT{Sigma: 1, Nu: math.Max(1, float64(blocks)/2-1)}
	return math.Sqrt2 * student.Quantile(distuv.UnitNormal.CDF(errors)) / errors
}

// jackknife returns the ratio of two sums over blocks and its standard error.
func jackknife(above, below []float64) (ratio, standard float64) {
	var a, b, square float64
	for i := range above {
		a, b = a+above[i], b+below[i]
	}
	for i := range above {
		without := (a-above[i])/(b-below[i]) - a/b
		square += without * without
	}
	blocks := float64(len(above))
	return a / b, math.Sqrt(square * (blocks - 1) / blocks)
}

func unknown(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// pairMoments are the second moments of functions at both ends of pairs, preceded by the constant, (k+1)×(k+1).
type pairMoments struct{ start, end, cross *mat.Dense }

func newPairMoments(k int) pairMoments {
	zero := func() *mat.Dense { return mat.NewDense(k+1, k+1, nil) }
	return pairMoments{zero(), zero(), zero()}
}

func (m pairMoments) weight() float64 { return m.start.At(0, 0) }

func (m pairMoments) add(weight float64, start, end []float64) {
	a := mat.NewVecDense(len(start)+1, append([]float64{1}, start...))
	b := mat.NewVecDense(len(end)+1, append([]float64{1}, end...))
	m.start.RankOne(m.start, weight, a, a)
	m.end.RankOne(m.end, weight, b, b)
	m.cross.RankOne(m.cross, weight, a, b)
}

const rounding = 1e-12 // variance of a function that depends on others, relative to the largest

// ritz returns the Ritz functions of mean zero as coefficients of (1, f), with the mean at either end removed: at most
// k − 1, fewer if functions are dependent.
func (m pairMoments) ritz() (left, right []mat.Vector) {
	size, _ := m.start.Dims()
	k := size - 1
	means := [2]*mat.VecDense{mat.NewVecDense(k, nil), mat.NewVecDense(k, nil)}
	for side, of := range []*mat.Dense{m.start, m.end} {
		means[side].ScaleVec(1/m.weight(), of.Slice(1, size, 0, 1).(*mat.Dense).ColView(0))
	}
	central := func(of *mat.Dense, a, b mat.Vector) *mat.Dense {
		var c mat.Dense
		c.Scale(1/m.weight(), of.Slice(1, size, 1, size))
		c.RankOne(&c, -1, a, b)
		return &c
	}
	var overlap, mean mat.Dense // of both ends
	overlap.Add(central(m.start, means[0], means[0]), central(m.end, means[1], means[1]))
	mean.Add(means[0], means[1])
	basis := orthogonalTo(&mean)
	if basis == nil || !(m.weight() > 0) {
		return nil, nil
	}
	var varying, moved, functions mat.Dense // in the basis, in the basis, and as coefficients of f
	varying.Product(basis.T(), &overlap, basis)
	moved.Product(basis.T(), central(m.cross, means[0], means[1]), basis)
	_, vectors := RitzPairs(&varying, &moved, rounding)
	if vectors == nil {
		return nil, nil
	}
	functions.Mul(basis, vectors)
	_, rank := functions.Dims()
	for i := range rank {
		f := mat.Col(nil, i, &functions)
		for side, to := range []*[]mat.Vector{&left, &right} {
			shift := -mat.Dot(means[side], functions.ColView(i))
			*to = append(*to, mat.NewVecDense(size, append([]float64{shift}, f...)))
		}
	}
	return left, right
}

// orthogonalTo returns an orthonormal basis of the vectors orthogonal to v, k×1, as columns; nil if k is 1.
func orthogonalTo(v *mat.Dense) *mat.Dense {
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(v)
	qr.QTo(&q)
	k, _ := q.Dims()
	if k == 1 {
		return nil
	}
	return mat.DenseCopyOf(q.Slice(0, k, 1, k))
}
