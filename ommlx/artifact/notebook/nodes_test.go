package notebook

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/graphs"
)

// TestGeneratedNodes: no edge of training reaches a new node, and a linear classifier of labels is right.
func TestGeneratedNodes(t *testing.T) {
	d := GeneratedNodes(graphs.Generation{Nodes: 1_200, Degree: 20, Classes: 3, Features: 8, Seed: 1})
	labels, fresh := mat.NewDense(d.Nodes(), d.Classes, nil), 0
	for i, label := range d.Labels {
		labels.Set(i, label, 1)
		if d.New(i) {
			fresh++
			assert.Empty(t, d.Seen.Row(i))
			assert.False(t, d.Test(i))
		}
	}
	assert.Positive(t, fresh)
	onTest, onNew := d.Probe(labels)
	assert.InDeltaSlice(t, []float64{100, 100}, []float64{onTest, onNew}, 1e-9)
	assert.Greater(t, d.Propagated(), 100./3, "chance")
	points := 0
	for _, class := range d.ByClass(labels).Series {
		points += len(class.X)
		for i := range class.X { // all nodes of a class are at one point
			assert.InDelta(t, class.X[0], class.X[i], 1e-9)
		}
	}
	assert.Equal(t, 240, points)
}

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
