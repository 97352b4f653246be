package graphs

import (
	"testing"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
)

// A network on the nodes' features trains over several devices as on one, with the edges of a step divided.
func TestGraphsOverSeveralDevices(t *testing.T) {
	generated(t)
	e := Quick("omm").smoke().With(lab.Seeds(1))
	g := testkit.Must(e.open(t.Context()))
	defer g.Close()
	p := testkit.Must(e.problem(look(g, e.Unseen)))
	ommtest.AsOnOne(t, p, 1e-3, 4)
}
