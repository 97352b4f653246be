package testkit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// AskPython runs a Python program with a JSON request on standard input and reads a JSON reply from standard output. It
// skips the test if $OMM_PYTHON, or python3, cannot import the modules.
func AskPython(t *testing.T, modules, program string, request, reply any) {
	t.Helper()
	python := cmp.Or(os.Getenv("OMM_PYTHON"), "python3")
	if err := exec.Command(python, "-c", "import "+modules).Run(); err != nil {
		t.Skipf("%s cannot import %s; run `make -f .ci/Makefile parity` or set OMM_PYTHON", python, modules)
	}
	text, err := json.Marshal(request)
	require.NoError(t, err)
	var answer, complaint bytes.Buffer
	command := exec.Command(python, "-c", program)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(text), &answer, &complaint
	require.NoError(t, command.Run(), "%s", &complaint)
	require.NoError(t, json.Unmarshal(answer.Bytes(), reply))
}
