package tensorx_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
)

type tensorMap = map[string]*tensors.Tensor

// example has every element type, a scalar, an empty tensor, and names that JSON escapes.
func example() tensorx.Safetensors {
	return tensorx.Safetensors{
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

func write(t testing.TB, f tensorx.Safetensors) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, f.Write(&out))
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for _, f := range []tensorx.Safetensors{
		example(),
		{Tensors: map[string]*tensors.Tensor{"nan": tensors.FromValue([]float32{math.Float32frombits(0x7fc00123)})}},
		{Tensors: map[string]*tensors.Tensor{}, Metadata: map[string]string{"only": "words"}},
		{Tensors: map[string]*tensors.Tensor{}},
	} {
		all := write(t, f)
		require.Equal(t, all, write(t, testkit.Must(tensorx.ReadSafetensors(bytes.NewReader(all)))))
	}
}

// TestLayout compares the bytes of a whole file with the format, the widest elements first.
func TestLayout(t *testing.T) {
	all := write(t, tensorx.Safetensors{Metadata: map[string]string{"λ": "<ten> & \n"}, Tensors: tensorMap{
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

func TestUnsupportedTensors(t *testing.T) {
	f := tensorx.Safetensors{Tensors: tensorMap{"a": tensors.FromScalar(true)}}
	assert.ErrorContains(t, f.Write(&bytes.Buffer{}), `"a"`)
	full := errors.New("the disk is full")
	assert.ErrorIs(t, example().Write(failing{full}), full)
	_, err := tensorx.ReadSafetensors(failing{full})
	assert.ErrorIs(t, err, full)
}

// failing is a disk that is full or broken.
type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }
func (f failing) Read([]byte) (int, error)  { return 0, f.error }

func withHeader(head string, data ...byte) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), []byte(head), data)
}

// one returns a file with one tensor, "a".
func one(entry string, data ...byte) []byte { return withHeader(`{"a":{`+entry+`}}`, data...) }

// invalid are files that do not follow the format, by a part of the error.
var invalid = map[string][]byte{
	"7 bytes":                    make([]byte, 7),
	"18446744073709551615 bytes": binary.LittleEndian.AppendUint64(nil, math.MaxUint64),
	"header of 3 bytes":          append(binary.LittleEndian.AppendUint64(nil, 3), '{', '}'),
	"JSON":                       withHeader(`{"a":`),
	"metadata":                   withHeader(`{"__metadata__":{"a":1}}`),
	"BF16":                       one(`"dtype":"BF16","shape":[],"data_offsets":[0,2]`, 1, 2),
	"no shape":                   one(`"dtype":"F32","data_offsets":[0,4]`, 1, 2, 3, 4),
	"pair of offsets":            one(`"dtype":"F32","shape":[],"data_offsets":[4]`, 1, 2, 3, 4),
	"[4 0]":                      one(`"dtype":"F32","shape":[],"data_offsets":[4,0]`, 1, 2, 3, 4),
	"[0 8]":                      one(`"dtype":"F64","shape":[],"data_offsets":[0,8]`, 1, 2, 3, 4),
	"shape [-1 -1]":              one(`"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]`, 1, 2, 3, 4),
	"shape [2]":                  one(`"dtype":"F32","shape":[2],"data_offsets":[0,4]`, 1, 2, 3, 4),
	"shape [0 -1]":               one(`"dtype":"F32","shape":[0,-1],"data_offsets":[0,0]`),
	// The product overflows to 0.
	"[4294967296 4294967296]": one(`"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]`),
	"range from 8": withHeader(`{"a":{"dtype":"F64","shape":[],"data_offsets":[0,8]},`+
		`"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]}}`, make([]byte, 8)...),
	"2 bytes after": one(`"dtype":"F32","shape":[],"data_offsets":[0,4]`, make([]byte, 6)...),
}

func TestInvalidFiles(t *testing.T) {
	for part, all := range invalid {
		_, err := tensorx.ReadSafetensors(bytes.NewReader(all))
		assert.ErrorContains(t, err, part)
	}
}

// FuzzRead: no file makes reading panic or allocate more than its size; the content survives writing and reading again.
func FuzzRead(f *testing.F) {
	good := write(f, example())
	f.Add(good)
	f.Add(good[:len(good)-1])
	for _, all := range invalid {
		f.Add(all)
	}
	f.Fuzz(func(t *testing.T, all []byte) {
		file, err := tensorx.ReadSafetensors(bytes.NewReader(all))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		claimed := 0
		for _, x := range file.Tensors {
			claimed += x.Size() * x.DType().Size()
		}
		require.LessOrEqual(t, claimed, len(all))
		again := write(t, file)
		require.Equal(t, again, write(t, testkit.Must(tensorx.ReadSafetensors(bytes.NewReader(again)))))
	})
}
