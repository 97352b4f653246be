package testkit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
)

// Paper returns the paper's LaTeX source, in shared/paper beside the checkout. It skips the test where that is not
// there.
func Paper(t *testing.T) string {
	t.Helper()
	text := PaperIfThere(t)
	if text == "" {
		t.Skip("the paper's source is not beside this checkout, in shared/paper")
	}
	return text
}

// PaperIfThere is [Paper], and empty where that is not there.
func PaperIfThere(t *testing.T) string {
	t.Helper()
	root, err := fsx.Checkout()
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "..", "shared", "paper", "paper.tex"))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(t, err)
	return string(text)
}
