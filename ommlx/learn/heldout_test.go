package learn_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
)

// TestNoiseIsNotAnEigenvalue: if x' does not depend on x, the only eigenvalue is 1. Fits find others in any sample, by
// a network, two networks or polynomials, but not on held-out pairs, and the advice names the set.
func TestNoiseIsNotAnEigenvalue(t *testing.T) {
	const k = 4
	s := learn.Settings{Steps: 400, Batch: 40, Options: pureGo(t)}
	network := net.MLP{In: 5, Hidden: []int{32, 32}, Out: k}
	for seed := range uint64(2) {
		x, y := normal(60, 5, 100+seed), normal(60, 5, 200+seed)
		pairs := learn.Pairs{From: x, To: y, Functions: network}
		views := learn.Joint{X: x, Y: y, Left: network, Right: network}
		for name, learned := range map[string]*learn.Learned{"network": mustLearn(t, pairs, k, s),
			"polynomials": testkit.Must(pairs.EDMD(2, k)), "two networks": mustLearn(t, views, k, s)} {
			assert.Greater(t, learned.Values[k-1], 0.4, name)
			for i := 1; i < k; i++ {
				assert.Less(t, learned.HeldOut.Values[i], 3*learned.HeldOut.Errors[i], name)
			}
			assert.Equal(t, 1.0, learned.HeldOut.Values[0])
			assert.Len(t, learned.Advice(), 1, name)
			assert.Contains(t, learned.Advice()[0], "only the constant", name)
			assert.Contains(t, learned.Advice()[0], "parameters", name)
		}
	}
	pairs := learn.Pairs{From: normal(60, 5, 1), To: normal(60, 5, 2), HeldOut: learn.None, Functions: network}
	s.Steps = 1
	_, advice := advised(t, pairs, k, s)
	assert.Contains(t, advice, "no pairs were held out")
}

// TestErrorsOfOneTrajectory: held-out values of an autoregressive process are within two errors of the truth, also at
// lags at which consecutive pairs share most of their time.
func TestErrorsOfOneTrajectory(t *testing.T) {
	const rho = 0.95
	for _, lag := range []int{1, 10} {
		beyond := 0
		for draw := range uint64(20) {
			x := testkit.Autoregressive(testkit.NewRand(draw), 1_500, rho)
			held := testkit.Must(testkit.Must(learn.Trajectories(lag, x)).EDMD(3, 2)).HeldOut
			if math.Abs(held.Values[1]-math.Pow(rho, float64(lag))) > 2*held.Errors[1] {
				beyond++
			}
		}
		assert.LessOrEqual(t, beyond, 3, "lag %d", lag)
	}
}

// TestWeightsCountPairs: integer weights act as repeated pairs.
func TestWeightsCountPairs(t *testing.T) {
	from, to := numbers(0, 1, 0, 1), numbers(0, 1, 1, 0)
	pairs := learn.Pairs{From: from, To: to, Weights: []float64{4, 4, 1, 1}, HeldOut: learn.None}
	edmd := testkit.Must(pairs.EDMD(1, 2))
	assert.InDeltaSlice(t, []float64{1, 0.6}, edmd.Values, 1e-9)
	assert.InDelta(t, 1, math.Abs(testkit.Must(edmd.At(from)).At(0, 0)), 1e-9, "the constant function")
	pairs.Functions = net.Table{States: 2, Out: 2, Scale: 0.3}
	learned := mustLearn(t, pairs, 2, learn.Settings{Steps: 600, Options: pureGo(t)})
	assert.InDeltaSlice(t, []float64{1, 0.6}, learned.Values, 1e-3)
	for word, weights := range map[string][]float64{"3 entries": {1, 2, 3}, "pair 1": {1, -1, 1, 1},
		"all 0": {0, 0, 0, 0}, "pair 2": {1, 1, math.NaN(), 1}} {
		pairs.Weights = weights
		requireOneLine(t, learnError(pairs, 2, learn.Settings{Steps: 1}), word)
	}
}

