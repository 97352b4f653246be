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

// TestSmallTablesRunOnPureGo: without a chosen engine, small tables run on pure Go, with the same values as on XLA.
func TestSmallTablesRunOnPureGo(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	asGo := learn.Settings{Options: pureGo(t)}
	xla := learn.Settings{Options: train.Options{Backend: testkit.Backend(t)}}
	for name, op := range map[string]learn.Operator{
		"graph": petersen(), "matrix": learn.Matrix{A: decaying(30)},
	} {
		learned := mustLearn(t, op, 4, learn.Settings{})
		assert.Equal(t, asGo.Options.Backend.Name(), learned.Engine, name)
		compiled := mustLearn(t, op, 4, xla)
		assert.Equal(t, xla.Options.Backend.Name(), compiled.Engine, name)
		assert.InDeltaSlice(t, compiled.Values, learned.Values, 1e-5*compiled.Values[0], name)
	}
}

// TestEngineIsDefaultElsewhere: for a larger table, with checkpoints, and if the user has chosen an engine.
func TestEngineIsDefaultElsewhere(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	open := testkit.Backend(t).Name()
	engine := func(op learn.Operator, s learn.Settings) string {
		return mustLearn(t, op, 2, s).Engine
	}
	large := learn.Graph{Nodes: 2_000, Edges: möbius(1_000)}
	assert.Equal(t, open, engine(large, learn.Settings{Steps: 700}))
	assert.Equal(t, open, engine(petersen(), learn.Settings{Steps: 1, Options: train.Options{Dir: t.TempDir()}}))
	t.Setenv("GOMLX_BACKEND", "xla")
	assert.Equal(t, open, engine(petersen(), learn.Settings{Steps: 1}))
}

// TestProgressReportsEigenvalues: every report has eigenvalues, and the last ones are the result. The number that ends
// a training in cycles is not reported.
func TestProgressReportsEigenvalues(t *testing.T) {
	for _, steps := range []int{0, 300} {
		var first, last []float64
		progress := func(s train.Status) {
			assert.Nil(t, s.Value)
			require.Len(t, s.Eigenvalues, 2)
			if last = s.Eigenvalues[1]; first == nil {
				first = last
			}
		}
		s := learn.Settings{Steps: steps, Seeds: []int64{1, 2}, Options: train.Options{Progress: progress}}
		learned := mustLearn(t, petersen(), 3, s)
		assert.InDeltaSlice(t, learned.Runs[1].Values, last, 1e-6, "in float32")
		if steps > 0 {
			assert.Less(t, first[2], last[2])
		}
	}
}

// TestProgressReportsCurrentEigenvalues: they change before the first point of the history after step 0, and do not
// change the result.
func TestProgressReportsCurrentEigenvalues(t *testing.T) {
	var first []float64
	changed := false
	progress := func(s train.Status) {
		if first == nil {
			first = s.Eigenvalues[0]
		}
		if s.Step < 300 && !changed {
			changed = s.Eigenvalues[0][2] != first[2]
			time.Sleep(100 * time.Millisecond) // more than the least time between evaluations
		}
	}
	s := learn.Settings{Steps: 3_000}
	silent := mustLearn(t, petersen(), 3, s)
	s.Options.Progress = progress
	shown := mustLearn(t, petersen(), 3, s)
	assert.True(t, changed)
	assert.Equal(t, silent.Values, shown.Values)
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
