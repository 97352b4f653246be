package train

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPerRunInJSON(t *testing.T) {
	in := PerRun{0.1, math.NaN(), math.Inf(1), math.Inf(-1), -3e-300, math.MaxFloat64}
	text, err := json.Marshal(Point{Step: 1, Loss: in})
	require.NoError(t, err)
	var out Point
	require.NoError(t, json.Unmarshal(text, &out))
	require.Len(t, out.Loss, len(in))
	assert.True(t, math.IsNaN(out.Loss[1]))
	in[1], out.Loss[1] = 0, 0
	assert.Equal(t, in, out.Loss)
	for _, bad := range []string{`{}`, `["nan"]`, `["1"]`, `[true]`, `[null]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &out.Loss), bad)
	}
}

// FuzzPerRun: what is read as numbers of runs is written and read again as it was, bit by bit but for the many NaNs.
func FuzzPerRun(f *testing.F) {
	for _, text := range []string{
		`[]`, `null`, `[0.1,"NaN","+Inf","-Inf",-3e-300,1.7976931348623157e308]`, `[-0, 5e-324]`,
		`[null]`, `["1"]`, `[1e999]`, `[[1]]`, `{}`, `[1,`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var first, second PerRun
		if json.Unmarshal(text, &first) != nil {
			return
		}
		again, err := json.Marshal(first)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(again, &second))
		require.Len(t, second, len(first))
		for i, x := range first {
			same := math.Float64bits(x) == math.Float64bits(second[i])
			require.True(t, same || math.IsNaN(x) && math.IsNaN(second[i]), "%s became %s", text, again)
		}
	})
}
