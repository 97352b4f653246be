package images

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/ommtest"
)

// A convolutional network with batch normalisation trains over several devices as on one: its statistics are those of
// the whole batch.
func TestImagesOverSeveralDevices(t *testing.T) {
	e := tiny().with(1)
	d, err := e.read()
	require.NoError(t, err)
	p, err := e.problem(d)
	require.NoError(t, err)
	ommtest.AsOnOne(t, p, 1e-3, 4)
}
