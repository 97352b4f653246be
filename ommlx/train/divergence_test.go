package train

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failing trains runs of which run r becomes not finite in step at[r] (from 1; 0: never), in the way of kind[r].
func failing(at, kind []float32) Problem {
	seeds := make([]int64, len(at))
	for i := range seeds {
		seeds[i] = int64(i + 1)
	}
	p := toy(8, seeds...)
	p.Data = append(p.Data, tensors.FromFlatDataAndDimensions(at, len(at)), tensors.FromFlatDataAndDimensions(kind, len(at)))
	loss := p.Loss
	p.Loss = func(in Inputs) (*Node, []*Node) {
		value, next := loss(in)
		now := Equal(next[0], in.Data[1])
		hit := func(kind float64) *Node { return LogicalAnd(now, Equal(in.Data[2], ConstAs(value, kind))) }
		zero, one := ZerosLike(value), OnesLike(value)
		value = Where(hit(nanLoss), Log(Neg(one)), value)
		value = Where(hit(infiniteLoss), Div(one, zero), value)
		// a is a parameter of each run; d is zero, with the gradient of a.
		a := ReduceSum(in.Params[3], 1)
		d := Sub(a, StopGradient(a))
		value = Add(value, Sqrt(Where(hit(infiniteGradient), d, one))) // √x has no slope at 0
		value = Add(value, MulScalar(Where(hit(hugeGradient), d, zero), 1e30))
		return value, next
	}
	return p
}

const (
	nanLoss = iota
	infiniteLoss
	infiniteGradient // of a finite loss
	hugeGradient     // finite, but its square, which Adam keeps, is not
)

// TestDivergence: the run is stopped as it was before the step, that step is recorded, and no other run notices.
func TestDivergence(t *testing.T) {
	t.Parallel()
	o := here(t)
	o.Eval = size
	const steps, n = 40, 23
	kinds := []float32{nanLoss, nanLoss, infiniteLoss, infiniteGradient, hugeGradient, nanLoss}
	all := len(kinds)
	// Points after every step, to see what the runs were like just before they failed.
	healthy := mustRun(t, failing(make([]float32, all), kinds), config(steps, 1), o)
	require.Equal(t, make([]int, all), healthy.Diverged)
	result := mustRun(t, failing([]float32{0, n, n, n, n, 1}, kinds), config(steps, 10), o)
	require.Equal(t, []int{0, n, n, n, n, 1}, result.Diverged)

	assert.Equal(t, ofRun(healthy.Params, 0), ofRun(result.Params, 0))
	assert.Equal(t, ofRun(healthy.Average, 0), ofRun(result.Average, 0))
	for _, p := range result.History {
		assert.Equal(t, healthy.History[p.Step].Value[0], p.Value[0])
		for r := 1; r < all-1; r++ {
			assert.Equal(t, healthy.History[min(p.Step, n-1)].Value[r], p.Value[r], "run %d is frozen as before step %d", r, n)
		}
		assert.Equal(t, healthy.History[0].Value[all-1], p.Value[all-1], "frozen at the start")
		if p.Step > 0 {
			assert.True(t, math.IsNaN(p.Loss[all-1]), "it never had a loss")
		}
	}
	for r := 1; r < all-1; r++ {
		// The point at 30 holds the two steps 21 and 22; the one at 40 none, so it repeats the last.
		two := (healthy.History[21].Loss[r] + healthy.History[22].Loss[r]) / 2
		assert.InEpsilon(t, two, result.History[3].Loss[r], 1e-6)
		assert.Equal(t, healthy.History[22].Loss[r], result.History[4].Loss[r])
	}
}

// TestDivergenceSurvivesResuming, with losses in the history that JSON has no numbers for.
func TestDivergenceSurvivesResuming(t *testing.T) {
	o := pureGo(t)
	p := failing([]float32{0, 1, 7}, []float32{nanLoss, nanLoss, infiniteLoss})
	c := config(60, 5)
	whole := mustRun(t, p, c, o)
	o.Dir = t.TempDir()
	interrupted(t, p, c, o, 12)
	resumed := mustRun(t, p, c, o)
	require.Equal(t, []int{0, 1, 7}, resumed.Diverged)
	require.Equal(t, content(whole.Params), content(resumed.Params))
	require.Equal(t, fmt.Sprint(whole.History), fmt.Sprint(resumed.History)) // NaN ≠ NaN
}
