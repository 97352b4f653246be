package train

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/backend"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
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

// apart is the largest difference of the numbers of two results.
func apart(t testing.TB, a, b *Result) (most float64) {
	t.Helper()
	all := func(r *Result) []*tensors.Tensor { return slices.Concat(r.Params, r.Average, r.State) }
	require.Len(t, all(b), len(all(a)))
	for i, x := range all(a) {
		got := tensorx.Numbers(all(b)[i])
		for j, want := range tensorx.Numbers(x) {
			most = max(most, math.Abs(want-got[j]))
		}
	}
	return most
}

// A tensor that is gone cannot be divided or put together, which is an error, not a panic. Each is asked for once: of
// one that could not be read from a GPU, GoMLX gives zeros the second time (v0.28.2).
func TestATensorThatIsGoneIsAnError(t *testing.T) {
	o := here(t)
	needLoop(t, o) // the pure-Go backend gives nothing, without an error
	gone := func() *tensors.Tensor {
		x := vector(dtypes.Float32, 2)
		require.NoError(t, x.MaterializeOnDevice(o.Backend, false, 0))
		x.FinalizeLocal()
		require.NoError(t, testkit.Must(x.Buffer(o.Backend, 0)).Finalize())
		return x
	}
	d := division{testkit.Must(distributed.NewDeviceMesh([]int{2}, []string{meshAxis})), true}
	_, err := d.parts(o.Backend, gone(), true)
	require.Error(t, err)
	head := make([]*tensors.Tensor, heads)
	_, err = d.whole(layout{}, [][]*tensors.Tensor{append(head, vector(dtypes.Float32, 2)), append(head[:heads:heads],
		gone())})
	require.Error(t, err)
}

// Runs that are divided over devices, and samples that are, give what one device gives, to round-off. The same number
// of devices gives the same bits.
func TestSeveralDevicesTrainAsOneDoes(t *testing.T) {
	o := virtual(t, 4)
	needLoop(t, o)
	for name, p := range map[string]Problem{"runs": fit(1, 2, 3, 4), "samples": toy(8, 1)} {
		c, on := config(40, 10), map[int]*Result{}
		for _, o.Devices = range []int{1, 4} {
			on[o.Devices] = mustRun(t, p, c, o)
			require.Less(t, apart(t, on[1], on[o.Devices]), 1e-4, "%d devices, %s divided", o.Devices, name)
			for i, point := range on[o.Devices].History {
				require.InDeltaSlice(t, on[1].History[i].Loss, point.Loss, 1e-5)
			}
		}
		if name == "samples" {
			requireSame(t, on[4], mustRun(t, p, c, o))
		} else {
			requireResumes(t, p, c, o, on)
		}
	}
}

// A training that stopped on some devices goes on on others, to the numbers of one that did not stop but for round-off.
// That on as many devices it is the same bits, TestKilled holds.
func requireResumes(t *testing.T, p Problem, c Config, o Options, untouched map[int]*Result) {
	t.Helper()
	for from, to := range map[int]int{4: 1, 1: 4} {
		o.Devices, o.Dir = from, t.TempDir()
		_ = interrupted(t, p, c, o, 10)
		o.Devices = to
		require.Less(t, apart(t, untouched[from], mustRun(t, p, c, o)), 1e-4, "from %d devices to %d", from, to)
	}
}

// A run that diverges is frozen alone, whichever device it is on.
func TestARunDivergesAloneOnSeveralDevices(t *testing.T) {
	o := virtual(t, 2)
	needLoop(t, o)
	for _, at := range [][]float32{{0, 5, 0, 0}, {0, 5, 0}} { // runs divided, samples divided
		kinds := make([]float32, len(at))
		healthy := mustRun(t, failing(make([]float32, len(at)), kinds), config(12, 4), o)
		got := mustRun(t, failing(at, kinds), config(12, 4), o)
		for r := range at {
			require.Equal(t, int(at[r]), got.Diverged[r])
			for i, x := range got.Params {
				size := x.Shape().Size() / len(at)
				part := func(x *tensors.Tensor) []float64 { return tensorx.Numbers(x)[r*size : (r+1)*size] }
				if at[r] == 0 {
					require.Equal(t, part(healthy.Params[i]), part(x), "run %d, parameter %d", r, i)
				}
			}
		}
	}
}

// The random numbers are the same on any number of devices: all of a step are what one device draws.
func TestRandomNumbersDoNotDependOnTheDevices(t *testing.T) {
	o := virtual(t, 2)
	needLoop(t, o)
	draws := func(seeds ...int64) Problem {
		zeros := func(n int) *tensors.Tensor {
			return tensors.FromFlatDataAndDimensions(make([]float32, n*len(seeds)), len(seeds), n)
		}
		return Problem{Seeds: seeds, Params: []*tensors.Tensor{zeros(1)}, State: []*tensors.Tensor{zeros(72)},
			Loss: func(in Inputs) (*Node, []*Node) {
				uniform, normal := in.Random.Uniform(dtypes.Float32, 24), in.Random.Normal(dtypes.Float32, 12, 2)
				whole := ConvertDType(in.Random.IntN(1000, 24), dtypes.Float32)
				last := Concatenate([]*Node{uniform, Reshape(normal, len(seeds), 24), whole}, 1)
				return ReduceSum(in.Params[0], 1), []*Node{last}
			}}
	}
	for _, seeds := range [][]int64{{1, 2}, {1}} {
		o.Devices = 1
		want := mustRun(t, draws(seeds...), config(3, 3), o)
		require.NotZero(t, tensorx.Numbers(want.State[0])[0])
		o.Devices = 2
		got := mustRun(t, draws(seeds...), config(3, 3), o)
		require.Equal(t, tensorx.Numbers(want.State[0]), tensorx.Numbers(got.State[0]), "%d runs", len(seeds))
	}
}
