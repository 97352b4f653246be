package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx/backend"
)

// Runs and samples are divided over two devices and over four.
func TestDevicesAreCompared(t *testing.T) {
	if _, c, err := backend.Open(); err != nil || c.Kind != backend.KindXLACPU {
		t.Skip("virtual devices need the XLA CPU plugin")
	}
	out := report(t, engine(t), "devices", 0.01)
	for _, line := range []string{"2 devices, runs", "4 devices, runs", "2 devices, samples", "4 devices, samples"} {
		assert.Contains(t, out, line+" divided")
	}
}
