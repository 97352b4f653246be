package notebook

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// Limits that keep notebooks readable.
const (
	mostSetup  = 10 // lines of the first cell of code
	mostLines  = 25 // lines of another cell of code
	mostFolded = 40 // lines of a cell of code in an appendix
)

// link matches a Markdown link to another file of the project, symbol a name in its code.
var (
	link   = regexp.MustCompile(`\]\(([\w.][^):]*)\)`)
	symbol = regexp.MustCompile("`go doc ([^`]+)`")
)

// Each notebook is short, with short cells that follow a sentence. It folds its first cell, gives the running times of
// folded parts, and links the paper, the code and the next notebook. All first cells find the checkout in the same way.
func TestNotebookForm(t *testing.T) {
	all, folder := notebooks(t, "tables", "figures/README.md", "figures/*.png", "ommlx")
	names := slices.Sorted(maps.Keys(all))
	commands := map[string]bool{}
	for i, name := range names {
		setup, appendix := true, false
		var linked []string
		for n, c := range all[name] {
			text := c.source()
			assert.Nil(t, c.Metadata.Execution, "%s: cell %d has execution times", name, n+1)
			if c.Metadata.Folded {
				appendix = true
				assert.Contains(t, text, " to run", "%s: give the running time in the title of a folded part", name)
			}
			if n == 0 {
				assert.Contains(t, text, "](https://arxiv.org/html/2510.21952v1#", "%s: link the paper", name)
				symbols := symbol.FindAllStringSubmatch(text, -1)
				assert.NotEmpty(t, symbols, "%s: name the code", name)
				for _, s := range symbols {
					assert.NoError(t, exec.Command("go", "doc", s[1]).Run(), "%s: %s", name, s[0])
				}
			}
			if c.Type != "code" {
				for _, found := range link.FindAllStringSubmatch(text, -1) {
					linked = append(linked, found[1])
					file, _, _ := strings.Cut(found[1], "#")
					_, err := os.Stat(filepath.Join(folder, file))
					assert.NoError(t, err, "broken link in %s", name)
				}
				continue
			}
			lines := strings.Count(text, "\n") + 1
			if setup {
				command, _, _ := strings.Cut(text, "\n")
				commands[command] = true
				assert.Contains(t, command, "go mod edit", name)
				assert.LessOrEqual(t, lines, mostSetup, "%s: move imports used by one cell into that cell", name)
				assert.True(t, c.Metadata.Jupyter.Hidden, "%s: fold the first cell of code", name)
			}
			most := mostLines
			if appendix {
				most = mostFolded
			}
			assert.LessOrEqual(t, lines, most, "%s: split cell %d", name, n+1)
			assert.NotEqual(t, "code", all[name][n-1].Type, "%s: begin cell %d with a sentence in a cell of text", name,
				n+1)
			setup = false
		}
		if i+1 < len(names) {
			assert.Contains(t, linked, names[i+1], "%s: link the next notebook", name)
		}
	}
	assert.Len(t, commands, 1)
}

// notebooks/README.md lists every notebook with a small picture, and nothing else.
func TestIndexListsEveryNotebook(t *testing.T) {
	all, folder := notebooks(t)
	text := string(testkit.Must(os.ReadFile(filepath.Join(folder, "README.md"))))
	for name := range all {
		assert.Contains(t, text, "]("+name+") |", "make a row")
	}
	pictures := regexp.MustCompile(`!\[[^\]]+\]\((thumbnails/\d\d\.png)\)\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1)
	require.Len(t, pictures, len(all))
	for _, found := range pictures {
		assert.Equal(t, strings.TrimSuffix(filepath.Base(found[1]), ".png"), found[2][:2])
		picture := testkit.Must(os.Stat(filepath.Join(folder, found[1])))
		assert.LessOrEqual(t, picture.Size(), int64(30_000), "run `make -f .ci/Makefile thumbnails`")
	}
}
