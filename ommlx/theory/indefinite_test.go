package theory

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"operator-omm/ommlx/internal/graphtest"
)

// Two modes look indefinite on a batch with the probability P(|z| > 2√(Bλ2/λ1)), one mode never.
func TestAPositiveOperatorLooksIndefinite(t *testing.T) {
	rng := graphtest.NewRand(5)
	share := Indefinite(rng, []float64{1, 1. / 256}, 0, 64, 1_000)
	require.InDelta(t, 2*distuv.UnitNormal.Survival(1), share, 0.05)
	require.Zero(t, Indefinite(rng, []float64{1, 1. / 256}, 1, 64, 100))
	require.Zero(t, Indefinite(rng, []float64{1}, 0, 4, 100))
}
