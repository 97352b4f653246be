package rl

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// readings is tables/readings_k50.json, a record that no program writes.
type readings struct {
	Title, Note string
	Printed     map[string]float64
	Rows        []struct {
		Gamma, Kappa float64
		Source       string `json:"second_moment"`
		Changes      string
		Scores       map[string]float64
		Runs         map[string]int
		Mean         float64 `json:"mean_distance"`
		Largest      float64 `json:"largest_distance"`
		Used         bool
		Commits      []string
	}
	K11 struct {
		Title, Note string
		Rows        []struct {
			Method, Environment string
			Ours, Theirs        float64
			Half                float64 `json:"theirs_half"`
			Runs                int
			Their               int `json:"their_runs"`
			Commit, Key         string
		}
	}
}

var readingsEnvironments = []string{"GridRoom-4", "GridRoom-16", "GridMaze-17"}

// k50 are the readings, a row each below the header.
func (r readings) k50() [][]string {
	rows := [][]string{slices.Concat([]string{"γ", "κ", "M[f] from", "Other changes"}, readingsEnvironments,
		[]string{"Runs each", "Mean distance from Table 2 (c)", "Largest", "Used", "Commits"})}
	for _, of := range r.Rows {
		cells := []string{fmt.Sprint(of.Gamma), fmt.Sprint(of.Kappa), of.Source, of.Changes}
		runs := 0
		for _, name := range readingsEnvironments {
			score, there := of.Scores[name]
			cell := ""
			if there {
				cell = fmt.Sprintf("%.3f", score)
			}
			cells, runs = append(cells, cell), max(runs, of.Runs[name])
		}
		used := ""
		if of.Used {
			used = "used"
		}
		rows = append(rows, append(cells, strconv.Itoa(runs), fmt.Sprintf("%.3f", of.Mean),
			fmt.Sprintf("%.3f", of.Largest), used, strings.Join(of.Commits, " ")))
	}
	return rows
}

// k11 are the runs with κ = 1 at k = 11.
func (r readings) k11() [][]string {
	rows := [][]string{{"Environment", "Method", "κ = 1, ours", "Runs", "κ = 1, theirs", "Their runs", "κ = ½, theirs",
		"Commit"}}
	for _, of := range r.K11.Rows {
		label := map[string]string{"omm_seq": labelSequential, "omm_jnt": labelJoint}[of.Method]
		rows = append(rows, []string{of.Environment, label, fmt.Sprintf("%.3f", of.Ours), fmt.Sprint(of.Runs),
			fmt.Sprintf("%.3f", of.Theirs), fmt.Sprint(of.Their), fmt.Sprintf("%.3f", of.Half), of.Commit})
	}
	return rows
}

func markdown(rows [][]string) (text string) {
	for i, cells := range rows {
		text += "| " + strings.Join(cells, " | ") + " |\n"
		if i == 0 {
			text += "|" + strings.Repeat(" --- |", len(cells)) + "\n"
		}
	}
	return text
}

// TestTheRecordOfReadings: the Markdown and CSV follow from the JSON, its distances from the scores and the print,
// and the runs with κ = 1 from the kept results and the authors' histories.
func TestTheRecordOfReadings(t *testing.T) {
	root := testkit.Committed(t, "tables/readings_k50.*", run.Committed)
	name := filepath.Join(root, "tables", "readings_k50")
	var r readings
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(name+".json")), &r))
	var table strings.Builder
	require.NoError(t, csv.NewWriter(&table).WriteAll(r.k50()))
	for ending, want := range map[string]string{".csv": table.String(),
		".md": fmt.Sprintf("# %s\n\n%s\n%s\n\n## %s\n\n%s\n%s\n", r.Title, markdown(r.k50()), r.Note, r.K11.Title,
			markdown(r.k11()), r.K11.Note)} {
		require.Equal(t, want, string(testkit.Must(os.ReadFile(name+ending))), ending)
	}

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

	kept := map[string]float64{}
	for _, file := range testkit.Must(filepath.Glob(filepath.Join(root, run.Committed, "*.jsonl"))) {
		for row := range strings.Lines(string(testkit.Must(os.ReadFile(file)))) {
			var one struct {
				Key    string
				Result struct{ Runs []Run }
			}
			require.NoError(t, json.Unmarshal([]byte(row), &one))
			kept[one.Key] = one.Result.Runs[0].Average
		}
	}
	for _, of := range r.K11.Rows {
		e := May(of.Environment, of.Method, of.Runs)
		half := e.theirs()
		e.Shift = 1
		require.Equal(t, run.Key(e), of.Key)
		require.InDelta(t, kept[of.Key], of.Ours, 0, of.Key)
		require.InDelta(t, e.theirs().mean(), of.Theirs, 1e-6)
		require.InDelta(t, half.mean(), of.Half, 1e-6)
		require.Len(t, e.theirs().Runs, of.Their)
	}
}
