package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestUnavailableData: the error has one line.
func TestUnavailableData(t *testing.T) {
	t.Setenv("OMM_DATA", t.TempDir())
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for _, kind := range []string{"cifar100", "ogbn-products"} {
		code, _, stderr := omm(t, "data", "get", kind, "--from", server.URL)
		assert.Equal(t, exitFailure, code, kind)
		assert.Contains(t, stderr, "404", kind)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
}
