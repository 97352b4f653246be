package rl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/train"
)

// Grid worlds train over several devices as on one, by minibatches and by exact expectations: two runs are divided over
// two devices, and the samples of each over four.
func TestGridWorldsOverSeveralDevices(t *testing.T) {
	var all []train.Problem
	for _, expectation := range []Expectation{Minibatch, AllPairs, Exact} {
		e := Paper("GridMaze-7", "omm_seq", 5, 2).smoke(2)
		e.Expectation = expectation
		if expectation != Minibatch {
			e.Overlap = OverlapPairs
		}
		require.NoError(t, e.Validate())
		p, err := e.Problem()
		require.NoError(t, err)
		all = append(all, p)
	}
	ommtest.AsOnOne(t, ommtest.Together(all...), 1e-4, 2, 4)
}
