package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/safetensors"
	"omm-go/ommlx/internal/testkit"
)

type tensorMap = map[string]*tensors.Tensor

// example has every element type, a scalar, an empty tensor and names that JSON escapes.
func example() safetensors.File {
	return safetensors.File{
		Tensors: map[string]*tensors.Tensor{
			"W_1":       tensors.FromFlatDataAndDimensions([]float32{1, -2, 3.5, math.MaxFloat32 / 4, 1e-40, 0}, 2, 3),
			"exact":     tensors.FromFlatDataAndDimensions([]float64{math.Pi, math.Inf(-1), 5e-324}, 3),
			"edges":     tensors.FromFlatDataAndDimensions([]int32{0, -1, 1 << 29, 7}, 2, 2, 1),
			"seeds":     tensors.FromFlatDataAndDimensions([]int64{-1 << 61}, 1),
			"state":     tensors.FromFlatDataAndDimensions([]uint64{1<<63 - 1, 3}, 2),
			"λ \"<\n\"": tensors.FromScalar(float32(0.25)),
			"empty":     tensors.FromShape(shapes.Make(dtypes.Float32, 3, 0)),
		},
		Metadata: map[string]string{"network": `{"In": 2}`, "λ": "<ten> & \n"},
	}
}

func write(t testing.TB, f safetensors.File) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, safetensors.Write(&out, f))
	return out.Bytes()
}

// requireSame compares bits, so that NaN equals itself.
func requireSame(t testing.TB, want, got safetensors.File) {
	t.Helper()
	require.Equal(t, want.Metadata, got.Metadata)
	require.Len(t, got.Tensors, len(want.Tensors))
	for name, x := range want.Tensors {
		y := got.Tensors[name]
		require.NotNil(t, y, name)
		require.True(t, x.Shape().Equal(y.Shape()), "%s: %s, %s", name, x.Shape(), y.Shape())
	}
	require.Equal(t, write(t, want), write(t, got))
}

// TestRoundTrip compares bit for bit, also for an empty file.
func TestRoundTrip(t *testing.T) {
	for _, f := range []safetensors.File{
		example(),
		{Tensors: map[string]*tensors.Tensor{"nan": tensors.FromValue([]float32{math.Float32frombits(0x7fc00123)})}},
		{Tensors: map[string]*tensors.Tensor{}, Metadata: map[string]string{"only": "words"}},
		{Tensors: map[string]*tensors.Tensor{}},
	} {
		got := testkit.Must(safetensors.Read(bytes.NewReader(write(t, f))))
		requireSame(t, f, got)
	}
}

// TestLayout compares the bytes of a whole file with the format, the widest elements first.
func TestLayout(t *testing.T) {
	all := write(t, safetensors.File{Metadata: map[string]string{"λ": "<ten> & \n"}, Tensors: tensorMap{
		"a\"": tensors.FromFlatDataAndDimensions([]int32{0, -1}, 2, 1), "b": tensors.FromScalar(math.Pi),
		"empty": tensors.FromShape(shapes.Make(dtypes.Float32, 3, 0))}})
	const head = `{"__metadata__":{"λ":"\u003cten\u003e \u0026 \n"},` +
		`"a\"":{"dtype":"I32","shape":[2,1],"data_offsets":[8,16]},` +
		`"b":{"dtype":"F64","shape":[],"data_offsets":[0,8]},` +
		`"empty":{"dtype":"F32","shape":[3,0],"data_offsets":[16,16]}}`
	data := binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Pi))
	data = append(data, 0, 0, 0, 0, 255, 255, 255, 255)
	padded := head + strings.Repeat(" ", 7-(len(head)+7)%8)
	require.Equal(t, string(withHeader(padded, data...)), string(all))
}

// TestPython: Python's package reads files of this package, and this package reads files of Python's.
func TestPython(t *testing.T) {
	python := os.Getenv("OMM_PYTHON")
	if python == "" {
		t.Skip("OMM_PYTHON names no Python with the packages safetensors and numpy to compare with")
	}
	if err := exec.Command(python, "-c", "import safetensors.numpy").Run(); err != nil {
		t.Skipf("%s, which OMM_PYTHON names, cannot import safetensors and numpy (%v)", python, err)
	}
	ours, theirs := filepath.Join(t.TempDir(), "ours"), filepath.Join(t.TempDir(), "theirs")
	require.NoError(t, os.WriteFile(ours, write(t, example()), 0o600))
	said, err := exec.Command(python, filepath.Join("testdata", "double.py"), ours, theirs).CombinedOutput()
	require.NoError(t, err, "%s", said)
	file := testkit.Must(os.Open(theirs))
	defer file.Close()
	got := testkit.Must(safetensors.Read(file))

	want := example()
	want.Metadata = map[string]string{"network": `}2 :"nI"{`, "λ": "\n & >net<"}
	for _, x := range want.Tensors {
		x.MustMutableFlatData(func(flat any) {
			switch flat := flat.(type) {
			case []float32:
				double(flat)
			case []float64:
				double(flat)
			case []int32:
				double(flat)
			case []int64:
				double(flat)
			case []uint64:
				double(flat)
			}
		})
	}
	requireSame(t, want, got)
}

func double[T float32 | float64 | int32 | int64 | uint64](x []T) {
	for i := range x {
		x[i] += x[i]
	}
}

// TestUnsupportedTensors gives errors with the tensor's name.
func TestUnsupportedTensors(t *testing.T) {
	gone := tensors.FromScalar(float32(1))
	gone.MustFinalizeAll()
	for word, x := range map[string]*tensors.Tensor{
		`tensor "a" has element type Invalid`: gone,
		`tensor "a" has element type Bool`:    tensors.FromScalar(true),
	} {
		err := safetensors.Write(&bytes.Buffer{}, safetensors.File{Tensors: tensorMap{"a": x}})
		assert.ErrorContains(t, err, word)
	}
	full := errors.New("the disk is full")
	assert.ErrorIs(t, safetensors.Write(failing{full}, example()), full)
	_, err := safetensors.Read(failing{full})
	assert.ErrorIs(t, err, full)
}

// failing is a disk that is full or broken.
type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }
func (f failing) Read([]byte) (int, error)  { return 0, f.error }
