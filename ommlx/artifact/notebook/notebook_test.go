package notebook

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cell is a process, so this test runs itself as one.
func TestMustEndsCellWithError(t *testing.T) {
	const asCell = "OMM_TEST_CELL_FAILS"
	if os.Getenv(asCell) != "" {
		Must(3, errors.New("the sentence"))
		os.Exit(0) // not reached: Must ends the cell
	}
	cell := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cell.Env = append(os.Environ(), asCell+"=1")
	out, err := cell.CombinedOutput()
	require.Error(t, err, "the cell ends with an exit code")
	assert.Contains(t, string(out), "the sentence\n")
	assert.NotContains(t, string(out), "goroutine")
}
