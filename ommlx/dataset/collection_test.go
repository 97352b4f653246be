package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/testkit"
)

// sample is a collection whose content the tests know.
func sample() (Collection, map[string]string) {
	content := map[string]string{"one.txt": "X X\n", "two.txt": "X X\nX  \n"}
	c := Collection{Kind: "sample"}
	for _, name := range []string{"one.txt", "two.txt"} {
		c.Files = append(c.Files, File{Name: name, SHA256: sum([]byte(content[name]))})
	}
	return c, content
}

func sum(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

func put(t *testing.T, dir, name, content string) {
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
}

func TestReadAndStatus(t *testing.T) {
	data, cache := isolate(t)
	c, content := sample()
	first, second := filepath.Join(data, "sample"), filepath.Join(cache, "operator-omm", "sample")

	_, _, err := c.Read("one.txt")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "`omm data get sample`")
	status := testkit.Must(c.Status())
	assert.Equal(t, []FileStatus{
		{Name: "one.txt", State: Missing, Path: filepath.Join(first, "one.txt")},
		{Name: "two.txt", State: Missing, Path: filepath.Join(first, "two.txt")},
	}, status)

	put(t, second, "one.txt", content["one.txt"])
	got, path := testkit.Must2(c.Read("one.txt"))
	assert.Equal(t, content["one.txt"], string(got))
	assert.Equal(t, filepath.Join(second, "one.txt"), path)

	put(t, first, "two.txt", "X X\nX X\n")
	_, _, err = c.Read("two.txt")
	assert.ErrorContains(t, err, filepath.Join(first, "two.txt")+" is altered: SHA-256 is ")
	assert.NotErrorIs(t, err, fs.ErrNotExist)
	status = testkit.Must(c.Status())
	assert.Equal(t, Correct, status[0].State)
	assert.Equal(t, Altered, status[1].State)
	assert.Equal(t, filepath.Join(first, "two.txt"), status[1].Path)
	assert.Error(t, status[1].Err)

	put(t, first, "two.txt", string(make([]byte, maxUnsized+10)))
	_, _, err = c.Read("two.txt")
	assert.ErrorContains(t, err, "is altered")

	for _, name := range []string{"three.txt", "../one.txt"} {
		_, _, err = c.Read(name)
		assert.ErrorContains(t, err, "not one of the 2 files")
	}
	require.NoError(t, os.RemoveAll(first))
	require.NoError(t, os.WriteFile(first, nil, 0o644))
	_, _, err = c.Read("two.txt")
	assert.ErrorIs(t, err, fs.ErrNotExist, "a file in the place of the folder")
}

// The sums against the official files, where a developer or `omm data get grids` has put them.
func TestGridsMatchesTheOfficialFiles(t *testing.T) {
	status := testkit.Must(Grids().Status())
	found := 0
	for _, s := range status {
		assert.NotEqual(t, Altered, s.State, "%v", s.Err)
		if s.State == Correct {
			found++
		}
	}
	if found == 0 {
		t.Skip("no official layout is on this machine; `omm data get grids` downloads them")
	}
}

// isolate points the data and cache folders at empty ones and leaves the checkout; it returns both folders.
func isolate(t *testing.T) (data, cache string) {
	data, home := t.TempDir(), t.TempDir()
	t.Setenv(DataVariable, data)
	t.Setenv(fsx.CacheVariable, "")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	t.Setenv("LocalAppData", filepath.Join(home, "cache"))
	t.Chdir(t.TempDir())
	cache = testkit.Must(os.UserCacheDir())
	return data, cache
}

func TestDir(t *testing.T) {
	data, cache := isolate(t)
	dir := testkit.Must(Dir("grids"))
	assert.Equal(t, filepath.Join(data, "grids"), dir)

	t.Setenv(DataVariable, "")
	dir = testkit.Must(Dir("grids"))
	assert.Equal(t, filepath.Join(cache, "operator-omm", "grids"), dir)

	for _, kind := range []string{"", ".", "..", "a/b", "a/", "../a", "/", "a\n", "a\x00", "a\xff"} {
		_, err := Dir(kind)
		assert.ErrorContains(t, err, "not a plain folder name", "kind %q", kind)
	}
}

// The variable that moves the cache moves the data, unless the data has a variable of its own.
func TestDirFollowsTheCache(t *testing.T) {
	data, _ := isolate(t)
	moved := t.TempDir()
	t.Setenv(fsx.CacheVariable, moved)
	path := testkit.Must(SearchPath("grids"))
	assert.Equal(t, []string{filepath.Join(data, "grids"), filepath.Join(moved, "grids")}, path)

	t.Setenv(DataVariable, "")
	path = testkit.Must(SearchPath("grids"))
	assert.Equal(t, []string{filepath.Join(moved, "grids")}, path)

	for _, variable := range []string{fsx.CacheVariable, DataVariable} {
		t.Setenv(variable, "relative")
		_, err := SearchPath("grids")
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
		path := testkit.Must(SearchPath("grids"))
		assert.Equal(t, c.want, path)
	}

	t.Setenv(DataVariable, "")
	path := testkit.Must(SearchPath("grids"))
	assert.Equal(t, base[1], path[0])
	assert.Len(t, path, 2, "the cache folder is listed once")
}
