package spectral

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// separated is a diagonal operator: the leading eigenvalues given, and a bulk in [0, 1], which converges slowly.
func separated(n int, leading ...float64) func(dst, src []float64) {
	return func(dst, src []float64) {
		for i, v := range src {
			value := float64(i) / float64(n)
			if i < len(leading) {
				value = leading[i]
			}
			dst[i] = value * v
		}
	}
}

// TestProofBeforeConvergence: that nothing is left above the leading pairs is known before the bulk converges, which
// takes more than 400 applications; a copy of an eigenvalue is found all the same, from every start.
func TestProofBeforeConvergence(t *testing.T) {
	const n = 4_000
	for seed := range uint64(20) {
		pairs, err := Lanczos{K: 5, Space: 60, Seed: seed}.Solve(n, separated(n, 6, 5, 5, 4, 3))
		require.NoError(t, err)
		assert.InDeltaSlice(t, []float64{6, 5, 5, 4, 3}, pairs.Values, 1e-9)
		assert.Less(t, pairs.Applications, 150)
	}
}

// TestNothingAbove: the answer is no while the space is small, where an eigenvalue is above, and where one is at the
// value; it becomes yes.
func TestNothingAbove(t *testing.T) {
	const n = 1_000
	s := newKrylov(n, 1, 60, 1, separated(n, 2), rand.New(rand.NewPCG(1, 2)))
	s.start()
	yes := map[float64]bool{}
	for !s.complete() {
		require.NoError(t, s.extend())
		for _, value := range []float64{1.9, 2, 2.5} {
			nothing, err := s.nothingAbove(value)
			require.NoError(t, err)
			assert.False(t, nothing && s.dim < 10, "known from %d directions", s.dim)
			yes[value] = yes[value] || nothing
		}
	}
	assert.Equal(t, map[float64]bool{1.9: false, 2: false, 2.5: true}, yes)
}
