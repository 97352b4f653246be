package optim_test

import (
	"encoding/json"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

func TestScheduleAtItsCorners(t *testing.T) {
	const w, end = 10, 110
	for _, c := range []struct {
		schedule optim.Schedule
		want     map[int]float64
	}{
		{optim.Schedule{}, map[int]float64{0: 1, 1: 1, 999: 1}},
		{optim.Schedule{Warmup: w}, map[int]float64{0: 0, 1: 0.1, w - 1: 0.9, w: 1, w + 1: 1, 999: 1}},
		{optim.Schedule{Decay: optim.Cosine, Steps: 100}, map[int]float64{
			0: 1, 25: (1 + math.Sqrt(0.5)) / 2, 50: 0.5, 100: 0, 999: 0}},
		{optim.Schedule{Warmup: w, Decay: optim.Cosine, Steps: end}, map[int]float64{
			0: 0, 1: 0.1, w - 1: 0.9, w: 1, 35: (1 + math.Sqrt(0.5)) / 2, 60: 0.5, end: 0, 2 * end: 0}},
		{optim.Schedule{Decay: optim.Cosines, Milestones: []int{10, 40}}, map[int]float64{ // 0 after the last
			0: 1, 5: 0.5, 10: 1, 25: 0.5, 40: 0, 999: 0}},
		{optim.Schedule{Decay: optim.Tenths, Milestones: []int{1, 60, 80}}, map[int]float64{
			0: 1, 1: 0.1, 59: 0.1, 60: 0.01, 79: 0.01, 80: 0.001, 999: 0.001}},
		{optim.Schedule{Decay: optim.Tenths, Milestones: []int{5, 60}, Warmup: 4}, map[int]float64{
			0: 0, 1: 0.25, 3: 0.75, 4: 1, 5: 0.1, 60: 0.01}},
		{optim.Schedule{Decay: optim.Tenths, Milestones: []int{6}, Warmup: 1, WarmupFrom: 0.3}, map[int]float64{
			0: 0.3, 1: 1, 5: 1, 6: 0.1}},
	} {
		got := factors(t, c.schedule, 1000)
		for step, want := range c.want {
			assert.InDelta(t, want, got[step], 1e-15, "%+v at step %d", c.schedule, step)
		}
	}
}

// factors evaluates the schedule in float64 at the steps 0, 1, …, n−1.
func factors(t *testing.T, s optim.Schedule, n int) (all []float64) {
	t.Helper()
	require.NoError(t, s.Validate())
	factor := testkit.Compile(t, func(in []*Node) []*Node { return []*Node{s.Factor(in[0])} })
	for step := range n {
		taken := testkit.NewArray()
		taken.Data[0] = float64(step)
		all = append(all, factor.Call(t, taken)[0].Data...)
	}
	return all
}

// TestScheduleOfSoloLearnStepByStep: solo-learn's scheduler computes each rate from the previous one. It adds an equal
// part of the rise in the warm-up, and then multiplies by a ratio of cosines.
func TestScheduleOfSoloLearnStepByStep(t *testing.T) {
	const warmup, end, from = 12, 90, 1e-4
	got := factors(t, optim.Schedule{Warmup: warmup, WarmupFrom: from, Decay: optim.Cosine, Steps: end}, end)
	bend := func(s int) float64 { return 1 + math.Cos(math.Pi*float64(s-warmup)/(end-warmup)) }
	want := []float64{from}
	for s := 1; s < end; s++ {
		before := want[s-1]
		switch {
		case s < warmup:
			want = append(want, before+(1-from)/(warmup-1))
		case s == warmup:
			want = append(want, 1)
		default:
			want = append(want, before*bend(s)/bend(s-1))
		}
	}
	assert.InDeltaSlice(t, want, got, 1e-13)
	assert.InDelta(t, 1, got[warmup-1], 1e-15)
}

// TestJSONOfAScheduleStays, since results are stored under the JSON of their configuration.
func TestJSONOfAScheduleStays(t *testing.T) {
	text := testkit.Must(json.Marshal(optim.Schedule{Warmup: 3, Decay: optim.Cosine, Steps: 9}))
	assert.Equal(t, `{"warmup":3,"decay":"cosine","steps":9}`, string(text))
}
