package artifact_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/backend"
)

// TestThePaceIsOfAllThatIsKnown: whatever is asked about, the same estimate comes out, and a result counts once, though
// two jobs have it.
func TestThePaceIsOfAllThatIsKnown(t *testing.T) {
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Quick}
	jobs := mustMadeUpJobs(t) // the last two are the same
	kind := jobs[0].Kind
	runAll(t, l, jobs[0], jobs[2])
	files := slices.Sorted(maps.Keys(results(t, l)))
	for i, seconds := range []float64{3, 1, 4, 1, 5} {
		measured(t, files[i], backend.Cores(), seconds)
	}
	pace, err := l.Pace(jobs[1:2], backend.Cores())
	require.NoError(t, err)
	require.Equal(t, lab.Pace{kind: 1}, pace, "nothing of it is kept")

	l.Known = func(p lab.Profile) ([]lab.Job, error) {
		require.Equal(t, lab.Quick, p)
		return jobs, nil
	}
	for _, some := range [][]lab.Job{nil, jobs[:1], jobs[1:2], jobs} {
		pace, err := l.Pace(some, backend.Cores())
		require.NoError(t, err)
		require.InDelta(t, 3, pace[kind], 0, "a second is estimated for each run")
		require.InDelta(t, 4*3, pace.Seconds(jobs[0], jobs[1]), 0)
	}
	require.Equal(t, 2., pace.Seconds(jobs[2]))
	require.Equal(t, 2., lab.Pace{}.Seconds(jobs[2]), "of a kind that was never measured")
}

// What was measured with another number of cores counts only if there is nothing else. A result that was trained beside
// much other work moves nothing.
func TestThePaceTellsCoresApart(t *testing.T) {
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Quick}
	jobs := mustMadeUpJobs(t)
	runAll(t, l, jobs[0], jobs[2])
	files := slices.Sorted(maps.Keys(results(t, l)))
	for i, r := range []struct {
		cores   int
		seconds float64
	}{{1, 10}, {1, 20}, {4, 1}, {4, 300}, {4, 2}} {
		measured(t, files[i], r.cores, r.seconds)
	}
	for cores, want := range map[int]float64{1: 15, 4: 2, 8: 2, 3: 2, 2: 15} {
		pace, err := l.Pace(jobs, cores)
		require.NoError(t, err)
		require.InDelta(t, want, pace[jobs[0].Kind], 0, "%d cores", cores)
	}
}

// runAll runs jobs.
func runAll(t *testing.T, l *lab.Lab, jobs ...lab.Job) {
	t.Helper()
	for _, j := range jobs {
		require.NoError(t, j.Run(t.Context(), l))
	}
}

// measured makes a kept result one that took so many seconds on so many cores.
func measured(t *testing.T, file string, cores int, seconds float64) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var result map[string]any
	require.NoError(t, json.Unmarshal(text, &result))
	origin := result["provenance"].(map[string]any)
	origin["cores"], origin["seconds"] = cores, seconds
	text, err = json.Marshal(result)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o644))
}

// Seconds below two minutes, minutes below two hours, then hours.
func TestAnEstimateHasNoMoreDigitsThanItIsGoodFor(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0s", 71.6: "1m12s", 125: "2 min", 7199: "120 min", 8640: "2.4 h", 1e6: "278 h",
	} {
		require.Equal(t, want, lab.About(seconds))
	}
}
