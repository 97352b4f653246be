package train

import (
	"bytes"
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

// TestSessionsAreNamed: a training that goes on by another build or on another machine says so, and names both at its
// end; one that goes on as it began has one.
func TestSessionsAreNamed(t *testing.T) {
	first := Session{Commit: "abc+", Engine: "go", Device: "cpu:0", Devices: 1, Cores: 2}
	second := first
	second.Commit, second.Cores = "def", 8
	o := pureGo(t)
	p, c := toy(4, 1), config(80, 3)
	var said bytes.Buffer
	o.Warn, o.Dir, o.Session = &said, t.TempDir(), first
	interrupted(t, p, c, o, 20)
	interrupted(t, p, c, o, 40)
	require.Empty(t, said.String(), "it goes on as it began")
	o.Session = second
	interrupted(t, p, c, o, 60)
	require.Regexp(t, `^this training was begun by commit abc\+ with go on 1 × cpu:0, 2 core\(s\) and goes on from `+
		`step \d+ by commit def with go on 1 × cpu:0, 8 core\(s\); its result will name both\n$`, said.String())
	said.Reset()
	o.Session = first
	require.Equal(t, []Session{first, second}, mustRun(t, p, c, o).Sessions, "each once")
	require.Empty(t, said.String())
	o.Session = Session{Commit: "ghi"}
	require.Equal(t, []Session{first, second, {Commit: "ghi"}}, mustRun(t, p, c, o).Sessions,
		"what keeps the result of a training that was complete is named, too")
	o.Dir = t.TempDir()
	require.Equal(t, []Session{{Commit: "ghi"}}, mustRun(t, p, c, o).Sessions)
}
