package graphs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/ommtest"
)

// A network on the nodes' features trains over several devices as on one, with the edges of a step divided.
func TestGraphsOverSeveralDevices(t *testing.T) {
	generated(t)
	e := Quick("omm").smoke().with(1)
	g, err := e.open(t.Context())
	require.NoError(t, err)
	defer g.Close()
	p, err := e.problem(look(g, e.Unseen))
	require.NoError(t, err)
	ommtest.AsOnOne(t, p, 1e-3, 4)
}
