package learn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/spectral"
)

// TestObliqueFunctionsAreUnfinished: residuals are small, but an eigenvalue may be missing between those found. The
// bounds of a table would tell.
func TestObliqueFunctionsAreUnfinished(t *testing.T) {
	l := &Learned{Run: Run{Values: []float64{1, 0.8}, Residuals: []float64{1e-3, 1e-3}}}
	l.Diagnosis = spectral.Diagnosis{Cosine: 0.2}
	require.Contains(t, l.unfinished(), "cosine of 0.2")
	l.Diagnosis.Cosine = 0.01
	require.Empty(t, l.unfinished())
}
