package notebook

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFloorPlanHidesEdgesOfNewCells(t *testing.T) {
	f := FloorPlan()
	assert.Equal(t, f.States(), f.Full.Nodes())
	assert.Less(t, f.Seen.Edges(), f.Full.Edges())
	values := make([]float64, len(f.New))
	for i := range values {
		assert.Positive(t, f.Full.Degree(i))
		assert.Equal(t, f.New[i], f.Seen.Degree(i) == 0)
		values[i] = float64(i)
	}
	assert.Equal(t, []float64{3, 10, 17}, f.OnNew(values)[:3])
	assert.False(t, f.sees([2]int{0, 10}, [2]int{0, 12}), "a wall is between them")
	assert.True(t, f.sees([2]int{4, 10}, [2]int{4, 12}), "the door is between them")
	assert.False(t, f.sees([2]int{4, 0}, [2]int{4, 6}), "six steps")
}
