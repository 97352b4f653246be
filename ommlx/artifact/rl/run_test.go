package rl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
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

func TestAResultIsKeptReadAgainAndReproduced(t *testing.T) {
	ctx := context.Background()
	place, _ := newTestLab(t)
	first, err := lab.Run(ctx, place, tiny())
	require.NoError(t, err)
	kept, err := filepath.Glob(filepath.Join(place.Root, ".omm", "results", "*.json"))
	require.NoError(t, err)
	require.Len(t, kept, 2, "one for each seed")
	before, err := os.Stat(kept[0])
	require.NoError(t, err)

	again, err := lab.Run(ctx, place, tiny())
	require.NoError(t, err)
	assert.Equal(t, first.Runs, again.Runs)
	after, err := os.Stat(kept[0])
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime(), "the kept result must be read, not computed again")

	elsewhere, _ := newTestLab(t)
	other, err := lab.Run(ctx, elsewhere, tiny())
	require.NoError(t, err)
	assert.Equal(t, first.Runs, other.Runs, "the same seeds must give the same bits")
	assert.Equal(t, first.History, other.History)
	assert.NotEqual(t, first.Runs[0].PerMode, first.Runs[1].PerMode, "other seeds must give other numbers")

	p := first.Provenance
	assert.NotEmpty(t, p.Backend)
	assert.NotEmpty(t, p.Device)
	assert.NotEmpty(t, p.Go)
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
	base, err := lab.Key(tiny())
	require.NoError(t, err)
	for name, change := range map[string]func(*Experiment){
		"gamma":     func(l *Experiment) { l.Gamma = 0.5 },
		"shift":     func(l *Experiment) { l.Shift = 0.5 },
		"steps":     func(l *Experiment) { l.Train.Steps++ },
		"seeds":     func(l *Experiment) { l.Seeds[1] = 9 },
		"rate":      func(l *Experiment) { l.Train.Adam.LearningRate = 2e-3 },
		"maze":      func(l *Experiment) { l.Generated = !l.Generated },
		"expecting": func(l *Experiment) { *l = l.Expecting(AllPairs) },
		"overlap":   func(l *Experiment) { l.Overlap = OverlapState },
	} {
		l := tiny()
		change(&l)
		key, err := lab.Key(l)
		require.NoError(t, err)
		assert.NotEqual(t, base, key, name)
	}
	same, err := lab.Key(tiny())
	require.NoError(t, err)
	assert.Equal(t, base, same)
}

// figuresAreWritten in a place that has the results of the learning curves already, which are figure 1's.
func figuresAreWritten(t *testing.T, place *lab.Lab, out *bytes.Buffer) {
	figures := []report.Entry{Figure1(), Figure3()}
	require.NoError(t, report.Make(context.Background(), place, figures))
	for _, figure := range figures {
		for _, ending := range []string{"png", "svg", "pdf", "json"} {
			info, err := os.Stat(filepath.Join(place.Root, ".omm", "smoke", "figures", figure.Name+"."+ending))
			require.NoError(t, err)
			assert.Greater(t, info.Size(), int64(1000), ending)
		}
	}
	assert.NotContains(t, out.String(), "\x1b", "no control characters in what is not a terminal")
	assert.True(t, strings.HasSuffix(out.String(), "\n"))
}