// TestCoordinatesFarFromZero: default networks and polynomials take coordinates that are standardised in float64.
func TestCoordinatesFarFromZero(t *testing.T) {
	const n = 200
	from := normal(n, 2, 1)
	to := autoregress(from, normal(n, 2, 2), 0.9, 0.9)
	far := func(x mat.Matrix) *mat.Dense {
		var y mat.Dense
		y.Apply(func(_, j int, v float64) float64 { return []float64{1e6 + 1e-2*v, 1e6 * v}[j] }, x)
		return &y
	}
	s := learn.Settings{Steps: 20, Batch: 32, Options: pureGo(t)}
	near, moved := learn.Pairs{From: from, To: to}, learn.Pairs{From: far(from), To: far(to)}
	for name, ops := range map[string][2]learn.Operator{"pairs": {near, moved},
		"joint": {learn.Joint{X: from, Y: to}, learn.Joint{X: far(from), Y: far(to)}}} {
		a, b := mustLearn(t, ops[0], 2, s), mustLearn(t, ops[1], 2, s)
		assert.InDeltaSlice(t, a.Values, b.Values, 1e-3, name)
		if name == "pairs" {
			f, g := testkit.Must(a.At(from)), testkit.Must(b.At(far(from)))
			assert.InDelta(t, f.At(7, 1), g.At(7, 1), 1e-2)
		}
	}
	assert.InDeltaSlice(t, testkit.Must(near.EDMD(2, 3)).Values, testkit.Must(moved.EDMD(2, 3)).Values, 1e-6)
	moved.Functions = net.MLP{In: 2, Hidden: []int{8}, Out: 2}
	err := learnError(moved, 2, learn.Settings{Steps: 20, Options: pureGo(t)})
	requireOneLine(t, err, "coordinate 0 has mean 1e+06")
	s = learn.Settings{Steps: 20, Options: pureGo(t)}
	ring := learn.Graph{Nodes: n, Edges: ringOf(0, n), Functions: moved.Functions, Features: far(from)}
	requireOneLine(t, learnError(ring, 2, s), "coordinate 0 has mean 1e+06")
	_, advice := advised(t, learn.Kernel{Samples: far(from).Slice(0, n, 0, 1), K: gaussian}, 2, s)
	assert.Contains(t, advice, "float32")
}

// TestFaultsOfSamples are named with their table or frame, for each operator.
func TestFaultsOfSamples(t *testing.T) {
	s := learn.Settings{Steps: 1, Options: pureGo(t)}
	x, mark := normal(500, 1, 1), normal(500, 1, 1)
	mark.Set(100, 0, -9999)
	pairs := testkit.Must(learn.Trajectories(1, x, mark))
	pairs.Functions = tiny
	for word, op := range map[string]learn.Operator{"frame 100 of x[1]": pairs,
		"row 100 of Y":        learn.Joint{X: x, Y: mark, Left: tiny, Right: tiny},
		"row 100 of Samples":  learn.Kernel{Samples: mark, K: gaussian, Functions: tiny},
		"row 100 of Points":   learn.Graph{Points: mark},
		"row 100 of Features": learn.Graph{Nodes: 500, Edges: ringOf(0, 500), Features: mark, Functions: tiny},
		"3 pairs of 20":       testkit.Must(learn.Trajectories(1, normal(4, 20, 1))),
		"9 pairs of 30":       learn.Joint{X: normal(9, 1, 1), Y: normal(9, 30, 2), Left: tiny}} {
		_, advice := advised(t, op, 2, s)
		assert.Contains(t, advice, word)
	}
}

// TestPolynomialsOfDependentCoordinates: a constant, a multiple and a linear function of a coordinate change nothing.
func TestPolynomialsOfDependentCoordinates(t *testing.T) {
	for seed := range uint64(30) {
		from := normal(60, 1, 2*seed)
		to := autoregress(from, normal(60, 1, 2*seed+1), 0.8)
		for degree, columns := range map[int]int{1: 2, 2: 4} {
			wide := func(x *mat.Dense) *mat.Dense {
				y := mat.NewDense(60, columns, nil)
				y.Apply(func(i, j int, _ float64) float64 {
					v := x.At(i, 0)
					return []float64{3.3 * v, 0.7 * (2*v - 3), 7, v}[j]
				}, y)
				return y
			}
			k := degree + 1 // all independent monomials
			one := testkit.Must(learn.Pairs{From: from, To: to}.EDMD(degree, k))
			other := learn.Pairs{From: wide(from), To: wide(to)}
			dependent := testkit.Must(other.EDMD(degree, k))
			assert.InDeltaSlice(t, one.Values, dependent.Values, 1e-9, "seed %d, degree %d", seed, degree)
			assert.InDeltaSlice(t, one.HeldOut.Values, dependent.HeldOut.Values, 1e-9)
			_, err := other.EDMD(degree, k+1)
			requireOneLine(t, err, fmt.Sprintf("at most %d", k))
		}
	}
}

