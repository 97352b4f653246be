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

// FuzzResult: what is read of any file can be averaged, and is kept again as it was.
func FuzzResult(f *testing.F) {
	r := &Result{Config: tiny()}
	r.Config.K, r.Config.Seeds = 2, []int64{7, 8}
	for _, seed := range r.Config.Seeds {
		r.Runs = append(r.Runs, Run{Seed: seed, Average: 0.75, PerMode: []float64{1, 0.5}})
	}
	ledgertest.FuzzResult(f, r, testkit.Must(lab.Key(r.Config)), map[string]string{
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
