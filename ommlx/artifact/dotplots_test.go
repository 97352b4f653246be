package artifact

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/images"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// TestDotPlotsReadTheirTables: every table has a drawing, which names the file of its numbers.
func TestDotPlotsReadTheirTables(t *testing.T) {
	root := testkit.Committed(t, "tables/*.json")
	l := &run.Lab{Root: root, Target: t.TempDir(), Profile: run.Paper, Out: &bytes.Buffer{}}
	require.NoError(t, report.Make(t.Context(), l, dotPlots()))
	for _, e := range dotPlots() {
		var d TableDrawing
		require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(filepath.Join(l.Target, e.File(run.Paper)))), &d))
		require.FileExists(t, filepath.Join(root, d.Table))
	}
	require.Len(t, dotPlots(), len(Tables()))
}

// Each cell of parts (a), (b) and (c) is a row with its runs and the printed mean.
func TestDrawingOfTable2HasItsCells(t *testing.T) {
	root := testkit.Committed(t, "tables/*.json")
	data := testkit.Must(report.ReadUnder[rl.Tab2Data](root, rl.Table2(), run.Paper))
	rows := 0
	for _, e := range data.Drawing().Environments {
		for panel, protocol := range []rl.Protocol{rl.PublicProtocol, rl.PrintedProtocol} {
			for _, r := range e.Rows[panel] {
				i := slices.IndexFunc(data.Cells, func(c rl.Tab2Cell) bool {
					return c.Environment == e.Name && c.Protocol == protocol && c.PaperMean == *r.Reference &&
						len(c.Part) == 1 // not a variant
				})
				require.InDelta(t, *data.Cells[i].Rotated, stat.Mean(r.Runs, nil), 1e-12)
				rows++
			}
		}
	}
	require.Equal(t, 60, rows)
}

// The baselines are lines, and each other number is a row.
func TestDrawingsOfTables1And3(t *testing.T) {
	root := testkit.Committed(t, "tables/quick/*.json")
	read := func(e report.Entry) []byte { return testkit.Must(os.ReadFile(filepath.Join(root, e.File(run.Quick)))) }
	count := func(d draw.Dots) (rows, lines int) {
		axis := d.Axes[0]
		for _, g := range axis.Groups {
			rows += len(g.Rows)
		}
		return rows, len(axis.Lines)
	}
	tab1 := testkit.Must(report.Decode[images.Tab1Data](read(images.Table1())))
	d := drawTable1(tab1)
	rows, lines := count(d)
	require.Equal(t, len(tab1.Rows), rows+lines)
	require.Positive(t, lines)
	tab3 := testkit.Must(report.Decode[graphs.Tab3Data](read(graphs.Table3())))
	d = drawTable3(tab3)
	rows, lines = count(d)
	require.Positive(t, rows)
	require.GreaterOrEqual(t, lines, 4)
}
