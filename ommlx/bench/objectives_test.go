package bench

import (
	"context"
	"testing"
	"time"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/train"
)

func TestObjectivesAreMeasured(t *testing.T) {
	out := report(t, pureGo(t), "objectives", 0.001)
	for _, line := range []string{
		`(?m)^B = 64 +\d`, `(?m)^k = 16 +\d`, `(?m)^p = 3 +\d`,
		`(?m)^loss and gradient grow as B\^-?\d+\.\d+ \(processor time: \^-?\d+\.\d+\) for k = 16, p = 1; least times$`,
		`(?m)^processor time: .* ms \+ .* ns·Bk² \+ .* ns·\(p − 1\)k³, wrong by \d+ % at most$`,
		`(?m)^omm_seq +\d.*omm, B=64 k=16 `, `(?m)^one-sided_seq +\d`, `(?m)^lora_seq +\d`,
	} {
		assert.Regexp(t, line, out)
	}
}

// TestEvaluationIsTheObjective: what is timed is the loss, in one call for each and in a loop.
func TestEvaluationIsTheObjective(t *testing.T) {
	e := Evaluation{Objective: ommlx.OMM{Orders: []float64{1, 0.5}}, B: 12, K: 3}
	f, tf := normal(e.B, e.K, 1), normal(e.B, e.K, 2)
	want, err := ExecOnce(engine(t), func(f, tf *Node) *Node {
		loss, _ := e.Objective.Loss(ommlx.Batch{F: f, TF: tf}, nil)
		return loss
	}, f, tf)
	require.NoError(t, err)
	assert.Equal(t, "omm[1:1,2:0.5], B = 12, k = 3", e.String())
	for _, engine := range []compute.Backend{pureGo(t), engine(t)} {
		v, err := newEvaluator(engine, e, time.Millisecond)
		require.NoError(t, err)
		v.repeated = 3
		l, err := v.round()
		require.NoError(t, err)
		assert.Positive(t, l.wall)
		out, err := v.exec.Call(int32(0), int32(3), float32(0), normal(e.B, e.K, 1), normal(e.B, e.K, 2))
		require.NoError(t, err)
		assert.InEpsilon(t, tensors.ToScalar[float32](want), tensors.ToScalar[float32](out[0]), 1e-5)
		v.exec.Finalize()
	}
	_, _, err = Times(context.Background(), engine(t),
		[]Evaluation{{Objective: ommlx.OMM{Nesting: 7}, B: 4, K: 2}}, 1, 0)
	assert.ErrorContains(t, err, "measuring omm_Nesting(7), B = 4, k = 2")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = Times(ctx, engine(t), []Evaluation{e}, 1, 0)
	assert.ErrorIs(t, err, train.ErrInterrupted)
}

// TestFitCost: times that follow the formula give its coefficients back.
func TestFitCost(t *testing.T) {
	want := Cost{Call: 1e-3, PerBk2: 2e-10, PerK3: 5e-11}
	var evaluations []Evaluation
	var times []time.Duration
	sizes := objectiveSizes{batches: []int{512, 1024, 4096}, modes: []int{64, 256}, orders: []int{1, 2, 5}}
	for _, a := range sizes.axes() {
		for _, e := range a.evaluations {
			evaluations = append(evaluations, e)
			times = append(times, want.Time(e.B, e.K, max(1, len(e.Objective.(ommlx.OMM).Orders))))
		}
	}
	got, residuals, err := FitCost(evaluations, times)
	require.NoError(t, err)
	assert.InEpsilon(t, want.Call, got.Call, 1e-4)
	assert.InEpsilon(t, want.PerBk2, got.PerBk2, 1e-4)
	assert.InEpsilon(t, want.PerK3, got.PerK3, 1e-4)
	assert.Less(t, largest(residuals), 1e-4)
	assert.Equal(t, "1 ms + 0.2 ns·Bk² + 0.05 ns·(p − 1)k³", want.String())

	times[0] *= 2
	_, residuals, err = FitCost(evaluations, times)
	require.NoError(t, err)
	assert.Greater(t, residuals[0], 0.1)

	_, _, err = FitCost(evaluations[:2], times)
	assert.ErrorContains(t, err, "give one time for each")
	_, _, err = FitCost(evaluations[:3], times[:3]) // p = 1 alone
	assert.ErrorContains(t, err, "do not tell its three terms apart")
	_, _, err = FitCost(evaluations[:2], times[:2])
	assert.ErrorContains(t, err, "2 sizes for 3 terms")
	_, _, err = FitCost([]Evaluation{{Objective: ommlx.LoRA{}, B: 4, K: 2}}, times[:1])
	assert.ErrorContains(t, err, "lora, B = 4, k = 2 is not OMM")
}
