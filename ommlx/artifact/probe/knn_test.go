package probe

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
)

// Similarities have few values, and many neighbours tie.
func TestNearestAgainstASort(t *testing.T) {
	rng := testkit.NewRand(11)
	for range 300 {
		similarities := make([]float32, 1+rng.IntN(60))
		all := make([]neighbour, len(similarities))
		for i := range all {
			similarities[i] = float32(rng.IntN(12)) / 4
			all[i] = neighbour{similarities[i], int32(i)}
		}
		slices.SortStableFunc(all, func(a, b neighbour) int { return cmp.Compare(b.similarity, a.similarity) })
		for k := range len(all) {
			require.Equal(t, all[:k+1], nearest(similarities, make([]neighbour, k+1)))
		}
	}
}

// knnOnTheHost votes in float64, sample by sample, and returns the answers ahead of labels: the worst and the best case
// where two similarities or votes are too close to be distinguished in float32.
func knnOnTheHost(k KNN, training, test Features) (worst, best []int) {
	const near = 1e-5
	for sample, label := range test.Labels {
		type voter struct {
			s     float64
			label int
		}
		var voters []voter
		for i, l := range training.Labels {
			var xy, xx, yy float64
			for j := range test.Dim {
				x, y := float64(test.X[sample*test.Dim+j]), float64(training.X[i*test.Dim+j])
				xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
			}
			voters = append(voters, voter{xy / math.Sqrt(xx*yy), l})
		}
		slices.SortFunc(voters, func(a, b voter) int { return cmp.Compare(b.s, a.s) })
		clear := k.K >= len(voters) || voters[k.K-1].s-voters[k.K].s > near
		votes := map[int]float64{}
		for _, v := range voters[:min(k.K, len(voters))] {
			votes[v.label] += math.Exp((v.s - 1) / k.Temperature)
		}
		before := 0
		for class, vote := range votes {
			if class != label {
				clear = clear && math.Abs(vote-votes[label]) > near*vote
				if vote > votes[label] {
					before++
				}
			}
		}
		if votes[label] == 0 {
			before = math.MaxInt
		}
		if clear {
			worst, best = append(worst, before), append(best, before)
		} else {
			worst, best = append(worst, math.MaxInt), append(best, 0)
		}
	}
	return worst, best
}

func TestKNNAgainstTheHost(t *testing.T) {
	training, test := task(12, 150, 101, 6, 9, 0.8)
	for i, k := range []KNN{{1, 0.07}, {5, 0.07}, {40, 0.07}, {40, 1}, {150, 0.5}, {1000, 0.5}, {20, 1e-3}} {
		worst, best := knnOnTheHost(k, training, test)
		least, most := accuracyOf(worst), accuracyOf(best)
		require.Less(t, most.Top1-least.Top1, 3.5/101, "%+v: too many near ties", k)
		b := testkit.PureGo(t)
		if i == 0 {
			b = testkit.Backend(t)
		}
		c := newCosines(b)
		defer c.free()
		var last Accuracy
		for j, block := range []int{1, 150 * 20, 150 * 101} {
			got := testkit.Must(k.score(c, training, test, block))
			assert.True(t, least.Top1 <= got.Top1 && got.Top1 <= most.Top1, "%+v: %v", k, got)
			assert.True(t, least.Top5 <= got.Top5 && got.Top5 <= most.Top5, "%+v: %v", k, got)
			assert.Equal(t, len(test.Labels), got.N)
			assert.Less(t, got.Top1, 1.0, "the task is too easy to show errors")
			if j > 0 {
				assert.Equal(t, last, got, "blocks of %d similarities", block)
			}
			last = got
		}
	}
}

func score(t *testing.T, k KNN, training, test Features) Accuracy {
	t.Helper()
	return testkit.Must(k.Score(testkit.PureGo(t), training, test))
}

