package notebook

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/schrodinger"
)

// Exact functions of one eigenspace in another order are rotated back.
func TestRotatedUndoesARotation(t *testing.T) {
	atom, err := schrodinger.Hydrogen(2)
	require.NoError(t, err)
	truth, err := atom.Lowest(4)
	require.NoError(t, err)
	q, err := schrodinger.Grid(2, 12, 15)
	require.NoError(t, err)
	exact, err := truth.OnPoints(q.Points)
	require.NoError(t, err)
	var psi mat.Dense
	psi.Mul(exact, mat.NewDense(4, 4, []float64{-1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1}))
	rows, err := Rotated("swapped", truth, &psi, q)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, "swapped, as learned", rows[0].Label)
	for i := range 4 {
		assert.InDeltaSlice(t, rows[2].Maps[i], rows[1].Maps[i], 1e-9)
	}
	_, err = Rotated("", truth, mat.NewDense(3, 4, nil), q)
	require.Error(t, err)
}

func TestShownNeedsAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.False(t, Shown(report.Entry{Kind: report.Figure, Name: "nothing", Short: "none"}, new(draw.Panels)))
}
