package fsx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThisCheckoutIsFound(t *testing.T) {
	root, err := Checkout()
	require.NoError(t, err)
	assert.FileExists(t, filepath.Join(root, "ommlx", "internal", "fsx", "place.go"))
}

// TestCheckout: the nearest go.mod of this module counts, from any depth and above another module's go.mod.
func TestCheckout(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	inside := filepath.Join(root, "other", "deep")
	require.NoError(t, os.MkdirAll(inside, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "other", "go.mod"), []byte("module another\n"), 0o644))
	t.Chdir(inside)

	_, err = Checkout()
	require.ErrorIs(t, err, ErrNoCheckout)
	require.ErrorContains(t, err, inside)

	for mod, found := range map[string]bool{
		"module " + Module + "\n\ngo 1.26\n": true,
		"module " + Module + "-fork\n":       false,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte(mod), 0o644))
		got, err := Checkout()
		assert.Equal(t, found, err == nil, mod)
		if found {
			assert.Equal(t, root, got)
		}
	}
}

func TestCache(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))

	for value, want := range map[string]string{
		dir:                       dir,
		filepath.Join(dir, "new"): filepath.Join(dir, "new"),
	} {
		t.Setenv(CacheVariable, value)
		got, err := Cache()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, value := range []string{"here", file} {
		t.Setenv(CacheVariable, value)
		_, err := Cache()
		assert.ErrorContains(t, err, CacheVariable)
	}
}

func TestCacheOfTheUser(t *testing.T) {
	home := t.TempDir()
	t.Setenv(CacheVariable, "")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	user, err := os.UserCacheDir()
	require.NoError(t, err)
	dir, err := Cache()
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(user, "omm-go"), dir)

	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	_, err = Cache()
	require.ErrorContains(t, err, CacheVariable)
}
