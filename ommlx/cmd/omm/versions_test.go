package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/testkit"
)

// TestTheListOfTheImageIsUpToDate compares docker/VERSIONS.md with the pins of this program and the files that make the
// image. Where it fails, `make versions` writes the list.
func TestTheListOfTheImageIsUpToDate(t *testing.T) {
	root := testkit.Must(fsx.Checkout())
	want := testkit.Must(versions(root))
	got := testkit.Must(os.ReadFile(filepath.Join(root, filepath.FromSlash(versionsFile))))
	assert.Equal(t, want, string(got), "run `make versions`")
}

// TestADisagreementIsTold changes one pin after the other in a copy of the files.
func TestADisagreementIsTold(t *testing.T) {
	root := testkit.Must(fsx.Checkout())
	list := testkit.Must(versions(root))
	for _, change := range []struct{ file, from, to, says string }{
		{"go.mod", "go 1.26.5", "go 1.26.9", "install.sh pins go1.26.8, and go.mod needs go1.26.9"},
		{"go.mod", "go 1.26.5", "go 1.25.1", "install.sh pins go1.26.8, and go.mod needs go1.25.1"},
		{"docker/install.sh", "GO_VERSION=1.26.8", "GO_VERSION=1.26.7", ""},
		{"docker/install.sh", "GO_SHA256=d", "GO_SHA256=e", ""},
		{"docker/install.sh", "GO_SIZE=", "SIZE=", "docker/install.sh has 0 lines like"},
		{"docker/Dockerfile", "@sha256:8", "@sha256:9", ""},
		{"docker/Dockerfile", "slim@sha256:", "slim #", "docker/Dockerfile has 0 lines like"},
		{"docker/Dockerfile", "FROM tools", "FROM debian:trixie", "docker/Dockerfile has 2 lines like"},
		{"docker/apt.txt", "4.3-* ", "4.4-* ", ""},
		{"docker/apt.txt", "PSF-2.0", "", "docker/apt.txt: \"python3 "},
	} {
		copied := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(copied, "docker"), 0o755))
		for _, name := range []string{"go.mod", "docker/Dockerfile", "docker/install.sh", "docker/apt.txt"} {
			text := testkit.Must(os.ReadFile(filepath.Join(root, filepath.FromSlash(name))))
			if name == change.file {
				require.Contains(t, string(text), change.from)
				text = []byte(strings.Replace(string(text), change.from, change.to, 1))
			}
			require.NoError(t, os.WriteFile(filepath.Join(copied, filepath.FromSlash(name)), text, 0o644))
		}
		text, err := versions(copied)
		if change.says != "" {
			assert.ErrorContains(t, err, change.says, change.to)
			continue
		}
		require.NoError(t, err)
		assert.NotEqual(t, list, text, change.to)
	}
}

// TestLockTakesTheWheelsThatFit asks docker/lock.py which wheels it takes up, and how it tells licences.
func TestLockTakesTheWheelsThatFit(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const program = `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "../../../docker")
import lock
for name in """a-1-py3-none-any a-1-py2.py3-none-any a-1-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64
a-1-cp38-abi3-manylinux_2_28_aarch64 a-1-cp314-cp314-macosx_11_0_arm64 a-1-py3-none-manylinux_2_27_x86_64
a-1-cp310-cp310-manylinux_2_17_x86_64 a-1-cp314-cp314t-manylinux_2_28_x86_64 a-1-pp311-pypy311_pp73-macosx_11_0_arm64
a-1-cp311-cp311-musllinux_1_2_x86_64 a-1-cp311-cp311-win_amd64 a-1-py2-none-any""".split():
    print(name.count("-") == 4 and lock.fits(name + ".whl"), end=" ")
print()
print(lock.licence({"license_expression": "MIT"}), lock.licence({"license": "BSD"}), sep="|", end="|")
print(lock.licence({"license": "UNKNOWN", "classifier": ["Topic :: X", "License :: OSI Approved :: ISC"]}), end="|")
print(lock.licence({"license": "many\nlines"}))
`
	cmd := exec.CommandContext(t.Context(), python, "-c", program)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Equal(t, "True True True True True True False False False False False False \n"+
		"MIT|BSD|ISC|in its package\n", string(out))
}
