package testkit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// FakePython puts a python3 on the PATH that runs the given shell lines with pip's arguments; in them $dest is the
// folder after --target, and $lock a file with its standard input. It returns the file to which it appends one line per
// call.
func FakePython(t *testing.T, lines string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\nlock='" + dir + "'/lock.$$; cat >\"$lock\"\n" +
		"for a in \"$@\"; do [ \"$last\" = --target ] && dest=$a; last=$a; done\n" + lines + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}

// AskTorch runs a Python program, given as its text, with a request as JSON on its standard input and reads the reply,
// JSON too, from its standard output, for comparisons with an independent program. It skips the test where there is no
// Python, or none with PyTorch and torchvision: $OMM_PYTHON names one that has them.
func AskTorch(t *testing.T, program string, request, reply any) {
	t.Helper()
	python := cmp.Or(os.Getenv("OMM_PYTHON"), "python3")
	if err := exec.Command(python, "-c", "import torch, torchvision").Run(); err != nil {
		t.Skipf("PyTorch and torchvision cannot be imported by %q (%v): run `make parity`, or set OMM_PYTHON to a "+
			"Python that has them", python, err)
	}
	text, err := json.Marshal(request)
	require.NoError(t, err)
	var answer, complaint bytes.Buffer
	command := exec.Command(python, "-c", program)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(text), &answer, &complaint
	require.NoError(t, command.Run(), "%s", &complaint)
	require.NoError(t, json.Unmarshal(answer.Bytes(), reply))
}
