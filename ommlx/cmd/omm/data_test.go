package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	} {
		code, _, stderr := omm(t, append([]string{"data"}, strings.Fields(line)...)...)
		assert.Equal(t, exitFailure, code, line)
		assert.Contains(t, stderr, word)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}
