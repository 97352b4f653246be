package representation

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

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
	require.Equal(t, Accuracy{Top1: 0.5, Top5: 1, N: 2}, AccuracyOf([]float32{0, 2, 1, 5, 5, 0}, []int{1, 1}), "a tie")
	got := AccuracyOf(slices.Repeat([]float64{7, 6, 5, 4, 3, 2}, 4), []int{0, 1, 4, 5})
	require.Equal(t, Accuracy{Top1: 0.25, Top5: 0.75, N: 4}, got)
	require.Zero(t, AccuracyOf([]float64{}, nil))
	assert.JSONEq(t, `{"top1": 0.25, "top5": 0.75, "n": 4}`, string(testkit.Must(json.Marshal(got))))
}
