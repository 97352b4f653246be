package notebook

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a reader can bear.
const (
	mostSetup = 10    // lines of the first cell of code
	mostShown = 40    // lines of a cell that is not folded
	mostWords = 2_200 // of what is before the appendix: ten minutes
)

// link is a link of Markdown to another file of the project, symbol a name of its code.
var (
	link   = regexp.MustCompile(`\]\(([\w.][^):]*)\)`)
	symbol = regexp.MustCompile("`go doc ([^`]+)`")
)

// Each notebook is short enough to be read, its long cells and its first one are folded, the titles of its folded parts
// say how long they run, it links the paper and the code, and it leads on to the next one. The first cell of each finds
// this checkout in the same way.
func TestFormOfNotebooks(t *testing.T) {
	all, folder := notebooks(t, "tables", "figures/README.md", "ommlx")
	names := fileNames(all)
	commands := map[string]bool{}
	for i, name := range names {
		words, setup, appendix := 0, true, false
		var linked []string
		for n, c := range all[name] {
			text := strings.Join(c.Source, "")
			assert.Nil(t, c.Metadata.Execution, "%s: cell %d records when it was run", name, n+1)
			if c.Metadata.Folded {
				appendix = true
				assert.Contains(t, text, " to run", "%s: the title of a folded part says how long it runs", name)
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
					assert.NoError(t, err, "%s links to it", name)
				}
				if !appendix {
					words += len(strings.Fields(text))
				}
				continue
			}
			lines := strings.Count(text, "\n") + 1
			if setup {
				command, _, _ := strings.Cut(text, "\n")
				commands[command] = true
				assert.Contains(t, command, "go mod edit", name)
				assert.LessOrEqual(t, lines, mostSetup, "%s: imports that one cell uses belong there", name)
			}
			if setup || lines > mostShown {
				assert.True(t, c.Metadata.Jupyter.Hidden, "%s: fold cell %d, of %d lines", name, n+1, lines)
			}
			setup = false
		}
		assert.LessOrEqual(t, words, mostWords, "%s: move what is not needed into an appendix", name)
		if i+1 < len(names) {
			assert.Contains(t, linked, names[i+1], "%s leads to the next one", name)
		}
	}
	assert.Len(t, commands, 1)
}
