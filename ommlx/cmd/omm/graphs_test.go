package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/dataset/ogb"
)

// emptyData points the data folder at an empty one, and returns where ogbn-products would be.
func emptyData(t *testing.T) (arrays string) {
	t.Helper()
	t.Setenv("OMM_DATA", t.TempDir())
	t.Setenv("OMM_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	return filepath.Join(os.Getenv("OMM_DATA"), "ogbn-products", "arrays")
}

func TestAGeneratedGraphIsListed(t *testing.T) {
	emptyData(t)
	small := ogb.Generation{Nodes: 1000, Degree: 4, Classes: 5, Features: 3, Seed: 2}
	g, err := ogb.FetchGenerated(t.Context(), small, nil)
	require.NoError(t, err)
	require.NoError(t, g.Close())
	code, stdout, _ := omm(t, "data", "status")
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, `(?m)^generated-graph/1000-4-5-3-2 +correct +`+g.Dir+"$", stdout)
}

// TestProductsThatCannotBeHad: each way to fail is one sentence that says what to do.
func TestProductsThatCannotBeHad(t *testing.T) {
	arrays := emptyData(t)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write([]byte("<html>Log in</html>"))
		assert.NoError(t, err)
	}))
	defer page.Close()
	small := t.TempDir()
	require.NoError(t, ogb.Generation{Nodes: 1_000, Degree: 1, Features: 1}.Generate(t.Context(), small, nil))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"get", "ogbn-products", "--from", server.URL}, server.URL + "/products.zip answered 404 Not Found"},
		{[]string{"get", "ogbn-products", "--from", page.URL}, "products.zip is damaged or another file"},
		{[]string{"convert", "ogbn-products", "--from", t.TempDir()}, "has no raw/num-node-list.csv.gz"},
		{[]string{"convert", "ogbn-products", "--from", "nowhere"}, "nowhere has no raw/num-node-list.csv.gz"},
		{[]string{"convert", "ogbn-products", "--from", small},
			"it has 1000 nodes, 500 edges, 1 features and 47 classes, expected 2449029 nodes"},
	} {
		code, _, stderr := omm(t, append([]string{"data"}, c.args...)...)
		assert.Equal(t, exitFailure, code, c.args)
		assert.Contains(t, stderr, c.says)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
	code, stdout, _ := omm(t, "data", "status")
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, `(?m)^ogbn-products +missing +`+arrays+"$", stdout)
}
