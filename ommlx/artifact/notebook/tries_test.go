package notebook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func triesOf(t *testing.T, notebook []byte) (cells []string) {
	tries := testkit.Must(Tries(notebook))
	var read struct{ Cells []struct{ Source string } }
	require.NoError(t, json.Unmarshal(tries, &read))
	for _, c := range read.Cells {
		cells = append(cells, c.Source)
	}
	return cells
}

func TestTriesKeepsOtherDeclarations(t *testing.T) {
	read := []byte(`{"cells": [
		{"cell_type": "code", "source": ["!setup\n", "import \"a\""]},
		{"cell_type": "code", "source": ["const n = 1"]},
		{"cell_type": "code", "source": ["func f() {}\n", "%%\n", "f(n)"]},
		{"cell_type": "code", "source": ["%%\n", "g(2)"]},
		{"cell_type": "markdown", "source": ["- ` + "`n = 1` → `n = 5`, and `g(2)` → `g(3)`" + `"]}]}`)
	require.Equal(t, []string{"!setup\nimport \"a\"", "const n = 5", "func f() {}\n%%\nf(n)", "const n = 1",
		"func f() {}\n", "%%\ng(3)"}, triesOf(t, read))
	const dot = `. \"github.com/gomlx/gomlx/core/graph\"`
	require.Contains(t, triesOf(t, []byte(strings.Replace(string(read), `\"a\"`, dot, 1)))[0], "var _ *Node")
	_, err := Tries([]byte(strings.Replace(string(read), "n = 1`", "n = 3`", 1)))
	require.ErrorContains(t, err, "n = 3")
}

// TestSuggestionsCompile makes each change that a notebook suggests. Every notebook has suggestions, one in each line of
// its section Try.
func TestSuggestionsCompile(t *testing.T) {
	all, folder := notebooks(t)
	changed := map[string][]string{}
	for name, cells := range all {
		for _, c := range cells {
			text := strings.Join(c.Source, "")
			if _, try, found := strings.Cut(text, "## Try\n\n"); found {
				list, _, _ := strings.Cut(try, "\n\n")
				for line := range strings.Lines(list) {
					assert.Regexp(t, "^- .*"+suggestion.String(), line, name)
				}
				changed[name] = triesOf(t, testkit.Must(os.ReadFile(filepath.Join(folder, name))))
			}
		}
		assert.NotEmpty(t, changed[name], name)
	}
	compile(t, changed)
}
