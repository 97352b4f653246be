// Package papertest reads the paper in a test.
package papertest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/place"
)

// Source returns the paper's LaTeX source, in shared/paper beside the checkout. It skips the test where that is not
// there.
func Source(t *testing.T) string {
	t.Helper()
	text := SourceIfThere(t)
	if text == "" {
		t.Skip("the paper's source is not beside this checkout, in shared/paper")
	}
	return text
}

// SourceIfThere is [Source], and empty where that is not there.
func SourceIfThere(t *testing.T) string {
	t.Helper()
	root, err := place.Checkout()
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "..", "shared", "paper", "paper.tex"))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(t, err)
	return string(text)
}
