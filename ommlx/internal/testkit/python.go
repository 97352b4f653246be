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

// AskTorch runs a Python program, given as text, with a JSON request on its standard input and reads a JSON reply from
// its standard output, for comparisons with an independent program. It skips the test without a Python that has PyTorch
// and torchvision; $OMM_PYTHON names one.
func AskTorch(t *testing.T, program string, request, reply any) {
	t.Helper()
	python := cmp.Or(os.Getenv("OMM_PYTHON"), "python3")
	if err := exec.Command(python, "-c", "import torch, torchvision").Run(); err != nil {
		t.Skipf("PyTorch and torchvision cannot be imported by %q (%v): run `make -f .ci/Makefile parity`, or set "+
			"OMM_PYTHON to a Python that has them", python, err)
	}
	text, err := json.Marshal(request)
	require.NoError(t, err)
	var answer, complaint bytes.Buffer
	command := exec.Command(python, "-c", program)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(text), &answer, &complaint
	require.NoError(t, command.Run(), "%s", &complaint)
	require.NoError(t, json.Unmarshal(answer.Bytes(), reply))
}
