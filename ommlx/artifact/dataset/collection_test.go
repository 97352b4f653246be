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

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
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
	first, second := filepath.Join(data, "sample"), filepath.Join(cache, "omm-go", "sample")

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

// TestSearchPath: the variable that moves the cache moves the data, unless the data has a variable of its own; what is
// shared is looked for beside a checkout of this project alone; no folder is listed twice; downloads go into the first.
func TestSearchPath(t *testing.T) {
	data, cache := isolate(t)
	moved, root := t.TempDir(), filepath.Join(t.TempDir(), "checkout")
	inside := filepath.Join(root, "deep", "down")
	require.NoError(t, os.MkdirAll(inside, 0o755))
	t.Chdir(inside)
	own, home := filepath.Join(data, "grids"), filepath.Join(cache, "omm-go", "grids")
	elsewhere, shared := filepath.Join(moved, "grids"), filepath.Join(filepath.Dir(root), "shared", "grids")
	const others = "somebody-elses"
	for _, c := range []struct {
		data, cache, module string
		want                []string
	}{
		{data, "", others, []string{own, home}}, {data, "", fsx.Module, []string{own, home, shared}},
		{"", "", others, []string{home}}, {"", "", fsx.Module, []string{home, shared}},
		{data, moved, others, []string{own, elsewhere}}, {"", moved, others, []string{elsewhere}},
	} {
		t.Setenv(DataVariable, c.data)
		t.Setenv(fsx.CacheVariable, c.cache)
		put(t, root, "go.mod", "module "+c.module+"\n\ngo 1.26\n")
		assert.Equal(t, c.want, testkit.Must(SearchPath("grids")), c)
		assert.Equal(t, c.want[0], testkit.Must(Dir("grids")), c)
	}
	for _, variable := range []string{fsx.CacheVariable, DataVariable} {
		t.Setenv(variable, "relative")
		_, err := SearchPath("grids")
		assert.ErrorContains(t, err, variable+` is "relative", a relative path`)
	}
	for _, kind := range []string{"", ".", "..", "a/b", "a/", "../a", "/", "a\n", "a\x00", "a\xff"} {
		_, err := Dir(kind)
		assert.ErrorContains(t, err, "not a plain folder name", "kind %q", kind)
	}
}
