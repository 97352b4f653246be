package dataset

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
)

// isolate points the data and cache folders at empty ones and leaves the checkout; it returns both folders.
func isolate(t *testing.T) (data, cache string) {
	data, home := t.TempDir(), t.TempDir()
	t.Setenv(DataVariable, data)
	t.Setenv(fsx.CacheVariable, "")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	t.Setenv("LocalAppData", filepath.Join(home, "cache"))
	t.Chdir(t.TempDir())
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	return data, cache
}

func TestDir(t *testing.T) {
	data, cache := isolate(t)
	dir, err := Dir("grids")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(data, "grids"), dir)

	t.Setenv(DataVariable, "")
	dir, err = Dir("grids")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(cache, "operator-omm", "grids"), dir)

	for _, kind := range []string{"", ".", "..", "a/b", "a/", "../a", "/", "a\n", "a\x00", "a\xff"} {
		_, err = Dir(kind)
		assert.ErrorContains(t, err, "not a plain folder name", "kind %q", kind)
	}
}

// The variable that moves the cache moves the data, unless the data has a variable of its own.
func TestDirFollowsTheCache(t *testing.T) {
	data, _ := isolate(t)
	moved := t.TempDir()
	t.Setenv(fsx.CacheVariable, moved)
	path, err := SearchPath("grids")
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(data, "grids"), filepath.Join(moved, "grids")}, path)

	t.Setenv(DataVariable, "")
	path, err = SearchPath("grids")
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(moved, "grids")}, path)

	for _, variable := range []string{fsx.CacheVariable, DataVariable} {
		t.Setenv(variable, "relative")
		_, err = SearchPath("grids")
		assert.ErrorContains(t, err, variable+` is "relative", a relative path`)
	}
}

func TestSearchPathIncludesSharedOnlyInsideThisProject(t *testing.T) {
	data, cache := isolate(t)
	base := []string{filepath.Join(data, "grids"), filepath.Join(cache, "operator-omm", "grids")}

	root := filepath.Join(t.TempDir(), "checkout")
	inside := filepath.Join(root, "deep", "down")
	require.NoError(t, os.MkdirAll(inside, 0o755))
	t.Chdir(inside)
	for _, c := range []struct {
		mod  string
		want []string
	}{
		{"module somebody-elses\n", base},
		{"module " + fsx.Module + "\n\ngo 1.26\n", append(base, filepath.Join(filepath.Dir(root), "shared", "grids"))},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte(c.mod), 0o644))
		path, err := SearchPath("grids")
		require.NoError(t, err)
		assert.Equal(t, c.want, path)
	}

	t.Setenv(DataVariable, "")
	path, err := SearchPath("grids")
	require.NoError(t, err)
	assert.Equal(t, base[1], path[0])
	assert.Len(t, path, 2, "the cache folder is listed once")
}
