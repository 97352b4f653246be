package probe_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/probe"
)

func TestNearestByTheCosine(t *testing.T) {
	training := probe.FeaturesOf(mat.NewDense(4, 2, []float64{1, 0, 10, 10, -3, 0, 0, 0}), []int{0, 1, 2, 3})
	test := probe.FeaturesOf(mat.NewDense(2, 2, []float64{0, 1, 5, 0.1}), []int{0, 0})
	assert.Equal(t, probe.Features{X: []float32{0, 1, 5, 0.1}, Dim: 2, Labels: []int{0, 0}}, test)
	assert.Equal(t, []int{1, 0}, test.Nearest(0, 2, training), "length does not count; of equals the first is first")
	assert.Equal(t, []int{0, 1, 3, 2}, test.Nearest(1, 9, training), "zero is at a right angle to all")
}
