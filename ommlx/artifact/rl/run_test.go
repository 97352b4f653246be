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
	"operator-omm/ommlx/artifact/report"
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

// The same seeds give the same bits, and other seeds other numbers.
func TestAResultIsReproduced(t *testing.T) {
	var results []*Result
	for range 2 {
		place, _ := newTestLab(t)
		r, err := lab.Run(t.Context(), place, tiny())
		require.NoError(t, err)
		results = append(results, r)
	}
	assert.Equal(t, results[0].Runs, results[1].Runs)
	assert.Equal(t, results[0].History, results[1].History)
	assert.NotEqual(t, results[0].Runs[0].PerMode, results[0].Runs[1].PerMode)
	p := results[0].Provenance
	for _, text := range []string{p.Backend, p.Device, p.Go} {
		assert.NotEmpty(t, text)
	}
	assert.Positive(t, p.Seconds)
	assert.Equal(t, lab.Smoke, p.Profile)
}

func TestAnInterruptedExperimentGoesOnToTheSameResult(t *testing.T) {
	want, _ := newTestLab(t)
	l := tiny().WithSteps(400)
	whole, err := lab.Run(context.Background(), want, l)
	require.NoError(t, err)

	place, _ := newTestLab(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err = lab.Run(ctx, place, l)
	require.ErrorIs(t, err, train.ErrInterrupted)
	require.ErrorContains(t, err, "run the same command again")
	resumed, err := lab.Run(context.Background(), place, l)
	require.NoError(t, err)
	assert.Equal(t, whole.Runs, resumed.Runs)
	assert.Equal(t, whole.History, resumed.History)
	left, err := filepath.Glob(filepath.Join(place.Root, ".omm", "runs", "*", "*.ckpt"))
	require.NoError(t, err)
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
			key, err := lab.Key(l)
			require.NoError(t, err)
			keys[key] = true
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
		info, err := os.Stat(base + ending)
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000), ending)
	}
	text, err := os.ReadFile(base + ".json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &data))
	return data
}
