package spectral

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	heldOutShare    = 0.1    // of the pairs
	maxHeldOutShare = 1. / 3 // of a small sample, to hold out the next two
	minHeldOut      = 50     // pairs
	heldOutParts    = 20     // blocks or halves of blocks, from whose spread the errors follow
	// pairBlocks of consecutive pairs are held out or trained on: enough for both parts to cover the data, and few
	// enough that most pairs of a trajectory are in the same part as their neighbours.
	pairBlocks = 100
	// A block of a trajectory is at least lagsPerBlock lags long, because pairs that overlap are not independent, and
	// at most the maxBlock share of the data.
	lagsPerBlock, maxBlock = 4, 1. / 12
)

// pairBlock is a run of consecutive pairs of one trajectory, from start to before end.
type pairBlock struct{ start, end, trajectory int }

// HoldOut divides pairs (x, x') of trajectories, with these numbers of pairs and x' a lag after x, into pairs to train
// on and pairs for [ScorePairs] with their blocks. Pairs without such an order count as one trajectory with lag 0.
//
// Whole blocks of consecutive pairs are held out, drawn at random but the same in every run: a share of the pairs, or
// if it is 0 a tenth, and up to a third of a small sample. Training pairs within a lag of a held-out block, at most a
// quarter of a block, are in neither part.
func HoldOut(lengths []int, lag int, share float64) (trained, heldOut, blocks []int) {
	all, size, parts := cut(lengths, lag)
	least := 1 / float64(len(all))
	if share == 0 {
		n := float64(all[len(all)-1].end)
		share = math.Min(maxHeldOutShare, math.Max(minHeldOut/n, heldOutParts/float64(parts*len(all))))
		least = heldOutShare
	}
	isHeldOut := drawBlocks(all, math.Max(share, least))
	gap := min(lag, size/lagsPerBlock)
	for b, of := range all {
		if isHeldOut[b] {
			for p := of.start; p < of.end; p++ {
				heldOut, blocks = append(heldOut, p), append(blocks, parts*b+parts*(p-of.start)/(of.end-of.start))
			}
			continue
		}
		if b > 0 && all[b-1].trajectory == of.trajectory && isHeldOut[b-1] {
			of.start += gap
		}
		if b+1 < len(all) && all[b+1].trajectory == of.trajectory && isHeldOut[b+1] {
			of.end -= gap
		}
		trained = append(trained, xslices.Iota(of.start, max(0, of.end-of.start))...)
	}
	return trained, heldOut, blocks
}

// cut returns the pairs in blocks, the length of a block, and in how many parts a held-out block is evaluated.
func cut(lengths []int, lag int) (all []pairBlock, size, parts int) {
	n := 0
	for _, pairs := range lengths {
		n += pairs
	}
	size = max(1, n/pairBlocks, min(lagsPerBlock*lag, max(1, int(maxBlock*float64(n)))))
	start := 0
	for t, pairs := range lengths {
		count := max(1, pairs/size)
		for b := range count {
			all = append(all, pairBlock{start + b*pairs/count, start + (b+1)*pairs/count, t})
		}
		start += pairs
	}
	if parts = 1; size >= 2*max(1, lagsPerBlock*lag) {
		parts = 2
	}
	return all, size, parts
}

// drawBlocks chooses a share of the blocks at random, the same in every run: one of each group of consecutive blocks,
// with the trajectories in random order, because trajectories may alternate between conditions.
func drawBlocks(all []pairBlock, share float64) (chosen []bool) {
	rng := rand.New(rand.NewPCG(1, 0))
	rank, order := rng.Perm(len(all)), xslices.Iota(0, len(all))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(rank[all[a].trajectory], rank[all[b].trajectory])
	})
	chosen = make([]bool, len(all))
	groups := int(share*float64(len(all)) + 1e-9)
	for g := range groups {
		from, to := g*len(all)/groups, (g+1)*len(all)/groups
		chosen[order[from+rng.IntN(to-from)]] = true
	}
	return chosen
}

// PairScores rate the span of k functions of a transition operator on pairs (x, x') that they were not fitted to. The
// first function is the constant, which every transition operator maps to itself. The others are Ritz functions in
// the part of the span that has mean zero.
type PairScores struct {
	Values []float64 // k: 1, then the Ritz values, cross-fitted; NaN if the pairs are too few
	Errors []float64 // k: 0, then standard errors: a value of noise is below three of them
	// Score is the VAMP-2 score: the sum of the squares of Values, in which negative values count as zero and functions
	// that do not exist are left out. To choose k, stop where it no longer rises.
	Score float64
	Pairs int // their number
}

