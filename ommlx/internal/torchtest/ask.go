// Package torchtest asks PyTorch in a test, for comparisons with an independent program.
package torchtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// noTorch is the exit code with which a script says that PyTorch, or what else it compares with, cannot be imported.
const noTorch = 3

// Ask runs a Python script with a request as JSON on its standard input and reads the reply, JSON too, from its standard
// output. It skips the test where there is no Python, or none with PyTorch: $OMM_PYTHON names one that has it.
func Ask(t *testing.T, script string, request, reply any) {
	t.Helper()
	text, err := json.Marshal(request)
	require.NoError(t, err)
	python := cmp.Or(os.Getenv("OMM_PYTHON"), "python3")
	var answer, complaint bytes.Buffer
	command := exec.Command(python, script)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(text), &answer, &complaint
	err = command.Run()
	if command.ProcessState == nil || command.ProcessState.ExitCode() == noTorch {
		t.Skipf("PyTorch cannot be imported by %q (%v): run `make parity`, or set OMM_PYTHON to a Python that has it",
			python, err)
	}
	require.NoError(t, err, "%s", &complaint)
	require.NoError(t, json.Unmarshal(answer.Bytes(), reply))
}
