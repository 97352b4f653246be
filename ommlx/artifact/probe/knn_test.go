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
func TestNearestIsAStableSort(t *testing.T) {
	rng := testkit.NewRand(11)
	for range 300 {
		similarities := make([]float32, 1+rng.IntN(60))
		all := make([]int, len(similarities))
		for i := range all {
			similarities[i], all[i] = float32(rng.IntN(12))/4, i
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(similarities[b], similarities[a]) })
		for k := range len(all) {
			require.Equal(t, all[:k+1], nearest(similarities, k+1))
		}
	}
}

func TestVotes(t *testing.T) {
	similarities, voters := []float32{0.9, 0.5, 0.8, 0.1}, []int{1, 0, 0, 2}
	for _, c := range []struct {
		k           int
		temperature float64
		label, want int
	}{
		{1, 1, 1, 0}, {1, 1, 0, math.MaxInt}, // without a vote
		{2, 1, 1, 0}, {2, 1, 0, 1}, // one vote each
		{3, 1, 0, 0}, {3, 1, 1, 1}, // two votes against one
		{3, 1e-9, 1, 0},                      // only the nearest counts, and exp(1/T) overflows
		{9, 1, 2, 2}, {9, 1, 5, math.MaxInt}, // a class without training samples
	} {
		require.Equal(t, c.want, KNN{c.k, c.temperature}.vote(similarities, voters, c.label), "%+v", c)
	}
}

// The accuracy by cosines in float64 differs only where similarities are too close to distinguish in float32. A block
// of any size gives the same.
func TestKNNAgainstTheHost(t *testing.T) {
	training, test := task(12, 150, 101, 6, 9, 0.8)
	for i, k := range []KNN{{1, 0.07}, {5, 0.07}, {40, 1}, {1000, 0.5}} {
		var answers []int
		for sample, label := range test.Labels {
			cosines := make([]float32, len(training.Labels))
			for at := range cosines {
				var xy, xx, yy float64
				for j, y := range training.rows(at, at+1) {
					x := float64(test.X[sample*test.Dim+j])
					xy, xx, yy = xy+x*float64(y), xx+x*x, yy+float64(y)*float64(y)
				}
				cosines[at] = float32(xy / math.Sqrt(xx*yy))
			}
			answers = append(answers, k.vote(cosines, training.Labels, label))
		}
		want := ranked(answers)
		require.Less(t, want.Top1, 1.0, "the task is too easy to show errors")
		b := testkit.PureGo(t)
		if i == 0 {
			b = testkit.Backend(t)
		}
		for _, block := range []int{1, 150 * 20, 150 * 101} {
			got := testkit.Must(k.score(b, []Features{training, test}, []Features{test, test}, block))
			assert.InDelta(t, want.Top1, got[0].Top1, 1.5/101, "%+v", k)
			assert.InDelta(t, want.Top5, got[0].Top5, 1.5/101, "%+v", k)
			assert.Equal(t, len(test.Labels), got[0].N)
			if k.K == 1 {
				assert.Equal(t, Accuracy{Top1: 1, Top5: 1, N: 101}, got[1], "every sample is nearest to itself")
			}
		}
	}
	zero := testkit.Must(KNN{1, 1}.Score(testkit.PureGo(t), []Features{{[]float32{1, 0, 0, 1}, 2, []int{3, 1}}},
		[]Features{{[]float32{0, 0}, 2, []int{3}}}))
	assert.Equal(t, 1.0, zero[0].Top1, "zero is equally near to every sample")
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
	got := ranked([]int{0, 1, 4, 5, 0})
	require.Equal(t, Accuracy{Top1: 0.4, Top5: 0.8, N: 5}, got)
	require.Equal(t, Accuracy{Top1: 0.5, Top5: 1, N: 2}, AccuracyOf([]float32{0, 2, 1, 5, 5, 0}, []int{1, 1}), "a tie")
	require.Zero(t, AccuracyOf([]float64{}, nil))
	assert.JSONEq(t, `{"top1": 0.4, "top5": 0.8, "n": 5}`, string(testkit.Must(json.Marshal(got))))
}

func TestNearestByTheCosine(t *testing.T) {
	training := FeaturesOf(mat.NewDense(4, 2, []float64{1, 0, 10, 10, -3, 0, 0, 0}), []int{0, 1, 2, 3})
	test := FeaturesOf(mat.NewDense(2, 2, []float64{0, 1, 5, 0.1}), []int{0, 0})
	assert.Equal(t, Features{X: []float32{0, 1, 5, 0.1}, Dim: 2, Labels: []int{0, 0}}, test)
	assert.Equal(t, []int{1, 0}, test.Nearest(0, 2, training), "length does not count; a tie goes to the first")
	assert.Equal(t, []int{0, 1, 3, 2}, test.Nearest(1, 9, training), "zero has cosine 0 with every sample")
}
