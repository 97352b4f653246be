package optim_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
)

// compiled returns an executable for the graph function on the backend of this machine.
func compiled(t *testing.T, fn func(in []*Node) []*Node) func(in ...any) []*tensors.Tensor {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
	exec, err := NewExec(b, fn)
	require.NoError(t, err)
	t.Cleanup(exec.Finalize)
	return func(in ...any) []*tensors.Tensor {
		t.Helper()
		out, err := exec.Exec(in...)
		require.NoError(t, err)
		return out
	}
}
