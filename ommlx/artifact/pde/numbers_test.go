package pde

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestErrorsLeaveOutWhatDiverged(t *testing.T) {
	r := &Result{Config: Experiment{Method: "sanger", K: 2}, Runs: []Run{
		{Errors: []float64{0.1, 0.3}, Angles: []float64{1, 2}, Subspaces: []float64{0.5}},
		{Diverged: 7},
		{Errors: []float64{0.3, 0.5}, Angles: []float64{3, 2}, Subspaces: []float64{1}},
	}}
	n := &Numbers{Note: "Quick. Bands are ± 1 standard deviation.", Results: []*Result{r}}
	row, err := n.Logarithmic()
	require.NoError(t, err)
	require.Len(t, row.Plots, 3)
	assert.Equal(t, "Quick. Means over the runs.", row.Note)
	for i, want := range [][]float64{{0.2, 0.4}, {2, 2}, {0.75}} {
		require.Len(t, row.Plots[i].Series, 1)
		assert.InDeltaSlice(t, want, row.Plots[i].Series[0].Y, 1e-12)
	}
	_, err = row.Figure()
	require.NoError(t, err)
	mean := Mean(r)
	assert.InDeltaSlice(t, []float64{0.2, 0.4}, mean.Errors, 1e-12)
	assert.InDeltaSlice(t, []float64{2, 2}, mean.Angles, 1e-12)

	gone := &Result{Config: r.Config, Runs: []Run{{Diverged: 1}}}
	assert.Nil(t, Mean(gone).Errors)
	n.Results = append(n.Results, gone)
	_, err = n.Logarithmic()
	require.ErrorContains(t, err, "every run of")
	_, err = n.Figure()
	require.ErrorContains(t, err, "there is nothing to draw")
}
