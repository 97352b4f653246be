package ogb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var small = Generation{Nodes: 1_000, Degree: 4, Classes: 5, Features: 3, Seed: 2}

func TestAGeneratedGraphIsMadeOnce(t *testing.T) {
	dir := filepath.Join(isolate(t), "generated-graph", "1000-4-5-3-2")
	last, told := 0.0, []string{}
	g, err := FetchGenerated(t.Context(), small, func(what string, fraction float64) {
		require.GreaterOrEqual(t, fraction, last)
		last = fraction
		told = append(told, what)
	})
	require.NoError(t, err)
	require.EqualValues(t, 1, last)
	require.Contains(t, told, "generating raw/edge.csv.gz")
	require.Contains(t, told, "converting split/sales_ranking/test.csv.gz")
	require.Equal(t, counts{nodes: 1_000, features: 3, classes: 5, edges: 2_000}, g.counts())
	require.Equal(t, []string{GeneratedName, filepath.Join(dir, "arrays")}, []string{g.Name, g.Dir})
	require.NoError(t, g.Close())
	require.NoDirExists(t, filepath.Join(dir, "text"))

	g, err = FetchGenerated(t.Context(), small, func(what string, _ float64) { t.Error("made again: " + what) })
	require.NoError(t, err)
	require.NoError(t, g.Close())
}

// Wherever it is cut off, nothing stays of it, and the next call makes it.
func TestAGeneratedGraphIsCutOff(t *testing.T) {
	dir := filepath.Join(isolate(t), "generated-graph", "1000-4-5-3-2")
	cause := errors.New("the power failed")
	for _, at := range []string{"generating raw/node-feat.csv.gz", "converting raw/node-feat.csv.gz"} {
		ctx, stop := context.WithCancelCause(t.Context())
		_, err := FetchGenerated(ctx, small, func(what string, _ float64) {
			if what == at {
				stop(cause)
			}
		})
		require.ErrorIs(t, err, cause)
		require.EqualError(t, err, "stopped (the power failed); the same command makes the arrays, of which none are "+
			"there, anew")
		// What a process leaves that is killed in the middle of a file.
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "text", "raw"), 0o755))
	}
	g, err := FetchGenerated(t.Context(), small, nil)
	require.NoError(t, err)
	require.NoError(t, g.Close())
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "arrays")}, left)
}

// Two at the same time give one graph, and both open it.
func TestTwoFetchTheSameGraph(t *testing.T) {
	isolate(t)
	made := make([]int, 2)
	var both sync.WaitGroup
	for i := range made {
		both.Go(func() {
			g, err := FetchGenerated(t.Context(), small, func(what string, _ float64) {
				if what == "generating raw/num-node-list.csv.gz" {
					made[i] = 1
				}
			})
			if assert.NoError(t, err) {
				assert.NoError(t, g.Close())
			}
		})
	}
	both.Wait()
	require.Equal(t, 1, made[0]+made[1])
}

func TestAGraphThatCannotBeFetched(t *testing.T) {
	data := isolate(t)
	_, err := FetchGenerated(t.Context(), Generation{Nodes: 10_000_000, Degree: 1_000, Features: 10_000}, nil)
	require.ErrorContains(t, err, "the generated graph needs 802.6 GB")
	_, err = FetchGenerated(t.Context(), Generation{Nodes: 10}, nil)
	require.ErrorContains(t, err, "not 10")
	require.NoError(t, os.RemoveAll(filepath.Join(data, "generated-graph")))
	require.NoError(t, os.WriteFile(filepath.Join(data, "generated-graph"), nil, 0o644))
	_, err = FetchGenerated(t.Context(), small, nil)
	require.ErrorContains(t, err, "cannot write data to "+filepath.Join(data, "generated-graph"))
}
