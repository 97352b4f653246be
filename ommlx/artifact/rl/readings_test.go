package rl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// readings is tables/readings_k50.json, a record that no program writes.
type readings struct {
	Printed map[string]float64
	Rows    []struct {
		Scores  map[string]float64
		Mean    float64 `json:"mean_distance"`
		Largest float64 `json:"largest_distance"`
		Used    bool
	}
	K11 struct {
		Rows []struct {
			Method, Environment, Key string
			Theirs                   float64
			Half                     float64 `json:"theirs_half"`
			Runs                     int
			Their                    int `json:"their_runs"`
		}
	}
}

// The distances in the record match the scores and the printed numbers. The runs with κ = 1 match the authors'
// histories and the keys of their configurations.
func TestReadingsRecordIsConsistent(t *testing.T) {
	root := testkit.Committed(t, "tables/readings_k50.*")
	var r readings
	text := testkit.Must(os.ReadFile(filepath.Join(root, "tables", "readings_k50.json")))
	require.NoError(t, json.Unmarshal(text, &r))
	used := 0
	for i, of := range r.Rows {
		var apart []float64
		for environment, score := range of.Scores {
			printed, _ := tab2Printed("c", environment)
			require.InDelta(t, printed, r.Printed[environment], 0)
			apart = append(apart, max(score-printed, printed-score))
		}
		require.InDelta(t, stat.Mean(apart, nil), of.Mean, 1e-12)
		require.InDelta(t, slices.Max(apart), of.Largest, 1e-12)
		if i > 0 && len(of.Scores) == len(r.Rows[i-1].Scores) {
			require.GreaterOrEqual(t, of.Mean, r.Rows[i-1].Mean)
		}
		if of.Used {
			used++
		}
	}
	require.Equal(t, 1, used)

	for _, of := range r.K11.Rows {
		e := May(of.Environment, of.Method).With(run.Seeds(of.Runs))
		half := e.publicRuns()
		e.Shift = 1
		require.Equal(t, run.Key(e), of.Key)
		require.InDelta(t, e.publicRuns().mean(), of.Theirs, 1e-6)
		require.InDelta(t, half.mean(), of.Half, 1e-6)
		require.Len(t, e.publicRuns().Runs, of.Their)
	}
}
