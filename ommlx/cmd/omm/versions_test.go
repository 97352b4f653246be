package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/versions"
)

// notKnown stands for a look-up where the list should have everything.
func notKnown(_ context.Context, _ string, modules []*versions.Component) error {
	return errors.New("docker/VERSIONS.md does not have " + modules[0].Name + " " + modules[0].Version)
}

// TestTheListOfTheImageIsUpToDate compares docker/VERSIONS.md with go.mod, the pins of this program, and the files that
// make the image. Where it fails, `make versions` writes the list.
func TestTheListOfTheImageIsUpToDate(t *testing.T) {
	root, err := fsx.Checkout()
	require.NoError(t, err)
	pins, err := pinned()
	require.NoError(t, err)
	want, err := versions.Text(t.Context(), root, pins, notKnown)
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(versions.File)))
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "run `make versions`")
}

// TestADisagreementIsTold changes one pin after the other in a copy of the files.
func TestADisagreementIsTold(t *testing.T) {
	root, err := fsx.Checkout()
	require.NoError(t, err)
	files := []string{"go.mod", "go.sum", "docker/Dockerfile", "docker/install.sh", "docker/apt.txt", versions.File}
	for _, change := range []struct{ file, from, to, says string }{
		{"go.mod", "gomlx/gomlx v0.28.2", "gomlx/gomlx v0.28.3", "no hash of github.com/gomlx/gomlx v0.28.3"},
		{"go.mod", "go 1.26.5", "go 1.26.9", "install.sh pins go1.26.8, and go.mod needs go1.26.9"},
		{"go.mod", "go 1.26.5", "go 1.25.1", "install.sh pins go1.26.8, and go.mod needs go1.25.1"},
		{"go.sum", "gomlx/gomlx v0.28.2 h1:", "gomlx/gomlx v0.28.2 h1:x", "does not have github.com/gomlx/gomlx"},
		{"docker/install.sh", "GO_VERSION=1.26.8", "GO_VERSION=1.26.7", ""},
		{"docker/install.sh", "GO_SHA256=d", "GO_SHA256=e", ""},
		{"docker/install.sh", "GO_SIZE=", "SIZE=", "docker/install.sh has 0 lines like"},
		{"docker/Dockerfile", "@sha256:8", "@sha256:9", ""},
		{"docker/Dockerfile", "slim@sha256:", "slim #", "docker/Dockerfile has 0 lines like"},
		{"docker/Dockerfile", "FROM tools", "FROM debian:trixie", "docker/Dockerfile has 2 lines like"},
		{"docker/apt.txt", "4.3-* ", "4.4-* ", ""},
		{"docker/apt.txt", "PSF-2.0", "", "docker/apt.txt: \"python3 "},
		{versions.File, "a5917cb642", "b5917cb642", ""},
	} {
		copied := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(copied, "docker"), 0o755))
		for _, name := range files {
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			require.NoError(t, err)
			if name == change.file {
				require.Contains(t, string(text), change.from)
				text = []byte(strings.Replace(string(text), change.from, change.to, 1))
			}
			require.NoError(t, os.WriteFile(filepath.Join(copied, filepath.FromSlash(name)), text, 0o644))
		}
		pins, err := pinned()
		require.NoError(t, err)
		text, err := versions.Text(t.Context(), copied, pins, notKnown)
		if change.says != "" {
			assert.ErrorContains(t, err, change.says, change.to)
			continue
		}
		require.NoError(t, err)
		list, err := os.ReadFile(filepath.Join(copied, filepath.FromSlash(versions.File)))
		require.NoError(t, err)
		assert.NotEqual(t, text, string(list), change.to)
	}
}

// TestAnotherPinOfThePluginIsTold changes what the program itself pins.
func TestAnotherPinOfThePluginIsTold(t *testing.T) {
	root, err := fsx.Checkout()
	require.NoError(t, err)
	list, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(versions.File)))
	require.NoError(t, err)
	for _, change := range []func(*versions.Pins){
		func(p *versions.Pins) { p.Plugins[0].SHA256 = "0" },
		func(p *versions.Pins) { p.NVIDIA[0].Version = "0" },
		func(p *versions.Pins) { p.Jupyter = p.Jupyter[1:] },
	} {
		pins, err := pinned()
		require.NoError(t, err)
		change(&pins)
		text, err := versions.Text(t.Context(), root, pins, notKnown)
		require.NoError(t, err)
		assert.NotEqual(t, text, string(list))
	}
}
