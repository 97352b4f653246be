package notebook

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/artifact/draw"
)

func TestReachedIsTheLeastErrorSoFar(t *testing.T) {
	points := []Measured{{3, 0.5}, {1, 0.2}, {4, 0}, {2, 0.1}}
	require.Equal(t, draw.Series{Name: "Lanczos", X: []float64{1, 2, 3, 4}, Y: []float64{0.2, 0.1, 0.1, 1e-8}},
		Reached("Lanczos", 1e-8, points))
	require.Equal(t, Measured{3, 0.5}, points[0], "points are left as they are")
	require.Equal(t, draw.Series{Name: "none"}, Reached("none", 0, nil))
}

func TestSecondsIsTheTimeOfTheFastestCall(t *testing.T) {
	calls := 0
	took := Seconds(func() {
		if calls++; calls == 1 {
			time.Sleep(100 * time.Millisecond)
		} else {
			time.Sleep(10 * time.Millisecond)
		}
	})
	require.GreaterOrEqual(t, took, 0.010)
	require.Greater(t, calls, 1, "the first call is shorter than what is measured at least")
	long := 0
	require.GreaterOrEqual(t, Seconds(func() { long++; time.Sleep(250 * time.Millisecond) }), 0.25)
	require.Equal(t, 1, long)
}

// Axes may have different numbers of sizes; each has its own times, in its own plot.
func TestCostsOfEachAxis(t *testing.T) {
	costs, err := MeasureCosts([]CostAxis{
		{"B", []float64{8, 16, 32}, func(n int) Evaluation {
			return Evaluation{Objective: ommlx.OMM{}, B: n, K: 2}
		}},
		{"p", []float64{1, 2}, func(n int) Evaluation {
			return Evaluation{Objective: ommlx.OMM{Orders: ommlx.Order(n)}, B: 8, K: 4}
		}},
	}, []Evaluation{{Objective: ommlx.LoRA{}, B: 8, K: 2}}, 1, 20*time.Millisecond)
	require.NoError(t, err)
	require.Len(t, costs.Others, 1)
	require.Len(t, costs.Slopes, 2)
	for a, sizes := range []int{3, 2} {
		require.Len(t, costs.Residuals[a], sizes)
		measured, fit := costs.Plots.Plots[a].Series[0], costs.Plots.Plots[a].Series[1]
		for i, spent := range costs.Times[a] {
			require.InDelta(t, 1e3*spent.Seconds(), measured.Y[i], 1e-9)
			require.InEpsilon(t, 1+costs.Residuals[a][i], measured.Y[i]/fit.Y[i], 1e-2)
		}
	}
	_, err = MeasureCosts(nil, nil, 1, time.Millisecond)
	require.Error(t, err)
}

// Times that follow the formula give its coefficients back.
func TestFitCost(t *testing.T) {
	want := Cost{Call: 1e-3, PerBk2: 2e-10, PerK3: 5e-11}
	var evaluations []Evaluation
	var times []time.Duration
	for _, size := range [][3]int{
		{512, 256, 1}, {1024, 256, 1}, {4096, 256, 1}, {4096, 64, 1}, {512, 256, 2}, {512, 256, 5},
	} {
		e := Evaluation{Objective: ommlx.OMM{Orders: ommlx.Order(size[2])}, B: size[0], K: size[1]}
		evaluations, times = append(evaluations, e), append(times, want.Time(e))
	}
	got, residuals, err := fitCost(evaluations, times)
	require.NoError(t, err)
	require.InEpsilon(t, want.Call, got.Call, 1e-4)
	require.InEpsilon(t, want.PerBk2, got.PerBk2, 1e-4)
	require.InEpsilon(t, want.PerK3, got.PerK3, 1e-4)
	require.InDeltaSlice(t, make([]float64, len(times)), residuals, 1e-4)
	require.Equal(t, "1 ms + 0.2 ns·Bk² + 0.05 ns·(p − 1)k³", want.String())

	_, _, err = fitCost(evaluations[:4], times[:4]) // p = 1 alone
	require.ErrorContains(t, err, "do not tell its three terms apart")
	_, _, err = fitCost(evaluations[:2], times[:2])
	require.ErrorContains(t, err, "give more of them than 2")
}

// What cannot be evaluated is named.
func TestAnEvaluationThatFailsIsNamed(t *testing.T) {
	_, _, err := leastTimes([]Evaluation{{Objective: ommlx.OMM{Nesting: 7}, B: 4, K: 2}}, 1, 0)
	require.ErrorContains(t, err, "omm_Nesting(7)")
}
