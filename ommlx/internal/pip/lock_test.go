package pip_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/testkit"
)

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
