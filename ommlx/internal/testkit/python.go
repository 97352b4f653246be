package testkit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// FakePython puts a python3 on the PATH that runs the given shell lines with pip's arguments; in them $dest is the
// folder after --target, and $lock the file after --requirement. It returns the file to which it appends one line per
// call.
func FakePython(t *testing.T, lines string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\n" +
		"for a in \"$@\"; do case \"$last\" in --target) dest=$a;; --requirement) lock=$a;; esac; last=$a; done\n" +
		lines + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}
