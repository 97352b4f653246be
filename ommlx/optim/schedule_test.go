package optim_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/optim"
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
		factor := graphtest.Compiled(t, func(in []*Node) []*Node { return []*Node{c.schedule.Factor(in[0])} })
		check := func(wants map[int]float64) {
			for step, want := range wants {
				got := tensors.MustCopyFlatData[float64](graphtest.Run(t, factor, float64(step))[0])[0]
				assert.InDelta(t, want, got, 1e-15, "%+v at step %d", c.schedule, step)
			}
		}
		check(c.want)
		if c.schedule.Warmup > 0 {
			check(warm)
		}
	}
}

func TestScheduleValidate(t *testing.T) {
	for word, s := range map[string]optim.Schedule{
		"warm-up has -2 steps": {Warmup: -2},
		`decay "linear"`:       {Decay: "linear"},
		"must end after":       {Warmup: 10, Decay: optim.Cosine, Steps: 10},
		"cosine to step 0":     {Decay: optim.Cosine},
	} {
		assert.ErrorContains(t, s.Validate(), word)
	}
}