func TestScorerTakesFeaturesOfAnyShape(t *testing.T) {
	vote, free := KNN{K: 5}.Scorer(testkit.PureGo(t))
	defer free()
	for _, seed := range []uint64{12, 13, 12} {
		for _, dim := range []int{6, 2} {
			training, test := task(seed, 60+dim, 41, dim, 9, 0.8)
			other, same := task(seed+1, 60+dim, 41, dim, 9, 0.8)
			got := testkit.Must(vote([]Features{training, other}, []Features{test, same}))
			require.Equal(t, score(t, KNN{K: 5}, training, test), got[0])
			require.Equal(t, score(t, KNN{K: 5}, other, same), got[1])
		}
	}
}

func TestKNNTiesGoToTheLowerIndex(t *testing.T) {
	training := Features{Dim: 2, X: []float32{0, 1, 1, 0, 2, 0, 3, 0, 0, 1}, Labels: []int{3, 2, 1, 2, 0}}
	ask := func(k, label int) Accuracy {
		return score(t, KNN{K: k}, training, Features{Dim: 2, X: []float32{5, 0}, Labels: []int{label}})
	}
	right, among, wrong := Accuracy{1, 1, 1}, Accuracy{0, 1, 1}, Accuracy{0, 0, 1}
	assert.Equal(t, right, ask(1, 2), "sample 1 is the first of the three nearest")
	assert.Equal(t, wrong, ask(1, 1))
	assert.Equal(t, right, ask(2, 1), "one vote each")
	assert.Equal(t, among, ask(2, 2))
	assert.Equal(t, right, ask(3, 2), "two votes against one")
	assert.Equal(t, among, ask(4, 3), "sample 0 is the first of the two that are orthogonal")
	assert.Equal(t, wrong, ask(4, 0))
	assert.Equal(t, wrong, ask(5, 4), "a class without training samples")

	zero := score(t, KNN{K: 1}, training, Features{Dim: 2, X: []float32{0, 0}, Labels: []int{3}})
	assert.Equal(t, right, zero, "zero is equally near to every sample")
}

// At a temperature at which exp(1/T) overflows, only the nearest neighbour counts.
func TestKNNAtALowTemperature(t *testing.T) {
	training, test := task(15, 100, 200, 5, 4, 0.5)
	want, got := score(t, KNN{K: 1}, training, test), score(t, KNN{K: 50, Temperature: 1e-9}, training, test)
	require.Equal(t, want.Top1, got.Top1)
}

func TestAheadIsTheRankOfTheLabel(t *testing.T) {
	rng := testkit.NewRand(1)
	for range 200 {
		scores := make([]float64, 1+rng.IntN(9))
		order := make([]int, len(scores))
		for c := range scores {
			scores[c], order[c] = float64(rng.IntN(4)), c // many ties
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(scores[b] - scores[a]) })
		for label := range scores {
			require.Equal(t, slices.Index(order, label), ahead(scores, label), "%v", scores)
		}
	}
	nan := math.NaN()
	assert.Equal(t, math.MaxInt, ahead([]float64{0, nan}, 1))
	assert.Equal(t, 1, ahead([]float64{0, nan}, 0))
	assert.Equal(t, 1, ahead([]float64{0, math.Inf(1)}, 0))
}

func TestAccuracyCountsAnswers(t *testing.T) {
	got := accuracyOf([]int{0, 1, 4, 5, 0})
	require.Equal(t, Accuracy{Top1: 0.4, Top5: 0.8, N: 5}, got)
	assert.JSONEq(t, `{"top1": 0.4, "top5": 0.8, "n": 5}`, string(testkit.Must(json.Marshal(got))))
}

func TestNearestByTheCosine(t *testing.T) {
	training := FeaturesOf(mat.NewDense(4, 2, []float64{1, 0, 10, 10, -3, 0, 0, 0}), []int{0, 1, 2, 3})
	test := FeaturesOf(mat.NewDense(2, 2, []float64{0, 1, 5, 0.1}), []int{0, 0})
	assert.Equal(t, Features{X: []float32{0, 1, 5, 0.1}, Dim: 2, Labels: []int{0, 0}}, test)
	assert.Equal(t, []int{1, 0}, test.Nearest(0, 2, training), "length does not count; a tie goes to the first")
	assert.Equal(t, []int{0, 1, 3, 2}, test.Nearest(1, 9, training), "zero has cosine 0 with every sample")
}
