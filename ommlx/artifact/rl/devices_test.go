package rl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/devicetest"
)

// Grid worlds train over several devices as on one, by minibatches and by exact expectations, runs divided and samples.
func TestGridWorldsOverSeveralDevices(t *testing.T) {
	for _, expectation := range []Expectation{Minibatch, AllPairs, Exact} {
		for _, runs := range []int{1, 2} {
			e := Paper("GridMaze-7", "omm_seq", 5, runs).smoke(runs)
			e.Expectation = expectation
			if expectation != Minibatch {
				e.Overlap = OverlapPairs
			}
			require.NoError(t, e.Validate())
			p, err := e.Problem()
			require.NoError(t, err)
			devicetest.AsOnOne(t, p, 1e-4, 2, 4)
		}
	}
}
