package notebook

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/train"
)

func TestRowsOfNumbersPicturesAndCurves(t *testing.T) {
	require.Equal(t, []string{"energy", "1.50", "-2.00"}, Cells("energy", "%.2f", 1.5, -2))
	require.Equal(t, draw.PanelRow{Label: "ψ", Maps: [][]float64{{1, 3, 5, 7}, {2, 4, 6, 8}}},
		Panels("ψ", mat.NewDense(4, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8})))
	require.Equal(t, draw.Series{Name: "OMM", X: []float64{0, 10}, Y: []float64{2, 0.5}},
		Curve("OMM", []train.Point{{Step: 0, Value: train.PerRun{1, 3}}, {Step: 10, Value: train.PerRun{0.5, 0.5}}}))
}

func TestKeptSaysWhatIsMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	require.False(t, Kept(report.Entry{Kind: report.Table, Name: "nothing", Short: "none"}, nil))
}