// ScorePairs scores functions by their values at both ends of pairs, n×k each. Pairs of one block may be correlated,
// as consecutive frames are; blocks must be independent. blocks has the block of each pair, and weights the weight of
// each pair; nil: equal weights.
//
// Cross-fitting keeps noise from passing for an eigenvalue: the Ritz functions on every second block come from the
// other blocks. The mean is removed at each end, so values of two views are correlations. The last functions may be
// NaN.
func ScorePairs(start, end *mat.Dense, weights []float64, blocks []int) (*PairScores, error) {
	n, all := start.Dims()
	if m, e := end.Dims(); m != n || e != all {
		return nil, fmt.Errorf("pairs: starts are %d×%d and ends are %d×%d, want equal shapes", n, all, m, e)
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, n)
	}
	if len(weights) != n || len(blocks) != n {
		return nil, fmt.Errorf("pairs: got %d weights and %d blocks, want %d", len(weights), len(blocks), n)
	}
	number, of := map[int]int{}, make([]int, n) // of each block, and the block of each pair
	halves := [2][]float64{make([]float64, n), make([]float64, n)}
	for p, block := range blocks {
		if _, known := number[block]; !known {
			number[block] = len(number)
		}
		of[p] = number[block]
		halves[of[p]%2][p] = weights[p]
	}
	k := len(slices.DeleteFunc(mat.Row(nil, 0, start), math.IsNaN)) // functions that exist
	products, norms := mat.NewDense(k, len(number), nil), mat.NewDense(k, len(number), nil)
	for side, fitted := range halves {
		if k == 1 { // only the constant
			break
		}
		left, right := pairFunctions(start.Slice(0, n, 0, k), end.Slice(0, n, 0, k), fitted)
		for p, w := range halves[1-side] {
			if of[p]%2 == side {
				continue
			}
			for i, u := range left.RawRowView(p) {
				v := right.At(p, i)
				products.RawRowView(i + 1)[of[p]] += w * u * v
				norms.RawRowView(i + 1)[of[p]] += w * (u*u + v*v) / 2
			}
		}
	}
	unknown := slices.Repeat([]float64{math.NaN()}, all)
	s := &PairScores{Pairs: n, Values: unknown, Errors: slices.Clone(unknown)}
	for i := range k {
		value, uncertain := 1.0, 0.0
		if i > 0 {
			value, uncertain = jackknife(products.RawRowView(i), norms.RawRowView(i))
			uncertain *= widening(len(number))
		}
		s.Values[i], s.Errors[i] = value, uncertain
		s.Score += math.Pow(math.Max(0, value), 2)
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

const rounding = 1e-12 // variance of a function that depends on others, relative to the largest

// pairFunctions returns the values at both ends of all pairs, n×(k−1) each, of the Ritz functions of mean zero of the
// weighted pairs, with the mean at either end removed. If functions are dependent, there are fewer, and the others NaN.
func pairFunctions(start, end mat.Matrix, weights []float64) (left, right mat.Dense) {
	n, k := start.Dims()
	var both, weighted, moments, overlap mat.Dense
	both.Augment(start, end)
	means := make([]float64, 2*k)
	for i := range means {
		means[i] = stat.Mean(mat.Col(nil, i, &both), weights)
	}
	both.Apply(func(_, i int, v float64) float64 { return v - means[i] }, &both)
	weighted.Apply(func(p, _ int, v float64) float64 { return weights[p] * v }, &both)
	moments.Mul(both.T(), &weighted)
	moments.Scale(1/floats.Sum(weights), &moments)
	overlap.Add(moments.Slice(0, k, 0, k), moments.Slice(k, 2*k, k, 2*k))

	var orthogonal, varying, moved, found mat.Dense // to the mean of both ends, then in this basis, then of f
	var qr mat.QR
	qr.Factorize(mat.NewDense(k, 1, floats.AddTo(make([]float64, k), means[:k], means[k:])))
	qr.QTo(&orthogonal)
	basis := orthogonal.Slice(0, k, 1, k)
	varying.Product(basis.T(), &overlap, basis)
	moved.Product(basis.T(), moments.Slice(0, k, k, 2*k), basis)
	functions := mat.NewDense(k, k-1, slices.Repeat([]float64{math.NaN()}, k*(k-1)))
	if _, vectors := RitzPairs(&varying, &moved, rounding); vectors != nil {
		found.Mul(basis, vectors)
		functions.Copy(&found)
	}
	left.Mul(both.Slice(0, n, 0, k), functions)
	right.Mul(both.Slice(0, n, k, 2*k), functions)
	return left, right
}

// SignChanges estimates in how many of all pairs each function changes sign, from its values at both ends of n, n×k.
func SignChanges(start, end *mat.Dense, all int) (counts []float64) {
	n, k := start.Dims()
	var signs mat.Dense
	signs.MulElem(start, end)
	for i := range k {
		changed := floats.Count(func(sign float64) bool { return sign < 0 }, mat.Col(nil, i, &signs))
		counts = append(counts, float64(changed*all)/float64(n))
	}
	return counts
}
