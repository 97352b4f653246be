package pip_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/testkit"
)

func TestParseLock(t *testing.T) {
	one, two := strings.Repeat("1", 64), strings.Repeat("2", 64)
	text := "# Written by docker/lock.py, which was asked for:\n#   a==1\n\n" +
		"# MIT; 12 bytes\na==1 \\\n    --hash=sha256:" + one +
		" \\\n    --hash=sha256:" + two + "\n\n# BSD; 3 bytes\nb-c==2.0.post1 \\\n    --hash=sha256:" + two + "\n"
	packages := testkit.Must(pip.ParseLock(text))
	assert.Equal(t, []pip.Locked{
		{Project: "a", Version: "1", Licence: "MIT", Size: 12, SHA256: []string{one, two}},
		{Project: "b-c", Version: "2.0.post1", Licence: "BSD", Size: 3, SHA256: []string{two}},
	}, packages)
	for _, wrong := range []string{
		"a==1 --hash=sha256:" + one, "# MIT; 1 bytes\na>=1", "# MIT; 1 bytes\na==1",
		"# MIT; 1 bytes\na==1 --hash=md5:1",
		"# MIT; 99999999999999999999 bytes\na==1 --hash=sha256:" + one,
	} {
		_, err := pip.ParseLock(wrong)
		assert.ErrorContains(t, err, "a", wrong)
	}
}

func TestInstallLockedAsksForHashes(t *testing.T) {
	calls := testkit.FakePython(t, `while [ "$1" != --requirement ]; do shift; done; cp "$2" "$(dirname "$0")/lock"`)
	require.NoError(t, pip.InstallLocked(t.Context(), "python3", "a==1", "--target", "x"))
	said := testkit.Must(os.ReadFile(calls))
	assert.Contains(t, string(said), "install --require-hashes --only-binary=:all: --requirement ")
	assert.Contains(t, string(said), " --target x\n")
	lock := testkit.Must(os.ReadFile(filepath.Join(filepath.Dir(calls), "lock")))
	assert.Equal(t, "a==1", string(lock))
}

// A package with another content is no reason to go on without it.
func TestInstallLockedRefusesOtherContent(t *testing.T) {
	testkit.FakePython(t, `echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES OF THE FILE." >&2; exit 1`)
	err := pip.InstallLocked(t.Context(), "python3", "a==1")
	require.ErrorContains(t, err, "other content")
	_, unavailable := errors.AsType[pip.Unavailable](err)
	assert.False(t, unavailable)
	testkit.FakePython(t, `echo "ERROR: No matching distribution found" >&2; exit 1`)
	_, unavailable = errors.AsType[pip.Unavailable](pip.InstallLocked(t.Context(), "python3", "a==1"))
	assert.True(t, unavailable)
}
