package train

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRunAloneIsRunAmongOthers, but for the rounding of products of another shape.
func TestRunAloneIsRunAmongOthers(t *testing.T) {
	t.Parallel()
	seeds := []int64{5, 6, 7}
	c := config(300, 50)
	together := mustRun(t, toy(16, seeds...), c, here(t))
	const r = 1
	alone := mustRun(t, toy(16, seeds[r]), c, here(t))
	assert.InDeltaSlice(t, ofRun(alone.Params, 0), ofRun(together.Params, r), 1e-4)
	for i := 1; i < len(alone.History); i++ {
		assert.InEpsilon(t, alone.History[i].Loss[0], together.History[i].Loss[r], 1e-4)
	}
	assert.Greater(t, math.Abs(ofRun(together.Params, 0)[0]-ofRun(together.Params, 1)[0]), 1e-3, "runs differ")
}

// TestRandomNumbersOfARun are those of its seed alone, bit for bit, and go on from call to call.
func TestRandomNumbersOfARun(t *testing.T) {
	t.Parallel()
	draws := func(seeds ...int64) [][]float64 {
		states, err := randomStates(seeds)
		require.NoError(t, err)
		exec, err := NewExec(here(t).Backend, func(states *Node) []*Node {
			r := newRandom(states)
			return []*Node{r.Uniform(dtypes.Float32, 40, 2), r.Normal(dtypes.Float32, 50), r.Uniform(dtypes.Float64, 7),
				ConvertDType(r.IntN(1000, 30), dtypes.Float64), r.packed()}
		})
		require.NoError(t, err)
		defer exec.Finalize()
		perRun := make([][]float64, len(seeds))
		for range 2 {
			out, err := exec.Exec(states)
			require.NoError(t, err)
			states = out[4]
			for i := range perRun {
				perRun[i] = append(perRun[i], ofRun(out[:4], i)...)
			}
		}
		return perRun
	}
	together := draws(11, 12)
	assert.Equal(t, draws(12)[0], together[1])
	half := len(together[0]) / 2
	for i := range half {
		require.NotEqual(t, together[0][i], together[1][i], "seeds share number %d", i)
	}
	assert.NotEqual(t, together[0][:half], together[0][half:], "the second call repeats the first")
}
