package pip_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/testkit"
)

// store returns a folder with one wheel.
func store(t *testing.T) (dir string, w pip.Wheel) {
	dir = t.TempDir()
	return dir, testkit.WriteWheel(t, dir, pip.Wheel{
		Project: "fake", Version: "1.0", File: "fake-1.0-py3-none-any.whl",
	}, map[string]string{"fake/data/one.txt": "one", "fake/__init__.py": ""})
}

// unused is a use of a wheel that the tests do not come to.
func unused(string) error { panic("used") }

func TestUnpackHandsOverTheNamedFiles(t *testing.T) {
	from, w := store(t)
	home := t.TempDir()
	calls := testkit.FakePython(t, "cp '"+from+"'/*.whl \"$dest\"")
	names := []string{"fake/data/one.txt"}
	require.NoError(t, w.Unpack(t.Context(), home, pip.Download, names, func(dir string) error {
		assert.Equal(t, home, filepath.Dir(dir))
		text, err := os.ReadFile(filepath.Join(dir, "one.txt"))
		assert.Equal(t, "one", string(text))
		assert.NoFileExists(t, filepath.Join(dir, "__init__.py"))
		return err
	}))
	left := testkit.Must(os.ReadDir(home))
	assert.Empty(t, left)
	said := testkit.Must(os.ReadFile(calls))
	assert.Contains(t, string(said), " fake==1.0\n")

	reason := errors.New("no more")
	err := w.Unpack(t.Context(), home, pip.Download, names, func(string) error { return reason })
	assert.ErrorIs(t, err, reason)
	assert.ErrorContains(t, w.Unpack(t.Context(), home, pip.Download, []string{"fake/two.txt"}, unused),
		"unpacking fake/two.txt from fake-1.0-py3-none-any.whl")
	require.NoError(t, os.WriteFile(filepath.Join(from, w.File), []byte("PK"), 0o644))
	assert.ErrorContains(t, w.Unpack(t.Context(), home, pip.Download, names, unused), "is truncated or altered")
}

func TestUnavailable(t *testing.T) {
	_, w := store(t)
	for says, download := range map[string]pip.Downloader{
		"did not leave fake-1.0": func(context.Context, pip.Wheel, string) error { return nil },
		"no such file":           testkit.CopyFrom(t.TempDir()),
	} {
		err := w.Unpack(t.Context(), t.TempDir(), download, nil, unused)
		_, ok := errors.AsType[pip.Unavailable](err)
		assert.True(t, ok)
		assert.ErrorContains(t, err, says)
	}
	t.Setenv("PATH", t.TempDir())
	_, ok := errors.AsType[pip.Unavailable](pip.InstallLocked(t.Context(), "python3", ""))
	assert.True(t, ok)
}

// A machine that is switched off in the middle leaves a folder, which the next installation removes.
func TestTemporaryRemovesWhatIsOld(t *testing.T) {
	home := filepath.Join(t.TempDir(), "with [brackets], and a comma")
	old, young := filepath.Join(home, "installing-1"), filepath.Join(home, "installing-2")
	require.NoError(t, errors.Join(os.MkdirAll(old, 0o755), os.MkdirAll(young, 0o755)))
	yesterday := time.Now().Add(-24 * time.Hour)
	require.NoError(t, os.Chtimes(old, yesterday, yesterday))
	dir := testkit.Must(pip.Temporary(home))
	assert.True(t, strings.HasPrefix(dir, filepath.Join(home, "installing-")))
	assert.NoDirExists(t, old)
	assert.DirExists(t, young)
}
