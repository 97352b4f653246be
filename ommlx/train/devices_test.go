package train

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/backend"
)

// virtual returns Options for n devices that are this machine's processor.
func virtual(t testing.TB, n int) Options {
	t.Helper()
	b, err := backend.Virtual(n)
	if errors.Is(err, backend.ErrNoCPUPlugin) {
		t.Skip(err)
	}
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return Options{Backend: b, Key: "key"}
}

// apart is the largest difference of the numbers of two lists of tensors.
func apart(t testing.TB, a, b []*tensors.Tensor) (most float64) {
	t.Helper()
	require.Len(t, b, len(a))
	for i := range a {
		x, y := floats(a[i]), floats(b[i])
		require.Len(t, y, len(x))
		for j := range x {
			most = max(most, math.Abs(x[j]-y[j]))
		}
	}
	return most
}

// Runs that are divided over devices, and samples that are, give what one device gives, to round-off; they are the same
// samples.
func TestSeveralDevicesTrainAsOneDoes(t *testing.T) {
	needLoop(t, here(t))
	for _, devices := range []int{2, 4} {
		o := virtual(t, devices)
		for name, seeds := range map[string][]int64{"runs": {1, 2, 3, 4}, "samples": {1, 2, 3}} {
			p, c := toy(8, seeds...), config(60, 20)
			one := o
			one.Devices = 1
			want, got := mustRun(t, p, c, one), mustRun(t, p, c, o)
			difference := apart(t, slices.Concat(want.Params, want.Average, want.State),
				slices.Concat(got.Params, got.Average, got.State))
			require.Less(t, difference, 1e-4, "%d devices, %s divided", devices, name)
			for i, point := range got.History {
				require.InDeltaSlice(t, want.History[i].Loss, point.Loss, 1e-5)
			}
			again := mustRun(t, p, c, o)
			require.Equal(t, content(got.Params), content(again.Params), "the same number of devices gives the same bits")
		}
	}
}
