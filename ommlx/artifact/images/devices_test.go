package images

import (
	"testing"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
)

// A convolutional network with batch normalisation trains over several devices as on one: its statistics are those of
// the whole batch.
func TestImagesOverSeveralDevices(t *testing.T) {
	e := tiny().With(lab.Seeds(1))
	d := testkit.Must(e.read())
	p := testkit.Must(e.problem(d))
	ommtest.AsOnOne(t, p, 1e-3, 4)
}
