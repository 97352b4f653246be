package main

import (
	"compress/gzip"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// emptyData sets an empty data folder.
func emptyData(t *testing.T) {
	t.Helper()
	t.Setenv("OMM_DATA", t.TempDir())
	t.Setenv("OMM_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
}

// TestUnavailableData: the error has one line.
func TestUnavailableData(t *testing.T) {
	emptyData(t)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for line, word := range map[string]string{
		"get cifar100 --from " + server.URL:      "404",
		"get ogbn-products --from " + server.URL: "404",
		"convert ogbn-products --from nowhere":   "nowhere",
	} {
		code, _, stderr := omm(t, append([]string{"data"}, strings.Fields(line)...)...)
		assert.Equal(t, exitFailure, code, line)
		assert.Contains(t, stderr, word)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}

// A user's graph in the benchmark's raw format is converted.
func TestUserGraphIsConverted(t *testing.T) {
	emptyData(t)
	text := t.TempDir()
	for file, content := range map[string]string{"raw/num-node-list": "4\n", "raw/edge": "0,1\n1,2\n",
		"raw/node-feat": "1,2\n3,4\n5,6\n7,8\n", "raw/node-label": "0\n1\n2\n0\n", "split/s/train": "0\n",
		"split/s/valid": "1\n", "split/s/test": "2\n3\n"} {
		path := filepath.Join(text, file+".csv.gz")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		out := testkit.Must(os.Create(path))
		packed := gzip.NewWriter(out)
		testkit.Must(packed.Write([]byte(content)))
		require.NoError(t, errors.Join(packed.Close(), out.Close()))
	}
	code, stdout, stderr := omm(t, "data", "convert", "mine", "--from", text)
	require.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, filepath.Join(os.Getenv("OMM_DATA"), "mine", "graph.gob")+": 4 nodes")
	assert.Contains(t, stdout, "3 classes")
	code, _, stderr = omm(t, "data", "convert", "ogbn-products", "--from", text)
	assert.Equal(t, exitFailure, code)
	assert.Contains(t, stderr, "want {2449029 ")
}
