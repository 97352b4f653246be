package rl

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
)

// Each cell of parts (a), (b) and (c) is a row with its runs and the printed mean.
func TestDrawingOfTable2HasItsCells(t *testing.T) {
	root := testkit.Committed(t, "tables/*.json")
	data := testkit.Must(report.ReadUnder[Tab2Data](root, Table2(), run.Paper))
	rows := 0
	for _, e := range data.Drawing().Environments {
		for panel, protocol := range protocols {
			for _, r := range e.Rows[panel] {
				i := slices.IndexFunc(data.Cells, func(c Tab2Cell) bool {
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

// A row is in the panel of its protocol or beyond the paper as its field says, whatever its name is.
func TestPanelsOfFigure1FollowTheRows(t *testing.T) {
	bars := []Fig1Value{{Label: "OMM-new", Protocol: PrintedProtocol}, {Label: labelALLO, Beyond: true}}
	d := Fig1Data{Environments: []Fig1Environment{{Name: "GridRoom-4", Bars: bars}}}
	require.Equal(t, []string{string(PrintedProtocol), "beyond the paper"}, d.drawing().Panels)
}

// The map has the mean of each training in each hard environment.
func TestBeyondMapHasTheMeansOfTheTable(t *testing.T) {
	root := testkit.Committed(t, "tables/*.json")
	data := testkit.Must(report.ReadUnder[BeyondData](root, Beyond(), run.Paper))
	m := data.Drawing().Maps[0]
	require.Equal(t, labelNoShift[:8], m.RowNames[1][:8])
	require.Len(t, m.Values, len(m.RowNames)*len(hardInstances))
	for i, name := range hardInstances {
		at := slices.IndexFunc(data.Rows, func(r BeyondRow) bool {
			return r.K == spectrumModes && r.Name == labelNoShift && r.Environment == name
		})
		require.InDelta(t, *data.Rows[at].Mean, m.Values[len(hardInstances)+i], 1e-12, name)
	}
}
