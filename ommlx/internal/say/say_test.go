package say

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFirstLine(t *testing.T) {
	assert.Equal(t, "shapes do not fit", FirstLine(errors.New("\n shapes do\tnot fit \n goroutine 1 [running]:")))
}

func TestRuns(t *testing.T) {
	for want, counts := range map[string][]int{"1 run": {1, 1}, "4 runs": {4, 4}, "1 to 4 runs": {4, 1}, "": nil} {
		require.Equal(t, want, Runs(counts))
	}
}

// FuzzPrintable: the result is one line of printable characters, which Printable does not change.
func FuzzPrintable(f *testing.F) {
	for _, text := range []string{"", "a\nb", "\x1b[31mred", "\xff", "tab\tin", "\u2028", "a\u202eb", " … "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		said := Printable(text)
		for _, r := range said {
			require.True(t, unicode.IsPrint(r), "%q", said)
		}
		require.Equal(t, said, Printable(said))
	})
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", 80000: "80,000", 1234567: "1,234,567", -4000: "-4,000", -400: "-400",
	} {
		assert.Equal(t, want, Thousands(n))
	}
}

// terminal keeps what is written to it.
type terminal struct{ bytes.Buffer }

// Stat describes a character device, as terminals are.
func (*terminal) Stat() (fs.FileInfo, error) { return os.Stat(os.DevNull) }

// show shows a job of 100 s, ten times a second, on a simulated clock.
func show(t *testing.T, out io.Writer) {
	t.Setenv("TERM", "xterm")
	synctest.Test(t, func(*testing.T) {
		line := Line{W: out}
		for tenth := range 1000 {
			line.Show(float64(tenth)/1000, false, func() string { return "a job" })
			time.Sleep(time.Second / 10)
		}
		line.Clear()
	})
}

func TestLinesInALog(t *testing.T) {
	var out bytes.Buffer
	show(t, &out)
	assert.Equal(t, []string{" 15% a job", " 30% a job", " 45% a job", " 60% a job", " 75% a job", " 90% a job", ""},
		strings.Split(out.String(), "\n"))
}

func TestLineOnATerminal(t *testing.T) {
	var out terminal
	show(t, &out)
	draws := strings.Split(out.String(), "\r\x1b[K")
	require.Len(t, draws, 502, "every 0.2 s and to clear the line")
	assert.Empty(t, draws[0])
	assert.Equal(t, "[                ]   0% a job", draws[1])
	assert.Equal(t, "[========        ]  50% a job", draws[251])
	assert.Empty(t, draws[501], "the line is cleared at the end")
	assert.NotContains(t, strings.Join(draws, ""), "\n")
}

// TestTheLastLineIsShown, however soon, and ends the line on a terminal. A notebook gets the lines without a writer.
func TestTheLastLineIsShown(t *testing.T) {
	t.Setenv("TERM", "xterm")
	var out terminal
	var shown []string
	(&Line{}).Show(1, true, func() string { return "outside a notebook" })
	Notebook = func(line string, ended bool) { shown = append(shown, fmt.Sprint(line, " ", ended)) }
	t.Cleanup(func() { Notebook = nil })
	synctest.Test(t, func(*testing.T) { // no time passes
		for _, line := range []Line{{W: &out}, {}} {
			for _, fraction := range []float64{0, 0.5, 1} {
				line.Show(fraction, fraction == 1, func() string { return "a job" })
			}
		}
	})
	first, last := "[                ]   0% a job", "[================] 100% a job"
	assert.Equal(t, []string{first + " false", last + " true"}, shown)
	assert.Equal(t, "\r\x1b[K"+first+"\r\x1b[K"+last+"\n", out.String())
}

func TestAFileIsNoTerminal(t *testing.T) {
	t.Setenv("TERM", "dumb")
	assert.False(t, isTerminal(&terminal{}))
	t.Setenv("TERM", "xterm")
	assert.True(t, isTerminal(&terminal{}))
	assert.False(t, isTerminal(&bytes.Buffer{}))
	file, err := os.Create(t.TempDir() + "/log")
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, isTerminal(file))
}

func TestLeft(t *testing.T) {
	for seconds, want := range map[float64]string{
		0.1: "1s", 97: "1m37s", 3599.5: "1h00m", 5820: "1h37m", 35_999: "10 h", 43_000: "12 h", 171_000: "48 h",
		172_800: "2 days", 42_432_822: "491 days", 1e300: "1000000 days", math.Inf(1): "1000000 days",
	} {
		assert.Equal(t, want, Left(seconds))
	}
}

func TestNumbered(t *testing.T) {
	assert.Equal(t, "value 2 is", Are("value", []int{1}))
	assert.Equal(t, "values 2, 4 are", Are("value", []int{1, 3}))
}
