package graphs

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/sparse"
	"operator-omm/ommlx/spectral"
)

// What is captured is the same in parts of any width as from the whole table at once, and it is never empty: functions
// that are linearly dependent capture what their span does.
func TestWhatIsCapturedIsStreamed(t *testing.T) {
	s := look(generated(t), 0)
	const k = 5
	n := s.Nodes()
	f := graphtest.Gaussian(graphtest.NewRand(3), n, k).Data
	for i := range f {
		f[i] = float64(float32(f[i]))
	}
	sf := make([]float64, len(f))
	sparse.Multiply(s.seen.Symmetric(), sf, f, k)
	want := testkit.Must(spectral.Diagnose(mat.NewDense(n, k, f), mat.NewDense(n, k, sf), nil))

	row := func(node int, dst []float32) {
		for c := range dst {
			dst[c] = float32(f[node*k+c%k]) // a sixth function is the first one again
		}
	}
	for _, most := range []int{1, 2 * n, 3*n + 1, 1 << 30} {
		for _, functions := range []int{k, k + 1} {
			runs := make([]Run, 1)
			require.NoError(t, Experiment{K: functions}.ritz(s, table(functions, row), runs, most))
			require.InDeltaSlice(t, want.Ritz, runs[0].Ritz, 1e-9, "%d functions, %d numbers at once", functions, most)
		}
	}
	silent := make([]Run, 1)
	require.NoError(t, Experiment{K: 2}.ritz(s, table(2, func(int, []float32) {}), silent, held))
	require.Empty(t, silent[0].Ritz)
	require.InDelta(t, floats.Sum(want.Ritz), captured(Run{Ritz: want.Ritz}), 1e-12, "fewer than there are classes")
}
