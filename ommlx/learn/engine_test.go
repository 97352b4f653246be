package learn_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/train"
)

// TestEnginesAgree to float32 rounding.
func TestEnginesAgree(t *testing.T) {
	xla := learn.Settings{Options: train.Options{Backend: testkit.Backend(t)}}
	compiled := mustLearn(t, petersen(), 4, xla)
	learned := mustLearn(t, petersen(), 4, learn.Settings{Options: pureGo(t)})
	assert.Equal(t, xla.Options.Backend.Name(), compiled.Engine)
	assert.InDeltaSlice(t, compiled.Values, learned.Values, 1e-5)
}

// TestProgressReportsEigenvalues: every report has eigenvalues, and the last ones are the result. The number that ends
// a training in cycles is not reported. Eigenvalues change before the first point of the history after step 0. They do
// not change the result.
func TestProgressReportsEigenvalues(t *testing.T) {
	for _, steps := range []int{0, 3_000} {
		var first, last []float64
		early := false
		progress := func(s train.Status) {
			assert.Nil(t, s.Value)
			require.Len(t, s.Eigenvalues, 2)
			if last = s.Eigenvalues[1]; first == nil {
				first = last
			}
			if s.Step < 300 && !early {
				early = last[2] != first[2]
				time.Sleep(100 * time.Millisecond) // more than the least time between evaluations
			}
		}
		s := learn.Settings{Steps: steps, Seeds: []int64{1, 2}}
		silent := mustLearn(t, petersen(), 3, s)
		s.Options.Progress = progress
		learned := mustLearn(t, petersen(), 3, s)
		assert.True(t, early)
		assert.Equal(t, silent.Values, learned.Values)
		assert.InDeltaSlice(t, learned.Runs[1].Values, last, 1e-6, "in float32")
		assert.Less(t, first[2], last[2])
	}
}

// TestNotebookHasProgress by default.
func TestNotebookHasProgress(t *testing.T) {
	var last string
	say.Notebook = func(line string, _ bool) { last = line }
	t.Cleanup(func() { say.Notebook = nil })
	mustLearn(t, petersen(), 3, learn.Settings{Steps: 10})
	assert.Empty(t, last, "a short training")
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	_, err := learn.Learn(ctx, petersen(), 6, learn.Settings{Steps: 1e9, Options: pureGo(t)})
	require.ErrorIs(t, err, train.ErrInterrupted)
	assert.Regexp(t, `k = 6  step .* values \[1 \S+ \S+ \S+ \S+ \S+\]`, last)
}

// BenchmarkSmallTables compares pure Go, the default engine for the Petersen graph, with XLA.
func BenchmarkSmallTables(b *testing.B) {
	b.Setenv("GOMLX_BACKEND", "")
	training := func(s learn.Settings) func() error {
		return func() error {
			_, err := learn.Learn(b.Context(), petersen(), 6, s)
			return err
		}
	}
	xla := learn.Settings{Options: train.Options{Backend: testkit.Backend(b)}}
	testkit.Compare(b, training(learn.Settings{}), training(xla))
}
