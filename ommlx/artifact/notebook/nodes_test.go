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
