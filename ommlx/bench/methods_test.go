package bench

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEachMethodOfFigure1IsTimed(t *testing.T) {
	var out bytes.Buffer
	s := &session{ctx: t.Context(), out: &out, options: Options{Engine: engine(t), Rounds: 2, scale: 0.05}}
	seconds, err := s.methodsOn("GridMaze-7")
	require.NoError(t, err)
	require.Len(t, seconds, 4)
	for _, label := range []string{"OMM-seq", "OMM-joint", "ALLO", "OMM-seq, all pairs"} {
		assert.Positive(t, seconds[label], label)
	}
	assert.Regexp(t, `(?m)^GridMaze-7 +\d+\.\d+ +\[.*ALLO +\d`, out.String())
}
