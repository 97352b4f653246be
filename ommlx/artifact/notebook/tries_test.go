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
	require.Contains(t, triesOf(t, []byte(strings.Replace(string(read), `\"a\"`, dot, 1)))[0], "var _ *Node",
		"an import used only below the separator")
	_, err := Tries([]byte(strings.Replace(string(read), "n = 1`", "n = 3`", 1)))
	require.ErrorContains(t, err, "n = 3")
	_, err = Tries([]byte("?"))
	require.ErrorContains(t, err, "not a notebook")
}

// TestSuggestionsCompile makes each change that a notebook suggests; `make tries` in .ci/Makefile runs it. Every
// notebook has at least one suggestion, each in a line of its section Try, and each line of that section has one.
func TestSuggestionsCompile(t *testing.T) {
	all, folder := notebooks(t)
	changed := map[string][]string{}
	for _, name := range fileNames(all) {
		for _, c := range all[name] {
			text := strings.Join(c.Source, "")
			assert.False(t, strings.Contains(text, "**Try"), "%s: suggestions have a section", name)
			if _, try, found := strings.Cut(text, "## Try\n\n"); found {
				list, _, _ := strings.Cut(try, "\n\n")
				for line := range strings.Lines(list) {
					assert.Regexp(t, "^- .*"+suggestion.String(), line, "%s: no suggested change", name)
				}
				text := testkit.Must(os.ReadFile(filepath.Join(folder, name)))
				changed[name] = triesOf(t, text)
			}
		}
		assert.NotEmpty(t, changed[name], "%s: no suggestions", name)
	}
	compile(t, changed)
}
