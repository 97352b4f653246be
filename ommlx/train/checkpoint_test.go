package train

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sealed returns a file with that content and a sum that fits, so that what follows the sum is read.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return slices.Concat([]byte(magic), sum[:], body)
}

func withHeader(head string, rest ...byte) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), []byte(head), rest)
}

// hostile are bodies whose header and data do not fit together.
var hostile = map[string][]byte{
	"header is longer than the file":  binary.LittleEndian.AppendUint64(nil, 1<<63),
	"header is not readable":          withHeader(`{"step":`),
	"1 bytes too many":                withHeader(`{}`, 0),
	"unknown element type \"Float7\"": withHeader(`{"tensors":[{"dtype":"Float7"}]}`),
	"unknown element type \"Invali":   withHeader(`{"tensors":[{"dtype":"InvalidDType"}]}`),
	"tensor 1: shape [2] needs": withHeader(`{"tensors":[{"dtype":"Float32","dims":[1]},{"dtype":"Int32","dims":[2]}]}`,
		1, 2, 3, 4, 5),
	"shape [-1 -4]":         withHeader(`{"tensors":[{"dtype":"Float32","dims":[-1,-4]}]}`, make([]byte, 16)...),
	"shape [1099511627776]": withHeader(`{"tensors":[{"dtype":"Float32","dims":[1099511627776]}]}`),
	// 2³² · 2³² overflows to 0.
	"shape [4294967296 4294967296]": withHeader(`{"tensors":[{"dtype":"Float64","dims":[4294967296,4294967296]}]}`,
		make([]byte, 64)...),
}

// TestCheckpointThatDoesNotFitItself is refused for what is wrong, without the memory that it claims to need.
func TestCheckpointThatDoesNotFitItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for word, body := range hostile {
		require.NoError(t, os.WriteFile(path, sealed(body), 0o600))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := readCheckpoint(path)
		runtime.ReadMemStats(&after)
		assert.ErrorContains(t, err, word)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	}
}

// FuzzReadCheckpoint: nothing that a file can hold makes reading it panic or claim more than the file has, with a sum
// that fits and without; what is read is written and read again as it was.
func FuzzReadCheckpoint(f *testing.F) {
	dir, _, _ := begun(f, pureGo(f))
	names, err := files(dir, whole)
	require.NoError(f, err)
	good, err := os.ReadFile(names[0])
	require.NoError(f, err)
	f.Add(good[len(magic)+sha256.Size:])
	for _, body := range hostile {
		f.Add(body)
	}
	f.Add(withHeader(`{"step":-1,"history":[{"step":0},{"loss":["NaN",null,1]}],
		"tensors":[{"dtype":"Bool","dims":[0,1099511627776]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _, err := decode(body)
		require.Error(t, err, "without a sum")
		h, state, err := decode(sealed(body))
		if err != nil {
			return
		}
		require.Len(t, state, len(h.Tensors))
		claimed := uintptr(0)
		for _, tensor := range state {
			claimed += tensor.Memory()
		}
		require.LessOrEqual(t, claimed, uintptr(len(body)))
		again, err := encode(h, state)
		require.NoError(t, err)
		h, state, err = decode(again)
		require.NoError(t, err)
		third, err := encode(h, state)
		require.NoError(t, err)
		require.Equal(t, again, third)
	})
}