// TestTooManyFunctions: there are at most as many functions as states.
func TestTooManyFunctions(t *testing.T) {
	states, same := numbers(0, 1, 0, 0, 1, 1, 0), mat.NewDense(7, 2, nil)
	for word, op := range map[string]learn.Operator{
		"only 2 distinct":   learn.Kernel{Samples: states, K: gaussian},
		"2 distinct":        learn.Pairs{From: states, To: states},
		"X have only 2":     learn.Joint{X: states, Y: numbers(1, 2, 3, 4, 5, 6, 7)},
		"same state":        learn.Pairs{From: same, To: same},
		"row 1":             table(3, 1, 2, 3, 0, 0, 0, 1, 1, 1),
		"column 2":          table(3, 1, 2, 0, 3, 1, 0, 1, 1, 0),
		"2 singular values": table(2, 1, 2, 3, 3, 2, 1),
	} {
		requireOneLine(t, learnError(op, 3, learn.Settings{Steps: 1}), word)
	}
}

// TestFewHeldOutPairs: a small share is one block, and nothing is held out if one part would have all of the weight.
func TestFewHeldOutPairs(t *testing.T) {
	pairs := learn.Pairs{From: normal(500, 1, 1), To: normal(500, 1, 2), Functions: tiny, HeldOut: 1e-3}
	s := learn.Settings{Steps: 1, Options: pureGo(t)}
	if held := mustLearn(t, pairs, 2, s).HeldOut; assert.NotNil(t, held) {
		assert.Equal(t, 5, held.Pairs)
	}
	for positive := range 2 { // only in held-out pairs, or in the others
		pairs = learn.Pairs{From: normal(60, 1, 1), To: normal(60, 1, 2), Functions: tiny}
		heldOut := mat.Col(nil, 0, testkit.Must(pairs.Define(nil, 2)).HeldOut.From)
		assert.Len(t, heldOut, 20)
		for p := range 60 {
			weight := positive
			if slices.Contains(heldOut, pairs.From.At(p, 0)) {
				weight = 1 - positive
			}
			pairs.Weights = append(pairs.Weights, float64(weight))
		}
		learned, err := learn.Learn(t.Context(), pairs, 2, s)
		if assert.NoError(t, err) {
			assert.Nil(t, learned.HeldOut)
			assert.False(t, math.IsNaN(learned.Values[0]))
		}
	}
}

// TestHeldOutBlocksAreRandom: each of 20 recordings of alternate conditions has five blocks. Both conditions are held
// out, and so are all phases of ten cycles. Blocks are longer if the lag is.
func TestHeldOutBlocksAreRandom(t *testing.T) {
	later := testkit.Must(testkit.Must(learn.Trajectories(10, normal(2_010, 1, 1))).Define(nil, 2)).HeldOut
	assert.Equal(t, 640, later.From.(*mat.Dense).RawMatrix().Rows, "16 blocks of four lags")
	var recordings []mat.Matrix
	for i := range 20 {
		x := normal(200, 1, uint64(i))
		x.Apply(func(_, _ int, v float64) float64 { return v/3 + 4*float64(i%2) }, x)
		recordings = append(recordings, x)
	}
	pairs := testkit.Must(learn.Trajectories(1, recordings...))
	held := testkit.Must(pairs.Define(nil, 2)).HeldOut.From
	assert.InDelta(t, 2, stat.Mean(mat.Col(nil, 0, held), nil), 1.3)
	learned := testkit.Must(pairs.EDMD(3, 2))
	assert.Greater(t, learned.HeldOut.Values[1], 0.95)
	assert.Contains(t, fmt.Sprint(learned.Advice()), "changes sign in no pair")
	assert.NotContains(t, fmt.Sprint(learned.Advice()), "overfitted")
	within := 0
	for draw := range uint64(20) {
		cycles := testkit.Autoregressive(testkit.NewRand(draw), 4_000, 0.8)
		cycles.Apply(func(i, _ int, v float64) float64 { return v + 3*math.Sin(float64(i)*math.Pi/200) }, cycles)
		learned := testkit.Must(testkit.Must(learn.Trajectories(1, cycles)).EDMD(3, 2))
		if math.Abs(learned.Values[1]-learned.HeldOut.Values[1]) < 2*learned.HeldOut.Errors[1] {
			within++
		}
	}
	assert.GreaterOrEqual(t, within, 19)
}
