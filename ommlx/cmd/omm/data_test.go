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
	"operator-omm/ommlx/internal/testkit"
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
	require.NoError(t, testkit.Must(ogb.FetchGenerated(t.Context(), small)).Close())
	dir := filepath.Join(os.Getenv("OMM_DATA"), "generated-graph", "1000-4-5-3-2", "arrays")
	code, stdout, _ := omm(t, "data", "status")
	assert.Equal(t, exitOK, code)
	assert.Regexp(t, `(?m)^generated-graph/1000-4-5-3-2 +correct +`+dir+"$", stdout)
}

// TestDataThatCannotBeHad are missing afterwards, and one sentence says why.
func TestDataThatCannotBeHad(t *testing.T) {
	arrays := emptyData(t)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for line, says := range map[string]string{
		"get grids --from " + server.URL:         " answered 404 Not Found",
		"get ogbn-products --from " + server.URL: server.URL + "/products.zip answered 404 Not Found",
		"convert ogbn-products --from nowhere":   "nowhere has no raw/num-node-list.csv.gz",
		"convert mine --from nowhere --split s":  "nowhere has no raw/num-node-list.csv.gz",
	} {
		code, _, stderr := omm(t, append([]string{"data"}, strings.Fields(line)...)...)
		assert.Equal(t, exitFailure, code, line)
		assert.Contains(t, stderr, says)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
	code, stdout, _ := omm(t, "data", "status")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, stdout, "GridMaze-7.txt")
	assert.Regexp(t, `(?m)^ogbn-products +missing +`+arrays+"$", stdout)
}
