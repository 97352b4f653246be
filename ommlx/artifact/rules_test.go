package artifact_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
)

// TestLibraryDoesNotImportArtifact checks every package outside ommlx/artifact and ommlx/cmd, with its tests.
func TestLibraryDoesNotImportArtifact(t *testing.T) {
	artifact := fsx.Module + "/ommlx/artifact"
	const format = `{{.ImportPath}} {{.Imports}} {{.TestImports}} {{.XTestImports}}`
	list := exec.Command("go", "list", "-f", format, fsx.Module+"/ommlx/...")
	out, err := list.Output()
	require.NoError(t, err)
	for line := range strings.Lines(string(out)) {
		name, imports, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(name, artifact) && !strings.Contains(name, "/cmd/") {
			require.NotContains(t, imports, artifact, name)
		}
	}
}
