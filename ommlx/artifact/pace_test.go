package artifact_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/testkit"
)

// TestThePace is of all that is known, whatever is asked about, and a result counts once, though two jobs have it. What
// was measured with another number of cores counts only if there is nothing else. A result that was trained beside much
// other work moves nothing.
func TestThePace(t *testing.T) {
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Quick}
	jobs := mustMadeUpJobs(t) // the last two are the same
	kind := jobs[0].Kind
	for _, j := range []lab.Job{jobs[0], jobs[2]} {
		require.NoError(t, j.Run(t.Context(), l))
	}
	files := slices.Sorted(maps.Keys(results(t, l)))
	for i, m := range []struct {
		cores   int
		seconds float64
	}{{1, 10}, {1, 20}, {4, 1}, {4, 300}, {4, 2}} {
		var result map[string]any
		require.NoError(t, json.Unmarshal([]byte(testkit.Unsealed(testkit.Must(os.ReadFile(files[i])))), &result))
		origin := result["provenance"].(map[string]any)
		origin["cores"], origin["seconds"] = m.cores, m.seconds
		text := testkit.Must(json.MarshalIndent(result, "", " "))
		require.NoError(t, os.WriteFile(files[i], testkit.Sealed(string(text)), 0o644))
	}
	pace := testkit.Must(l.Pace(jobs[1:2], 4))
	require.Equal(t, lab.Pace{kind: 1}, pace, "nothing of it is kept")

	l.Known = func(p lab.Profile) ([]lab.Job, error) {
		require.Equal(t, lab.Quick, p)
		return jobs, nil
	}
	for cores, want := range map[int]float64{1: 15, 4: 2, 8: 2, 3: 2, 2: 15} {
		for _, some := range [][]lab.Job{nil, jobs[:1], jobs[1:2], jobs} {
			pace := testkit.Must(l.Pace(some, cores))
			require.InDelta(t, want, pace[kind], 0, "%d cores; a second is estimated for each run", cores)
			require.InDelta(t, 4*want, pace.Seconds(jobs[0], jobs[1]), 0)
		}
	}
	require.Equal(t, 2., lab.Pace{}.Seconds(jobs[2]), "of a kind that was never measured")
}

// Seconds below two minutes, minutes below two hours, then hours.
func TestAnEstimateHasNoMoreDigitsThanItIsGoodFor(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "0s", 71.6: "1m12s", 125: "2 min", 7199: "120 min", 8640: "2.4 h", 1e6: "278 h",
	} {
		require.Equal(t, want, lab.About(seconds))
	}
}
