package notebook

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

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
