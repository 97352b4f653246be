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
	for _, bad := range []string{`{}`, `["nan"]`, `["1"]`, `[true]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &out.Loss), bad)
	}
}
