package notebook

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// TestSuggestionsCompile makes each change that a notebook suggests; `make -f .ci/Makefile tries` runs it. Every
// notebook has a section Try, and each line of that section suggests a change.
func TestSuggestionsCompile(t *testing.T) {
	all, folder := notebooks(t, ".ci/tries")
	copies := t.TempDir()
	out, err := exec.Command(filepath.Join(folder, "..", ".ci", "tries"), "--to", copies).CombinedOutput()
	require.NoError(t, err, string(out))
	changed := map[string][]string{}
	for name, cells := range all {
		suggestions := 0
		for _, c := range cells {
			_, try, _ := strings.Cut(c.source(), "## Try\n\n")
			list, _, _ := strings.Cut(try, "\n\n")
			for line := range strings.Lines(list) {
				assert.Regexp(t, "^- .*`[^`]+` → `[^`]+`", line, "%s: no suggested change", name)
				suggestions++
			}
		}
		assert.Positive(t, suggestions, "%s: no suggestions", name)
		var read struct{ Cells []struct{ Source string } }
		require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(filepath.Join(copies, name))), &read))
		for _, c := range read.Cells {
			changed[name] = append(changed[name], c.Source)
		}
	}
	compile(t, changed)
}
