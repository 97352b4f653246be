package bench

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzAnswer: whatever a script prints is a time that can be reported, or one sentence.
func FuzzAnswer(f *testing.F) {
	for _, text := range []string{
		`{"wall": 0.31, "cpu": 0.62, "version": "2.15.0+cpu"}` + "\n",
		`{"error": "No module named jax"}` + "\n", `{"error": 7}` + "\n",
		"null\n", "{}\n", "[]\n", "nonsense\n", "\n", "", `{"wall": 1}`, `{"wall": 1e999}` + "\n",
		`{"wall": 1e300, "cpu": 1}` + "\n",
		`{"wall": -1, "cpu": 1}` + "\n", `{"WALL": 1, "Cpu": 2, "version": null}` + "\nand more\n",
		strings.Repeat("[", 20_000) + "\n",
	} {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, steps int) {
		steps = max(1, steps)
		line, err := readAnswer(bufio.NewReaderSize(strings.NewReader(text), 16))
		require.True(t, strings.HasPrefix(text, string(line)))
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			require.NotContains(t, text, "\n")
			return
		}
		require.Equal(t, 1, strings.Count(string(line), "\n"))
		var answer timing
		if err = parseAnswer(line, &answer); err == nil {
			var l lap
			if l, err = answer.perStep(steps); err == nil {
				require.Positive(t, l.wall)
				require.True(t, l.cpu >= 0)
				return
			}
		}
		require.True(t, errors.Is(err, errNotInstalled) || strings.HasPrefix(err.Error(), "answered "), "%v", err)
		require.NotContains(t, err.Error(), "\n")
		require.Less(t, len(err.Error()), 1000)
	})
}

// endless is a script that prints and never ends its line.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestAnAnswerWithoutEndIsRefused(t *testing.T) {
	_, err := readAnswer(bufio.NewReaderSize(endless{}, 1<<20))
	assert.ErrorContains(t, err, "an answer of more than 67108864 bytes")
}
