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

func TestColumnsOfATable(t *testing.T) {
	table := report.Text{Header: []string{"a", "b", "c"}, Note: "note",
		Rows: [][]string{{"1", "2", "3"}, {"4", "5", "6"}}}
	some, err := columns(table, []string{"c", "a"})
	require.NoError(t, err)
	require.Equal(t, report.Text{Header: []string{"c", "a"}, Note: "note", Rows: [][]string{{"3", "1"}, {"6", "4"}}},
		some)
	all, err := columns(table, nil)
	require.NoError(t, err)
	require.Equal(t, table, all)
	_, err = columns(table, []string{"d"})
	require.EqualError(t, err, `the table has no column "d"; it has ["a" "b" "c"]`)
}

func TestDotsAreOfTheirClass(t *testing.T) {
	x, err := dots([]float64{0, 1, 0.5}, []float64{0, 1, 0.5}, []int{0, 1, 2})
	require.NoError(t, err)
	require.Equal(t, classColours[0][:], x[(dotsSide-2)*dotsSide*3+3:][:3], "the first point is at the bottom left")
	require.Equal(t, classColours[1][:], x[dotsSide*3+(dotsSide-2)*3:][:3], "the second at the top right")
	require.Equal(t, []uint8{255, 255, 255}, x[:3])
	for word, bad := range map[string][]float64{"2 and 3 numbers": {1, 2}, "all alike": {1, 1, 1}} {
		_, err = dots(bad, []float64{0, 1, 2}, []int{0, 0, 0})
		require.ErrorContains(t, err, word)
	}
	_, err = dots([]float64{0, 1}, []float64{0, 1}, []int{0, 9})
	require.ErrorContains(t, err, "class 9")
}
