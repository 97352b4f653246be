package testkit

import (
	"archive/zip"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
)

// WriteWheel writes the wheel w with the given files into dir, and returns w with its SHA-256.
func WriteWheel(t testing.TB, dir string, w pip.Wheel, files map[string]string) pip.Wheel {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, w.File))
	require.NoError(t, err)
	z := zip.NewWriter(f)
	for name, text := range files {
		part, err := z.Create(name)
		require.NoError(t, err)
		_, err = part.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	w.SHA256, err = fsx.SHA256(f.Name())
	require.NoError(t, err)
	return w
}

// CopyFrom downloads from a local folder.
func CopyFrom(store string) pip.Downloader {
	return func(_ context.Context, w pip.Wheel, dir string) error {
		content, err := os.ReadFile(filepath.Join(store, w.File))
		if err != nil {
			return pip.Unavailable{Cause: err}
		}
		return os.WriteFile(filepath.Join(dir, w.File), content, 0o644)
	}
}

// FakePython puts a python3 on the PATH that runs the given shell lines with pip's arguments; in them $dest is the
// folder after --dest or --target. It returns the file to which it appends one line per call.
func FakePython(t *testing.T, lines string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\n" +
		"for a in \"$@\"; do case \"$last\" in --dest|--target) dest=$a;; esac; last=$a; done\n" + lines + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}
