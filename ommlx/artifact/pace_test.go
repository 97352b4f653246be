package artifact_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
)

// TestThePaceIsOfAllThatIsKnown: whatever is asked about, the same estimate comes out, and a result counts once, though
// two jobs have it.
func TestThePaceIsOfAllThatIsKnown(t *testing.T) {
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Quick}
	jobs := mustMadeUpJobs(t) // the last two are the same
	kind, took, runs := jobs[0].Kind, 0.0, 0.0
	for _, j := range []lab.Job{jobs[0], jobs[2]} {
		require.NoError(t, j.Run(t.Context(), l))
		r, _, err := j.Result(l)
		require.NoError(t, err)
		origin, seeds := r.Trained()
		took, runs = took+origin.Seconds, runs+float64(len(seeds))
	}
	pace, err := l.Pace(jobs[1:2])
	require.NoError(t, err)
	require.Equal(t, lab.Pace{kind: 1}, pace, "nothing of it is kept")

	l.Known = func(p lab.Profile) ([]lab.Job, error) {
		require.Equal(t, lab.Quick, p)
		return jobs, nil
	}
	for _, some := range [][]lab.Job{nil, jobs[:1], jobs[1:2], jobs} {
		pace, err := l.Pace(some)
		require.NoError(t, err)
		require.InEpsilon(t, took/runs, pace[kind], 1e-9, "a second is estimated for each run")
		require.InEpsilon(t, 4*took/runs, pace.Seconds(jobs[0], jobs[1]), 1e-9)
	}
	require.Equal(t, 2., pace.Seconds(jobs[2]))
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
