package pde

import (
	"testing"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/train"
)

// Schrödinger's equations train over several devices as on one: each system, with exact derivatives, differences, and
// in the weak form. The second derivatives of the networks are carried forward on each device.
func TestSchrodingerOverSeveralDevices(t *testing.T) {
	hydrogen := hydrogenExperiments(lab.Smoke)[0]
	weak, differences := hydrogen, hydrogen
	weak.Weak, differences.Difference = true, 0.3 // smaller steps magnify round-off
	var all []train.Problem
	for _, e := range []Experiment{hydrogen, weak, differences, oscillatorExperiment(lab.Smoke),
		wellExperiment(lab.Smoke)} {
		e.Seeds, e.Hidden = lab.Seeds(1), []int{16}
		p := testkit.Must(e.Problem())
		all = append(all, p)
	}
	ommtest.AsOnOne(t, ommtest.Together(all...), 1e-3, 4)
}
