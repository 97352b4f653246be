package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/safetensors"
	"operator-omm/ommlx/internal/testkit"
)

// example has every element type, a scalar, an empty tensor and names that JSON writes with escapes.
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

// requireSame compares bits, so that NaN is equal to itself.
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

// TestWhatIsWrittenIsRead, bit for bit and also when nothing is written.
func TestWhatIsWrittenIsRead(t *testing.T) {
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

// TestLayout: the header is that of the format, padded, and the data are little endian where the offsets say.
func TestLayout(t *testing.T) {
	all := write(t, example())
	size := binary.LittleEndian.Uint64(all)
	assert.Zero(t, size%8)
	head, data := all[8:8+size], all[8+size:]
	assert.Equal(t, byte('{'), head[0])
	type entry struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	var raw map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(head, &raw))
	header := map[string]entry{}
	for name := range example().Tensors {
		var e entry
		require.NoError(t, json.Unmarshal(raw[name], &e))
		header[name] = e
	}
	assert.JSONEq(t, `{"network": "{\"In\": 2}", "λ": "<ten> & \n"}`, string(raw["__metadata__"]))
	for name, want := range map[string]struct {
		dtype string
		width int
		shape []int
	}{
		"W_1":       {"F32", 4, []int{2, 3}},
		"exact":     {"F64", 8, []int{3}},
		"edges":     {"I32", 4, []int{2, 2, 1}},
		"seeds":     {"I64", 8, []int{1}},
		"state":     {"U64", 8, []int{2}},
		"λ \"<\n\"": {"F32", 4, []int{}},
		"empty":     {"F32", 4, []int{3, 0}},
	} {
		e := header[name]
		assert.Equal(t, want.dtype, e.DType, name)
		assert.Equal(t, want.shape, e.Shape, name)
		assert.Zero(t, e.Offsets[0]%want.width, name)
	}
	at := func(name string, i int) []byte { return data[header[name].Offsets[0]+i:] }
	assert.Equal(t, float32(3.5), math.Float32frombits(binary.LittleEndian.Uint32(at("W_1", 2*4))))
	assert.Equal(t, math.Pi, math.Float64frombits(binary.LittleEndian.Uint64(at("exact", 0))))
	assert.Equal(t, int32(-1), int32(binary.LittleEndian.Uint32(at("edges", 4))))
	assert.Equal(t, uint64(3), binary.LittleEndian.Uint64(at("state", 8)))
}

// TestPython: Python's own package reads what is written here, and what it writes is read here.
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

// TestWhatCannotBeWritten is refused by name, before anything is written.
func TestWhatCannotBeWritten(t *testing.T) {
	one := tensors.FromScalar(float32(1))
	gone := tensors.FromScalar(float32(1))
	gone.MustFinalizeAll()
	type tensorMap = map[string]*tensors.Tensor
	for word, f := range map[string]safetensors.File{
		`cannot be called __metadata__`:            {Tensors: tensorMap{"__metadata__": one}},
		`the name "\xff" of a tensor is not UTF-8`: {Tensors: tensorMap{"\xff": one}},
		`tensor "a" is nil`:                        {Tensors: tensorMap{"a": nil}},
		`tensor "gone"`:                            {Tensors: tensorMap{"gone": gone}},
		`tensor "b" has the element type Bool`:     {Tensors: tensorMap{"b": tensors.FromScalar(true)}},
		`the metadata "k": "\xfe" is not UTF-8`:    {Metadata: map[string]string{"k": "\xfe"}},
	} {
		var out bytes.Buffer
		assert.ErrorContains(t, safetensors.Write(&out, f), word)
		assert.Zero(t, out.Len())
	}
	full := errors.New("the disk is full")
	assert.ErrorIs(t, safetensors.Write(failing{full}, example()), full)
	_, err := safetensors.Read(failing{full})
	assert.ErrorIs(t, err, full)
}

// failing is a disk that is full, or broken.
type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }
func (f failing) Read([]byte) (int, error)  { return 0, f.error }
