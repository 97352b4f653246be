package jet_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/jet"
)

// TestStandardise: value, gradient and Laplacian of (j_i − centre_i)·scale_i are those of each column by [jet.Shift]
// and [jet.Scale], for coordinates and for what is not affine in them.
func TestStandardise(t *testing.T) {
	centre, scale := []float64{1, -30, 0}, []float64{0.5, 7, -2}
	for _, before := range []func(j jet.Jet) jet.Jet{func(j jet.Jet) jet.Jet { return j }, jet.Tanh} {
		out := graphtest.Evaluate(t, func(in []*Node) []*Node {
			x := before(jet.Inputs(in[0]))
			var columns []jet.Jet
			for i := range centre {
				columns = append(columns, jet.Scale(jet.Shift(x.Column(i), -centre[i]), scale[i]))
			}
			got, want := jet.Standardise(x, centre, scale), jet.Concatenate(columns...)
			return append(append(streams(got), streams(want)...), streams(jet.Sin(got))[1], streams(jet.Sin(want))[1])
		}, normal(newRand(), 1, 2, 7, 3))
		for i := range 5 {
			assertClose(t, out[5+i], out[i], 1e-14)
		}
		assertClose(t, out[11], out[10], 1e-14, "what is known of the jet is right")
	}
	exec := graphtest.Compiled(t, func(in []*Node) []*Node {
		return streams(jet.Standardise(jet.Inputs(in[0]), centre[:2], scale))
	})
	_, err := exec.Exec([][]float32{{1, 2, 3}})
	assert.ErrorContains(t, err, "2 centres and 3 scales do not fit 3 columns")
}
