package artifact

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// TestOverviewHasTheNumbersOfItsFigures: each row is the mean of the numbers in the JSON of its figure or table.
func TestOverviewHasTheNumbersOfItsFigures(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	l := &run.Lab{Root: root, Target: t.TempDir(), Profile: run.Quick, Out: &bytes.Buffer{}}
	require.NoError(t, report.Make(t.Context(), l, []report.Exhibit{Overview()}))
	var data OverviewData
	text := testkit.Must(os.ReadFile(filepath.Join(l.Target, Overview().File(run.Quick))))
	require.NoError(t, json.Unmarshal(text, &data))
	require.Len(t, data.Axes, 2)
	cosines := data.Axes[0].Groups
	require.Len(t, cosines, 3)

	fig1 := testkit.Must(report.ReadUnder[rl.Fig1Data](root, rl.Figure1(), run.Paper))
	for i, g := range cosines[:2] {
		require.Len(t, g.Rows, 6)
		for _, row := range g.Rows {
			var ours, theirs []float64
			for _, e := range fig1.Environments {
				v := e.Row(rl.Protocol(row.Kind), row.Name)
				if (e.Hard || i == 0) && everyMethod(e, v.Protocol) {
					ours = append(ours, *v.Mean)
					if v.Theirs != nil {
						theirs = append(theirs, *v.Theirs)
					}
				}
			}
			require.InDelta(t, stat.Mean(ours, nil), row.Ours, 1e-12)
			require.Equal(t, row.Kind == string(rl.PublicProtocol) && row.Name != "OMM-joint", row.Paper != nil)
			if row.Paper != nil {
				require.InDelta(t, stat.Mean(theirs, nil), *row.Paper, 1e-12)
			}
		}
	}
	tab2 := testkit.Must(report.ReadUnder[rl.Tab2Data](root, rl.Table2(), run.Paper))
	require.Len(t, cosines[2].Rows, 6)
	for _, row := range cosines[2].Rows {
		apart := tab2.Difference(row.Name[1:2], rl.Protocol(row.Kind))
		require.InDeltaSlice(t, []float64{apart.Ours, apart.Printed, apart.Within},
			[]float64{row.Ours, *row.Paper, *row.Half}, 1e-12)
	}

	rows := data.Axes[1].Groups[0].Rows
	for _, e := range []report.Exhibit{pde.Figure4(), pde.Figure6(), pde.Figure8()} {
		for _, r := range testkit.Must(report.ReadUnder[pde.Numbers](root, e, run.Paper)).Results {
			var means []float64
			for _, run := range r.Finished() {
				means = append(means, stat.Mean(run.Subspaces, nil))
			}
			require.InDelta(t, stat.Mean(means, nil), rows[0].Ours, 1e-12)
			require.Equal(t, len(means) > 1, rows[0].Half != nil)
			rows = rows[1:]
		}
	}
	require.Empty(t, rows)
}

// everyMethod reports whether each method has a number in an environment.
func everyMethod(e rl.Fig1Environment, p rl.Protocol) bool {
	for _, label := range []string{"OMM-seq", "OMM-joint", "ALLO"} {
		if e.Row(p, label).Mean == nil {
			return false
		}
	}
	return true
}
