package notebook

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
)

func TestEigenvaluesTable(t *testing.T) {
	learned := &learn.Learned{Run: learn.Run{Values: []float64{2, 0.5}, Residuals: []float64{0.25, 0.002},
		Bounds: []float64{0.125, math.NaN()}}}
	require.Equal(t, strings.Join([]string{
		"| $i$ | 1 | 2 |", "| --- | --- | --- |",
		"| true | 1.6 |  |",
		"| learned | 2 | 0.5 |",
		"| relative error | 2.5e-01 |  |",
		"| residual | 2.5e-01 | 2.0e-03 |",
		"| bound of the error | 1.2e-01 | — |",
		"", "No symptom."}, "\n"), eigenvalues(learned, []float64{1.6}))

	learned.Residuals[0], learned.Spread = math.NaN(), []float64{0.1, 0.2}
	assert.NotContains(t, eigenvalues(learned, nil), "NaN")
	assert.Contains(t, eigenvalues(learned, nil), "| spread over seeds | 1.0e-01 | 2.0e-01 |\n")
	learned.Diagnosis.Asymmetry = 0.5
	assert.Contains(t, eigenvalues(learned, nil), "\n\n- ")
	learned.StandardErrors = []float64{0.5, 1}
	assert.Contains(t, eigenvalues(learned, nil), "| standard error | 5.0e-01 | 1.0e+00 |\n")
	assert.Equal(t, "1.000 — -0.500", List([]float64{1, math.NaN(), -0.5}))
}

func TestFunctionsHaveSameSign(t *testing.T) {
	learned := mat.NewDense(4, 2, []float64{1, 1, 2, -1, 3, 1, 4, -1})
	exact := mat.NewDense(4, 2, []float64{-2, 1, -4, -2, -6, 3, -8, -4})
	row := Functions("x", []float64{1, 2, 3, 4}, learned, exact, 2, 1)
	require.Len(t, row.Plots, 2)
	require.Equal(t, "function 2", row.Plots[0].Title)
	for p, want := range [][2][]float64{{{1, -1, 1, -1}, {1, -2, 3, -4}}, {{1, 2, 3, 4}, {2, 4, 6, 8}}} {
		for s, series := range row.Plots[p].Series {
			assert.Equal(t, want[s], series.Y)
		}
	}
	squares := testkit.Must(Squares(learned, exact, 1))
	assert.Equal(t, []float64{2, 4, 6, 8}, squares.Rows[1].Maps[0])
	require.NoError(t, Show(row))
	require.NoError(t, Show(squares))
}

func TestColumnsOfATable(t *testing.T) {
	table := report.Text{Header: []string{"a", "b", "c"}, Note: "note",
		Rows: [][]string{{"1", "2", "3"}, {"4", "5", "6"}}}
	some := testkit.Must(columns(table, []string{"c", "a"}))
	require.Equal(t, report.Text{Header: []string{"c", "a"}, Note: "note", Rows: [][]string{{"3", "1"}, {"6", "4"}}},
		some)
	long := report.Text{Header: []string{"ab", "a (digits) top-1 (± over 3)"}, Rows: [][]string{{"1", "2"}}}
	some = testkit.Must(columns(long, []string{"a top-1"}))
	require.Equal(t, report.Text{Header: []string{"a (digits) top-1 (± over 3)"}, Rows: [][]string{{"2"}}}, some)
	_, err := columns(table, []string{"d"})
	require.ErrorContains(t, err, `column "d"`)
}
