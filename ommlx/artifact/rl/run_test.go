package rl

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledgertest"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/train"
)

// tiny is an experiment of a second.
func tiny() Experiment {
	l := Paper("GridRoom-4", "omm_seq", 4, 2)
	l.Transitions, l.Batch, l.Hidden = 5_000, 64, []int{16, 16}
	return l.WithSteps(40)
}

func newTestLab(t *testing.T) (*lab.Lab, *bytes.Buffer) {
	out := &bytes.Buffer{}
	return &lab.Lab{Root: t.TempDir(), Profile: lab.Smoke, Out: out}, out
}

// The same seeds give the same bits, also to a training that was interrupted and goes on; other seeds give others.
func TestAnInterruptedExperimentGoesOnToTheSameResult(t *testing.T) {
	want, _ := newTestLab(t)
	l := tiny().WithSteps(400)
	whole := testkit.Must(lab.Run(t.Context(), want, l))
	assert.NotEqual(t, whole.Runs[0].PerMode, whole.Runs[1].PerMode)
	p := whole.Provenance
	for _, text := range []string{p.Backend, p.Device, p.Go} {
		assert.NotEmpty(t, text)
	}
	assert.Positive(t, p.Seconds)
	assert.Equal(t, lab.Smoke, p.Profile)

	place, _ := newTestLab(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err := lab.Run(ctx, place, l)
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.ErrorContains(t, err, "run the same command again")
	resumed := testkit.Must(lab.Run(t.Context(), place, l))
	assert.Equal(t, whole.Runs, resumed.Runs)
	assert.Equal(t, whole.History, resumed.History)
	left := testkit.Must(filepath.Glob(filepath.Join(place.Root, ".omm", "runs", "*", "*.ckpt")))
	assert.Empty(t, left, "checkpoints of a finished experiment must be gone")
}

func TestAChangedNumberIsAChangedKey(t *testing.T) {
	keys := map[string]bool{}
	changes := []func(*Experiment){
		func(*Experiment) {},
		func(l *Experiment) { l.Gamma = 0.5 },
		func(l *Experiment) { l.Shift = 0.5 },
		func(l *Experiment) { l.Train.Steps++ },
		func(l *Experiment) { l.Seeds[1] = 9 },
		func(l *Experiment) { l.Train.Adam.LearningRate = 2e-3 },
		func(l *Experiment) { l.Generated = !l.Generated },
		func(l *Experiment) { *l = l.Expecting(AllPairs) },
		func(l *Experiment) { l.Overlap = OverlapState },
	}
	for _, change := range changes {
		for range 2 {
			l := tiny()
			change(&l)
			keys[lab.Key(l)] = true
		}
	}
	require.Len(t, keys, len(changes))
}

// made makes a figure under the smoke profile, all of whose files must be there, and reads its JSON.
func made[T any](t *testing.T, place *lab.Lab, e report.Entry) (data T) {
	t.Helper()
	require.NoError(t, report.Make(t.Context(), place, []report.Entry{e}))
	base := filepath.Join(place.Root, ".omm", "smoke", "figures", e.Name)
	for _, ending := range []string{".png", ".svg", ".pdf", ".json"} {
		info := testkit.Must(os.Stat(base + ending))
		require.Greater(t, info.Size(), int64(1000), ending)
	}
	text := testkit.Must(os.ReadFile(base + ".json"))
	require.NoError(t, json.Unmarshal(text, &data))
	return data
}

// example is a whole result of two runs and two functions, with its key.
func example(t testing.TB) (*Result, string) {
	t.Helper()
	r := &Result{Config: tiny()}
	r.Config.K, r.Config.Seeds = 2, []int64{7, 8}
	for _, seed := range r.Config.Seeds {
		r.Runs = append(r.Runs, Run{Seed: seed, Average: 0.75, PerMode: []float64{1, 0.5}})
	}
	return r, lab.Key(r.Config)
}

func TestAResultThatIsNotWholeIsRefused(t *testing.T) {
	r, key := example(t)
	require.NoError(t, lab.Check(r, key))
	assert.ErrorContains(t, lab.Check(r, "another"), "the result of another configuration, "+key)
	r.Runs[0].PerMode = r.Runs[0].PerMode[:1]
	assert.ErrorContains(t, lab.Check(r, key), "run 0 has 1 scores where there must be 2")
	r.Runs[0].Seed = 9
	assert.ErrorContains(t, lab.Check(r, key), "run 0 has the seed 9 instead of 7")
	r.Runs = nil
	assert.ErrorContains(t, lab.Check(r, key), "0 runs instead of 2")
}

// FuzzResult: what is read of any file can be averaged, and is kept again as it was.
func FuzzResult(f *testing.F) {
	r, key := example(f)
	ledgertest.FuzzResult(f, r, key, map[string]string{
		"":               "",
		`"seed":7`:       `"seed":7,"diverged_at_step":3`,
		`[7,8]`:          `null`,
		`0.5`:            `null`,
		`0.75`:           `1e400`,
		`[1,0.5]`:        `[1]`,
		`"history":null`: `"history":[{"loss":["NaN",null]}]`,
	}, func(t *testing.T, r *Result) {
		require.LessOrEqual(t, len(averages(r)), len(r.Config.Seeds))
		_ = newFig1Value(row{}, r)
	})
}
