package optim_test

import (
	"encoding/json"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

func TestScheduleAtItsCorners(t *testing.T) {
	const w, end = 10, 110
	warm := map[int]float64{0: 0, 1: 0.1, w - 1: 0.9, w: 1}
	cases := []struct {
		schedule optim.Schedule
		want     map[int]float64
	}{
		{optim.Schedule{}, map[int]float64{0: 1, 1: 1, 1_000_000: 1}},
		{optim.Schedule{Warmup: w}, map[int]float64{w + 1: 1, 1_000_000: 1}},
		{optim.Schedule{Decay: optim.Cosine, Steps: 100}, map[int]float64{
			0: 1, 25: (1 + math.Sqrt(0.5)) / 2, 50: 0.5, 100: 0, 1000: 0}},
		{optim.Schedule{Warmup: w, Decay: optim.Cosine, Steps: end}, map[int]float64{
			35: (1 + math.Sqrt(0.5)) / 2, 60: 0.5, end: 0, 2 * end: 0}},
	}
	for _, c := range cases {
		require.NoError(t, c.schedule.Validate())
		factor := testkit.Compile(t, testkit.Backend(t), func(in []*Node) []*Node {
			return []*Node{c.schedule.Factor(in[0])}
		})
		check := func(wants map[int]float64) {
			for step, want := range wants {
				got := tensors.MustCopyFlatData[float64](testkit.Run(t, factor, float64(step))[0])[0]
				assert.InDelta(t, want, got, 1e-15, "%+v at step %d", c.schedule, step)
			}
		}
		check(c.want)
		if c.schedule.Warmup > 0 {
			check(warm)
		}
	}
}

// factors evaluates the schedule in float64 at the steps 0, 1, …, n−1.
func factors(t *testing.T, s optim.Schedule, n int) (all []float64) {
	t.Helper()
	require.NoError(t, s.Validate())
	factor := testkit.NewProgram(t, func(in []*Node) []*Node { return []*Node{s.Factor(in[0])} })
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

func TestMilestones(t *testing.T) {
	const warmup = 4
	for _, s := range []optim.Schedule{
		{Decay: optim.Tenths, Milestones: []int{1, 60, 80}},
		{Decay: optim.Tenths, Milestones: []int{5, 60}, Warmup: warmup},
		{Decay: optim.Tenths, Milestones: []int{6}, Warmup: 1, WarmupFrom: 0.3},
	} {
		for step, got := range factors(t, s, 100) {
			want := 1.0
			for _, m := range s.Milestones {
				if step >= m {
					want /= 10
				}
			}
			switch {
			case s.Warmup == warmup && step < warmup:
				want *= float64(step) / warmup
			case s.Warmup == 1 && step == 0:
				want *= 0.3
			}
			assert.InDelta(t, want, got, 1e-15, "%+v at step %d", s, step)
		}
	}
}

// TestJSONOfAScheduleStays, since results are stored under the JSON of their configuration.
func TestJSONOfAScheduleStays(t *testing.T) {
	text := testkit.Must(json.Marshal(optim.Schedule{Warmup: 3, Decay: optim.Cosine, Steps: 9}))
	assert.Equal(t, `{"warmup":3,"decay":"cosine","steps":9}`, string(text))
}

// TestCosinesRestart: each cycle is a cosine of its own length, and the rate stays 0 after the last.
func TestCosinesRestart(t *testing.T) {
	got := factors(t, optim.Schedule{Decay: optim.Cosines, Milestones: []int{10, 40}}, 50)
	for step, factor := range got {
		want := 0.0
		if step < 10 {
			want = (1 + math.Cos(math.Pi*float64(step)/10)) / 2
		} else if step < 40 {
			want = (1 + math.Cos(math.Pi*float64(step-10)/30)) / 2
		}
		assert.InDelta(t, want, factor, 1e-12, "step %d", step)
	}
}
