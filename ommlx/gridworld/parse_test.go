package gridworld

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn turns a layout drawn with # for walls into the file format.
func drawn(layout string) string { return strings.ReplaceAll(layout, "#", "X") }

func TestParseRefusesBadLayouts(t *testing.T) {
	for _, c := range []struct{ layout, want string }{
		{"", "my.txt:1: the layout is empty"},
		{"\n", "my.txt:1: up to this last row there is no state"},
		{"###\n###\n", "my.txt:2: up to this last row there is no state"},
		{"###\n# #\n##\n", "my.txt:3: this row has 2 cells but the first has 3; make all rows equally long"},
		{"###\n# #\n\n###\n", "my.txt:3: this row has 0 cells"},
		{"###\n# #\n###\n\n", "my.txt:4: this row has 0 cells"},
		{"###\n#x#\n", "my.txt:2: character 'x' in column 2 is neither a wall 'X' nor a blank; replace it"},
		{"###\r\n# #\r\n", `my.txt:1: character '\r' in column 4`},
		{"#\t#\n", `my.txt:1: character '\t' in column 2`},
		{"# # #\n", "my.txt: the states fall into 2 parts that no walk connects"},
		{"# #\n # \n", "my.txt: the states fall into 3 parts"},
	} {
		_, err := Parse("my.txt", drawn(c.layout))
		assert.ErrorContains(t, err, c.want, "layout %q", c.layout)
	}
}

func TestParseAcceptsAMissingLastNewlineAndOpenBorders(t *testing.T) {
	g, err := Parse("my.txt", "X \n  ")
	require.NoError(t, err)
	assert.Equal(t, "X \n  \n", g.String())
	assert.Equal(t, 3, g.N())
}

func FuzzParse(f *testing.F) {
	for _, layout := range []string{"", "\n", "X", " ", "###\n# #\n###\n", "  \n# \n", "# #\n", "#\r\n", "#\n\n"} {
		f.Add(drawn(layout))
	}
	f.Fuzz(func(t *testing.T, layout string) {
		g, err := Parse("fuzzed", layout)
		if err != nil {
			require.ErrorContains(t, err, "fuzzed:")
			require.Nil(t, g)
			return
		}
		require.Positive(t, g.N())
		require.Equal(t, 1, g.Components())
		text := g.String()
		require.Len(t, text, g.Rows*(g.Cols+1))
		require.Contains(t, []string{layout, layout + "\n"}, text)
		again, err := Parse("fuzzed", text)
		require.NoError(t, err)
		require.Equal(t, g, again)
	})
}
