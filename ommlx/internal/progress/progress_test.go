package progress

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown shows a job of 100 s, ten times a second, on a clock that does not wait.
func shown(t *testing.T, terminal bool) string {
	var out bytes.Buffer
	synctest.Test(t, func(*testing.T) {
		line := Line{W: &out, Terminal: terminal}
		for tenth := range 1000 {
			line.Show(float64(tenth)/1000, func() string { return "a job" })
			time.Sleep(time.Second / 10)
		}
		line.Clear()
	})
	return out.String()
}

func TestLinesInALog(t *testing.T) {
	assert.Equal(t, []string{" 15% a job", " 30% a job", " 45% a job", " 60% a job", " 75% a job", " 90% a job", ""},
		strings.Split(shown(t, false), "\n"))
}

func TestLineOnATerminal(t *testing.T) {
	draws := strings.Split(shown(t, true), "\r\x1b[K")
	require.Len(t, draws, 502, "every 0.2 s and to clear the line")
	assert.Empty(t, draws[0])
	assert.Equal(t, "[                ]   0% a job", draws[1])
	assert.Equal(t, "[========        ]  50% a job", draws[251])
	assert.Empty(t, draws[501], "the line is cleared at the end")
	assert.NotContains(t, strings.Join(draws, ""), "\n")
}

func TestNothingIsClearedThatWasNotDrawn(t *testing.T) {
	var out bytes.Buffer
	(&Line{W: &out, Terminal: true}).Clear()
	assert.Empty(t, out.String())
}

func TestAFileIsNoTerminal(t *testing.T) {
	assert.False(t, Terminal(&bytes.Buffer{}))
	file, err := os.Create(t.TempDir() + "/log")
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, Terminal(file))
}

// The time left counts what was done since the first call alone: 100 s for a half.
func TestTimeLeft(t *testing.T) {
	var out bytes.Buffer
	synctest.Test(t, func(*testing.T) {
		line := Timed{Line: Line{W: &out}}
		for second := range 100 {
			line.Show("converting", 0.5+float64(second)/200)
			time.Sleep(time.Second)
		}
	})
	lines := strings.Split(out.String(), "\n")
	assert.Equal(t, " 57% converting  left 1m26s", lines[0])
	assert.Equal(t, " 95% converting  left 11s", lines[5])
}
