package pde

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/devicetest"
)

// Schrödinger's equations train over several devices as on one: each system, with exact derivatives, differences, and
// in the weak form. The second derivatives of the networks are carried forward on each device.
func TestSchrodingerOverSeveralDevices(t *testing.T) {
	hydrogen := hydrogenExperiments(lab.Smoke)[0]
	weak, differences := hydrogen, hydrogen
	weak.Weak, differences.Difference = true, 0.3 // smaller steps magnify round-off
	for name, e := range map[string]Experiment{"hydrogen": hydrogen, "weak form": weak, "differences": differences,
		"oscillator": oscillatorExperiment(lab.Smoke), "well": wellExperiment(lab.Smoke)} {
		t.Run(name, func(t *testing.T) {
			e.Seeds = lab.Seeds(1)
			p, err := e.Problem()
			require.NoError(t, err)
			devicetest.AsOnOne(t, p, 1e-3, 4)
		})
	}
}
