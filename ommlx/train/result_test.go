package train

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// TestPerRunInJSON: what FuzzPerRun writes and reads again has these names, and nothing else is read.
func TestPerRunInJSON(t *testing.T) {
	text := testkit.Must(json.Marshal(Point{Step: 1, Loss: PerRun{0.5, math.NaN(), math.Inf(1), math.Inf(-1)}}))
	assert.Equal(t, `{"step":1,"loss":[0.5,"NaN","+Inf","-Inf"]}`, string(text))
	var out Point
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
		again := testkit.Must(json.Marshal(first))
		require.NoError(t, json.Unmarshal(again, &second))
		require.Len(t, second, len(first))
		for i, x := range first {
			same := math.Float64bits(x) == math.Float64bits(second[i])
			require.True(t, same || math.IsNaN(x) && math.IsNaN(second[i]), "%s became %s", text, again)
		}
	})
}
