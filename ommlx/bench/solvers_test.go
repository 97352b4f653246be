package bench

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/gridworld"
)

func TestSolversAreMeasured(t *testing.T) {
	out := report(t, pureGo(t), "solvers", 0.005)
	for _, line := range []string{
		`(?m)^GridRoom-4 +\d.*SciPy eigsh +no-such-interpreter cannot be run`,
		`(?m)^GridRoom-4 +\d.*dense +\d`,
		`(?m)^GridRoom-4 +\d.*OMM-seq, 5 steps +\d`,
		`(?m)^GridRoom-4 of 104 states, Lanczos: mean sin² of the angle to the true eigenspaces \d\.\de-1\d$`,
		`(?m)^GridRoom-4 of 104 states, OMM-seq after 5 steps: mean sin² of the angle to the true eigenspaces ` +
			`\d\.\de[+-]0\d$`,
	} {
		assert.Regexp(t, line, out)
	}
}

// TestSciPySolvesTheSameProblem: eigenvalues of the matrix that it is given are those of the dense solver.
func TestSciPySolvesTheSameProblem(t *testing.T) {
	python := os.Getenv("OMM_PYTHON")
	if python == "" {
		t.Skip("OMM_PYTHON names no interpreter with SciPy to compare with")
	}
	world, err := gridworld.LoadWorld("GridRoom-4")
	require.NoError(t, err)
	f := script(context.Background(), python, "SciPy", scipyEigsh)
	defer f.stop()
	matrix := sparseOf(world.P)
	var answer struct {
		timing
		Eigenvalues []float64
	}
	err = f.tell(question{Steps: 1, Sparse: &matrix}, &answer)
	if errors.Is(err, errNotInstalled) {
		t.Skipf("%s, which OMM_PYTHON names, has no SciPy", python)
	}
	require.NoError(t, err)
	assert.InDeltaSlice(t, world.Truth.Values[:outputs], answer.Eigenvalues, 1e-9)
	assert.NotEmpty(t, answer.Version)
	assert.Positive(t, answer.Wall)
}

// TestSparseIsTheMatrix: its entries are those of the matrix, and few.
func TestSparseIsTheMatrix(t *testing.T) {
	world, err := gridworld.LoadWorld("GridRoom-4")
	require.NoError(t, err)
	matrix := sparseOf(world.P)
	assert.Less(t, len(matrix.Values), 6*matrix.N)
	dense := mat.NewDense(matrix.N, matrix.N, nil)
	for e, v := range matrix.Values {
		dense.Set(matrix.Rows[e], matrix.Columns[e], v)
	}
	assert.True(t, mat.Equal(world.P, dense))
}
