package probe

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
)

// TestAhead is the place of the label in the order of all classes, by score and then by number.
func TestAhead(t *testing.T) {
	rng := graphtest.NewRand(1)
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
}

func TestAheadOfNaN(t *testing.T) {
	nan := math.NaN()
	assert.Equal(t, math.MaxInt, ahead([]float64{0, nan}, 1))
	assert.Equal(t, 1, ahead([]float64{0, nan}, 0))
	assert.Equal(t, 1, ahead([]float64{0, math.Inf(1)}, 0))
}

func TestTally(t *testing.T) {
	var a, b tally
	for _, ahead := range []int{0, 1, 4, 5} {
		a.add(ahead)
	}
	b.add(0)
	a.merge(b)
	require.Equal(t, Accuracy{Top1: 0.4, Top5: 0.8, N: 5}, a.accuracy())
	text, err := json.Marshal(a.accuracy())
	require.NoError(t, err)
	assert.JSONEq(t, `{"top1": 0.4, "top5": 0.8, "n": 5}`, string(text))
}
