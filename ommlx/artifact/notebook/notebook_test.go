package notebook

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cell is a program of its own, so this test runs itself as one.
func TestMustEndsTheCellWithTheSentence(t *testing.T) {
	const asCell = "OMM_TEST_CELL_FAILS"
	if os.Getenv(asCell) != "" {
		Must(3, errors.New("the sentence"))
		os.Exit(0) // a cell that goes on
	}
	cell := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cell.Env = append(os.Environ(), asCell+"=1")
	out, err := cell.CombinedOutput()
	require.Error(t, err, "the cell ends with an exit code")
	assert.Contains(t, string(out), "the sentence\n")
	assert.NotContains(t, string(out), "goroutine")
}

// TestRequireOfAFalseText says so, and ends the cell where notebooks are executed to be kept.
func TestRequireOfAFalseText(t *testing.T) {
	const asCell = "OMM_TEST_TEXT_IS_FALSE"
	Require(true, "%d is not 3", 3)
	if os.Getenv(asCell) != "" {
		Require(false, "%d is not 3", 2)
		os.Exit(0)
	}
	for _, strict := range []string{"", "1"} {
		cell := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cell.Env = append(os.Environ(), asCell+"=1", Strict+"="+strict)
		out, err := cell.CombinedOutput()
		require.Equal(t, strict != "", err != nil)
		assert.Contains(t, string(out), "The text says otherwise: 2 is not 3\n")
	}
}
