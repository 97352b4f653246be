package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/safetensors"
	"omm-go/ommlx/internal/testkit"
)

func withHeader(head string, data ...byte) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), []byte(head), data)
}

// one returns a file with one tensor, "a".
func one(entry string, data ...byte) []byte { return withHeader(`{"a":{`+entry+`}}`, data...) }

// hostile are files that do not follow the format, keyed by the reason.
var hostile = map[string][]byte{
	"7 bytes are too short":           make([]byte, 7),
	"claims 100000001 bytes, of":      binary.LittleEndian.AppendUint64(nil, 100_000_001),
	"claims 18446744073709551615 byt": binary.LittleEndian.AppendUint64(nil, math.MaxUint64),
	"claims 3 bytes, of":              append(binary.LittleEndian.AppendUint64(nil, 3), '{', '}'),
	"is not UTF-8":                    withHeader("{\"\xff\":1}"),
	"unexpected end of JSON input":    withHeader(`{"a":`),
	"cannot unmarshal array":          withHeader(`[]`),
	"the metadata is not a list":      withHeader(`{"__metadata__":{"a":1}}`),
	"tensor \"a\": malformed":         withHeader(`{"a":[1]}`),
	"element type \"BF16\"":           one(`"dtype":"BF16","shape":[],"data_offsets":[0,2]`, 1, 2),
	"element type \"\", want":         withHeader(`{"a":null}`),
	"has no shape":                    one(`"dtype":"F32","data_offsets":[0,4]`, 1, 2, 3, 4),
	"or no pair of offsets":           one(`"dtype":"F32","shape":[],"data_offsets":[4]`, 1, 2, 3, 4),
	"offsets from 4 to 0":             one(`"dtype":"F32","shape":[],"data_offsets":[4,0]`, 1, 2, 3, 4),
	"offsets from 0 to -4":            one(`"dtype":"F32","shape":[],"data_offsets":[0,-4]`, 1, 2, 3, 4),
	"offsets from 0 to 8,":            one(`"dtype":"F64","shape":[],"data_offsets":[0,8]`, 1, 2, 3, 4),
	"shape [-1 -1] does not fit the":  one(`"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]`, 1, 2, 3, 4),
	"shape [2] does not fit the 4":    one(`"dtype":"F32","shape":[2],"data_offsets":[0,4]`, 1, 2, 3, 4),
	"shape [0 -1] does not fit the 0": one(`"dtype":"F32","shape":[0,-1],"data_offsets":[0,0]`),
	"shape [0] does not fit the 4":    one(`"dtype":"F32","shape":[0],"data_offsets":[0,4]`, 1, 2, 3, 4),
	// 2³² · 2³² overflows to 0.
	"shape [4294967296 4294967296]": one(`"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]`),
	"from 4 to 8, want a start at 8": withHeader(`{"a":{"dtype":"F64","shape":[],"data_offsets":[0,8]},`+
		`"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]}}`, make([]byte, 8)...),
	"from 8 to 12, want a start at 4": withHeader(`{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},`+
		`"b":{"dtype":"F32","shape":[],"data_offsets":[8,12]}}`, make([]byte, 12)...),
	"the last 2 bytes": one(`"dtype":"F32","shape":[],"data_offsets":[0,4]`, make([]byte, 6)...),
}

// TestInvalidFiles are refused for the right reason, without the memory that they claim to need.
func TestInvalidFiles(t *testing.T) {
	for reason, all := range hostile {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := safetensors.Read(bytes.NewReader(all))
		runtime.ReadMemStats(&after)
		assert.Error(t, err, reason)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	}
}

// FuzzRead: no file makes reading panic or allocate more than its size; errors have one line; the content survives
// writing and reading again.
func FuzzRead(f *testing.F) {
	good := write(f, example())
	f.Add(good)
	f.Add(good[:len(good)-1])
	for _, all := range hostile {
		f.Add(all)
	}
	f.Add(withHeader(`{"a":{"dtype":"F32","shape":[0,1099511627776,1099511627776],"data_offsets":[0,0]}} `))
	f.Fuzz(func(t *testing.T, all []byte) {
		file, err := safetensors.Read(bytes.NewReader(all))
		if err != nil {
			require.NotEmpty(t, err.Error())
			require.False(t, strings.ContainsAny(err.Error(), "\n\r\x1b"), "%q", err)
			require.True(t, utf8.ValidString(err.Error()))
			return
		}
		claimed := 0
		for _, x := range file.Tensors {
			claimed += x.Size() * x.DType().Size()
		}
		require.LessOrEqual(t, claimed, len(all))
		again := testkit.Must(safetensors.Read(bytes.NewReader(write(t, file))))
		requireSame(t, file, again)
	})
}
