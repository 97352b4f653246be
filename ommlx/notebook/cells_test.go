package notebook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
)

// cell is a cell of a notebook's file.
type cell struct {
	Type   string   `json:"cell_type"`
	Source []string `json:"source"`
}

// notebooks returns the cells of every notebook of the project, by file name.
func notebooks(t *testing.T) map[string][]cell {
	files, err := filepath.Glob(filepath.Join(testkit.Committed(t, "notebooks"), "notebooks", "*.ipynb"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	all := map[string][]cell{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var read struct{ Cells []cell }
		require.NoError(t, json.Unmarshal(text, &read), file)
		all[filepath.Base(file)] = read.Cells
	}
	return all
}

func TestNotebooksShareTheirFirstCell(t *testing.T) {
	var shared string
	for name, cells := range notebooks(t) {
		for _, c := range cells {
			if c.Type != "code" {
				continue
			}
			first := strings.Join(c.Source, "")
			if shared == "" {
				shared = first
			}
			assert.Equal(t, shared, first, "%s: its first cell of code is not that of the other notebooks", name)
			break
		}
	}
	assert.Contains(t, shared, "go mod edit")
}
