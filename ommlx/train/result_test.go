package train

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// TestPerRunInJSON: NaN and the infinities are strings, and no other strings are read.
func TestPerRunInJSON(t *testing.T) {
	text := testkit.Must(json.Marshal(Point{Step: 1, Loss: PerRun{0.5, math.NaN(), math.Inf(1), math.Inf(-1)}}))
	assert.Equal(t, `{"step":1,"loss":[0.5,"NaN","+Inf","-Inf"]}`, string(text))
	var out Point
	require.NoError(t, json.Unmarshal(text, &out))
	assert.Equal(t, []float64{0.5, math.Inf(1), math.Inf(-1)}, slices.Delete([]float64(out.Loss), 1, 2))
	for _, bad := range []string{`{}`, `["nan"]`, `["1"]`, `[true]`, `[null]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &out.Loss), bad)
	}
}
