package train

import (
	"context"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failing returns a problem whose run r stops being finite at step at[r] (from 1; 0: never), in the way kind[r].
func failing(at, kind []float32) Problem {
	seeds := make([]int64, len(at))
	for i := range seeds {
		seeds[i] = int64(i + 1)
	}
	p := fit(seeds...)
	for _, list := range [][]float32{at, kind} {
		p.Data = append(p.Data, tensors.FromFlatDataAndDimensions(list, len(at)))
	}
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

// TestDivergence: a run is frozen as it was before the step, the step is recorded, and no other run is affected.
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
	require.Equal(t, []string{"", "loss", "loss", "gradient", "gradient", "loss"}, result.Causes)

	assert.Equal(t, ofRun(healthy.Params, 0), ofRun(result.Params, 0))
	assert.Equal(t, ofRun(healthy.Average, 0), ofRun(result.Average, 0))
	for _, p := range result.History {
		assert.Equal(t, healthy.History[p.Step].Value[0], p.Value[0])
		for r := 1; r < all-1; r++ {
			assert.Equal(t, healthy.History[min(p.Step, n-1)].Value[r], p.Value[r],
				"run %d is frozen as before step %d", r, n)
		}
		assert.Equal(t, healthy.History[0].Value[all-1], p.Value[all-1], "frozen at the start")
		if p.Step > 0 {
			assert.True(t, math.IsNaN(p.Loss[all-1]), "it never had a loss")
		}
	}
	for r := 1; r < all-1; r++ {
		// The point at 30 covers steps 21 and 22; the one at 40 covers none, so it repeats the last loss.
		two := (healthy.History[21].Loss[r] + healthy.History[22].Loss[r]) / 2
		assert.InEpsilon(t, two, result.History[3].Loss[r], 1e-6)
		assert.Equal(t, healthy.History[22].Loss[r], result.History[4].Loss[r])
	}
}

// TestEveryRunDiverged: the training ends with that step, whatever the length of a call, and the error names the cause.
func TestEveryRunDiverged(t *testing.T) {
	t.Parallel()
	const last = 11
	at, kinds := []float32{9, last, 3}, []float32{nanLoss, infiniteGradient, nanLoss}
	c := config(1_000_000, 5)
	o := here(t)
	o.Eval = size
	var status Status
	o.Progress = func(s Status) { status = s }
	result, err := Run(context.Background(), failing(at, kinds), c, o)
	require.ErrorIs(t, err, ErrDiverged)
	require.ErrorContains(t, err, "at step 3, where the loss")
	assert.Equal(t, last, result.Step)
	assert.Equal(t, []int{9, last, 3}, result.Diverged)
	assert.Equal(t, []string{"loss", "gradient", "loss"}, result.Causes)
	assert.Equal(t, 10, result.History[len(result.History)-1].Step)
	assert.True(t, status.Stopped)
	assert.Equal(t, last, status.Step)

	o.oneStep = true
	other, err := Run(context.Background(), failing(at, kinds), c, o)
	require.ErrorIs(t, err, ErrDiverged)
	requireSame(t, result, other)
}

// TestDivergenceSurvivesResuming: the resumed training divides its steps into other calls, two runs diverge at
// different steps of one call, and the history has losses that are no JSON numbers. A training that ended is not
// trained again, whether or not every run diverged.
func TestDivergenceSurvivesResuming(t *testing.T) {
	t.Parallel()
	some := func() Problem {
		return failing([]float32{0, 1, 35, 27}, []float32{nanLoss, nanLoss, hugeGradient, infiniteLoss})
	}
	for _, c := range []struct {
		o      Options
		p      Problem
		config Config
		err    error
	}{
		{here(t), some(), config(60, 20), nil}, {pureGo(t), some(), config(60, 20), nil},
		{pureGo(t), failing([]float32{30, 1234}, []float32{infiniteLoss, infiniteGradient}), config(20_000, 100),
			ErrDiverged},
	} {
		p, o := c.p, c.o
		o.Eval = size
		want, err := Run(context.Background(), p, c.config, o)
		require.ErrorIs(t, err, c.err)
		o.Dir = t.TempDir()
		interrupted(t, p, c.config, o, 12)
		for range 2 {
			resumed, err := Run(context.Background(), p, c.config, o)
			require.ErrorIs(t, err, c.err)
			requireSame(t, want, resumed)
			o.Progress = func(Status) { t.Error("a training that is over was trained again") }
		}
	}
}
