package fsx

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	for _, value := range []string{dir, filepath.Join(dir, "new")} {
		t.Setenv(CacheVariable, value)
		got, err := Cache()
		require.NoError(t, err)
		assert.Equal(t, value, got)
	}
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, value := range []string{"here", file} {
		t.Setenv(CacheVariable, value)
		_, err := Cache()
		assert.ErrorContains(t, err, CacheVariable)
	}

	t.Setenv(CacheVariable, "")
	user, err := os.UserCacheDir()
	require.NoError(t, err)
	got, err := Cache()
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(user, "omm-go"), got)
}
