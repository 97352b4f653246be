package artifact

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// drawOverview makes the overview of the results in root. It returns its JSON, nil if it is not drawn, and the output.
func drawOverview(t *testing.T, root string) (data *OverviewData, printed string) {
	t.Helper()
	var out bytes.Buffer
	l := &run.Lab{Root: root, Target: t.TempDir(), Profile: run.Quick, Out: &out}
	require.NoError(t, report.Make(t.Context(), l, []report.Entry{Overview()}))
	text, err := os.ReadFile(filepath.Join(l.Target, Overview().File(run.Quick)))
	if err == nil {
		require.NoError(t, json.Unmarshal(text, &data))
	}
	return data, out.String()
}

// TestOverviewHasTheNumbersOfItsFigures: each row is the mean of the numbers in the JSON of its figure or table.
func TestOverviewHasTheNumbersOfItsFigures(t *testing.T) {
	root := testkit.Committed(t, "figures/*.json", "tables/*.json")
	data, _ := drawOverview(t, root)
	require.NotNil(t, data)
	require.Len(t, data.Axes, 2)
	cosines := data.Axes[0].Groups
	require.Len(t, cosines, 3)
	protocols := map[string]rl.Protocol{"authors' code": rl.PublicProtocol, "as printed": rl.PrintedProtocol}

	fig1 := testkit.Must(atScale[rl.Fig1Data](root, rl.Figure1()))
	for i, g := range cosines[:2] {
		require.Len(t, g.Rows, 6)
		for _, row := range g.Rows {
			var ours, theirs []float64
			for _, e := range fig1.Environments {
				v := e.Row(protocols[row.Kind], row.Name)
				if (e.Hard || i == 0) && everyMethod(e, v.Protocol) {
					ours = append(ours, *v.Mean)
					if v.Theirs != nil {
						theirs = append(theirs, *v.Theirs)
					}
				}
			}
			requireRow(t, row, ours, theirs)
			require.Equal(t, row.Kind == "authors' code", row.Paper != nil)
		}
	}
	tab2 := testkit.Must(atScale[rl.Tab2Data](root, rl.Table2()))
	require.Len(t, cosines[2].Rows, 6)
	for _, row := range cosines[2].Rows {
		apart := tab2.Apart(row.Name[1:2], protocols[row.Kind])
		require.InDeltaSlice(t, []float64{apart.Ours, apart.Printed, apart.Within},
			[]float64{row.Ours, *row.Paper, *row.Half}, 1e-12)
	}

	rows := data.Axes[1].Groups[0].Rows
	for _, e := range []report.Entry{pde.Figure4(), pde.Figure6(), pde.Figure8()} {
		for _, r := range testkit.Must(atScale[pde.Numbers](root, e)).Results {
			var means []float64
			for _, run := range r.Finished() {
				means = append(means, stat.Mean(run.Subspaces, nil))
			}
			require.InDelta(t, stat.Mean(means, nil), rows[0].Ours, 1e-12)
			if len(means) > 1 {
				require.InDelta(t, stat.StdDev(means, nil), *rows[0].Half, 1e-12)
			} else {
				require.Nil(t, rows[0].Half)
			}
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

// requireRow requires a row to show the means of both lists, and the half-width of the paired 95% interval as its bar.
func requireRow(t *testing.T, row draw.DotRow, ours, others []float64) {
	t.Helper()
	require.InDelta(t, stat.Mean(ours, nil), row.Ours, 1e-12)
	if len(others) == 0 {
		require.Nil(t, row.Paper)
		return
	}
	require.InDelta(t, stat.Mean(others, nil), *row.Paper, 1e-12)
	apart := make([]float64, len(ours))
	for i := range ours {
		apart[i] = ours[i] - others[i]
	}
	n := float64(len(ours))
	quantile := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)
	require.InDelta(t, quantile*stat.StdErr(stat.StdDev(apart, nil), n), *row.Half, 1e-12)
}

func TestOverviewWaitsForResults(t *testing.T) {
	data, printed := drawOverview(t, t.TempDir())
	require.Nil(t, data)
	require.Contains(t, printed, "no results at the paper's scale")
}
