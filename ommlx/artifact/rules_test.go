package artifact_test

import (
	"cmp"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// library are the packages that other programs import, with what those need; "." is ommlx itself.
var library = []string{".", "augment", "backend", "dataset", "dataset/ogb", "gridworld", "internal/fsx", "internal/pip",
	"internal/safetensors", "internal/say", "internal/stopwatch", "internal/tensorx", "jet", "learn", "net", "operator",
	"optim", "probe", "schrodinger", "sparse", "spectral", "train"}

// Everything else: the paper's artifact, what measures the library, and what helps its tests.
var elsewhere = regexp.MustCompile(
	`^(artifact|bench|claims|cmd|notebook|theory|internal/(graphtest|ommtest|testkit))(/|$)`)

// imports lists for every package of this module which others it imports, without and with its tests.
func imports(t *testing.T) (programs, tests map[string][]string) {
	format := `{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`
	out := testkit.Must(exec.Command("go", "list", "-f", format, fsx.Module+"/ommlx/...").Output())
	programs, tests = map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		name := ours(parts[0])[0]
		programs[name], tests[name] = ours(parts[1]), ours(parts[2])
	}
	return programs, tests
}

// ours leaves the packages of this module, without its name.
func ours(list string) (names []string) {
	for _, name := range strings.Fields(list) {
		if rest, ok := strings.CutPrefix(name, fsx.Module+"/ommlx"); ok {
			names = append(names, cmp.Or(strings.TrimPrefix(rest, "/"), "."))
		}
	}
	return names
}

// TestTheLibraryStandsAlone holds that no package of the library needs one of the artifact, and that every package is
// on one side. Their tests may need claims and helpers, and no more.
func TestTheLibraryStandsAlone(t *testing.T) {
	programs, tests := imports(t)
	helps := regexp.MustCompile(`^(claims|theory|internal/.*)$`)
	for name, list := range programs {
		inside := slices.Contains(library, name)
		require.NotEqual(t, inside, elsewhere.MatchString(name), "%s is of the library, or else of the artifact", name)
		if !inside {
			continue
		}
		for _, other := range list {
			require.Contains(t, library, other, "%s, of the library, imports %s", name, other)
		}
		for _, other := range tests[name] {
			require.True(t, slices.Contains(library, other) || helps.MatchString(other),
				"a test of %s, of the library, imports %s", name, other)
		}
	}
	for _, name := range library {
		require.Contains(t, programs, name, "the list of the library has a package that does not exist")
	}
}

// TestTheRoomsKeepApart holds which package of the artifact may import which.
func TestTheRoomsKeepApart(t *testing.T) {
	programs, _ := imports(t)
	// Each room may import these others. Rooms of experiments may not import each other.
	experiment := []string{"artifact/lab", "artifact/report", "artifact/draw", "artifact/ledger"}
	rooms := map[string][]string{
		"artifact/lab":    {},
		"artifact/draw":   {},
		"artifact/report": {"artifact/lab", "artifact/draw"},
		"artifact/ledger": {"artifact/lab", "artifact/report"},
		"artifact/page":   {"artifact/lab", "artifact/ledger", "artifact/report"},
	}
	for name, list := range programs {
		allowed, isRoom := rooms[name]
		if !isRoom && strings.HasPrefix(name, "artifact/") {
			allowed, isRoom = experiment, true
		}
		for _, other := range list {
			if isRoom && strings.HasPrefix(other, "artifact") {
				require.Contains(t, allowed, other, "%s imports %s", name, other)
			}
		}
		if name != "artifact" && name != "cmd/omm" {
			require.NotContains(t, list, "artifact", "the list of all experiments is for the command line: %s", name)
		}
	}
	for _, name := range []string{"claims", "theory"} {
		require.NotContains(t, strings.Join(programs[name], " "), "artifact", name)
	}
	for _, name := range []string{"artifact/lab", "artifact/draw"} {
		require.NotContains(t, programs[name], "claims")
	}
}
