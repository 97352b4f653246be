package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
)

// TestWhatIsPinnedIsNotBuiltAgain: the program is goimports, of two modules, built here and then with another pin.
func TestWhatIsPinnedIsNotBuiltAgain(t *testing.T) {
	root, err := fsx.Checkout()
	require.NoError(t, err)
	file, path := filepath.Join(t.TempDir(), "goimports"), kernelPackages["goimports"]
	assert.False(t, isPinned(t.Context(), root, file, path), "nothing is there")
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755))
	assert.False(t, isPinned(t.Context(), root, file, path), "no program of Go")
	require.NoError(t, os.Remove(file))
	require.NoError(t, command(t.Context(), root, nil, "go", "build", "-o", file, path))
	assert.True(t, isPinned(t.Context(), root, file, path))
	assert.False(t, isPinned(t.Context(), root, file, kernelPackages["gonb"]), "another program")

	other := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		text = bytes.Replace(text, []byte("golang.org/x/mod v0.42.0 //"), []byte("golang.org/x/mod v0.41.0 //"), 1)
		require.NoError(t, os.WriteFile(filepath.Join(other, name), text, 0o644))
	}
	assert.False(t, isPinned(t.Context(), other, file, path), "another version of a module")
	assert.Equal(t, "go1.26.8", release("go1.26.8 X:simd"))
	assert.Equal(t, "go1.26.8", release("go1.26.8-X:simd\n"))
}
