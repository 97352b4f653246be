package artifact_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "operator-omm/ommlx/"

// TestTheRoomsKeepApart holds which package may import which. What a list does not name may import anything.
func TestTheRoomsKeepApart(t *testing.T) {
	format := `{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`
	out, err := exec.Command("go", "list", "-f", format, "operator-omm/ommlx/...").Output()
	require.NoError(t, err)
	imports, tests := map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		name := strings.TrimPrefix(parts[0], root)
		imports[name], tests[name] = ours(parts[1]), ours(parts[2])
	}
	// Each room of the artifact may import these others. Rooms of experiments may not import each other.
	experiment := []string{"artifact/lab", "artifact/report", "artifact/draw", "artifact/ledger"}
	rooms := map[string][]string{
		"artifact/lab":    {},
		"artifact/draw":   {},
		"artifact/report": {"artifact/lab", "artifact/draw"},
		"artifact/ledger": {"artifact/lab", "artifact/report"},
		"artifact/page":   {"artifact/ledger", "artifact/readme", "artifact/report"},
	}
	// These may import rooms of experiments.
	apart := map[string]bool{"artifact": true, "cmd/omm": true, "notebook": true, "bench": true}
	for name, list := range imports {
		allowed, isRoom := rooms[name]
		if !isRoom && strings.HasPrefix(name, "artifact/") {
			allowed, isRoom = experiment, true
		}
		for _, other := range list {
			switch {
			case !strings.HasPrefix(other, "artifact"):
				continue
			case isRoom:
				require.Contains(t, allowed, other, "%s imports %s", name, other)
			default:
				require.True(t, apart[name], "%s, of the library, imports %s", name, other)
			}
		}
	}
	for name, list := range tests {
		for _, other := range list {
			if strings.HasPrefix(other, "artifact") {
				require.True(t, apart[name] || strings.HasPrefix(name, "artifact/"),
					"a test of %s, of the library, imports %s", name, other)
			}
		}
	}
	for _, name := range []string{"artifact/lab", "artifact/draw"} {
		require.NotContains(t, imports[name], "claims")
	}
	for name, list := range imports {
		if name == "artifact" || name == "cmd/omm" {
			continue
		}
		require.NotContains(t, list, "artifact", "the list of all experiments is for the command line: %s", name)
	}
}

// ours leaves the packages of this module, without its name.
func ours(list string) (names []string) {
	for _, name := range strings.Fields(list) {
		if rest, ok := strings.CutPrefix(name, root); ok {
			names = append(names, rest)
		}
	}
	return names
}
