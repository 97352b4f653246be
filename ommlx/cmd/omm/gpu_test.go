package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Times on GPUs are printed for Tables 1 and 3, called an estimate, and Neural Eigenmaps fits a card of 24 GiB.
func TestPlanEstimatesTheTimeOnGPUs(t *testing.T) {
	code, stdout, stderr := omm(t, "plan", "--profile", "paper", "--gpu", "tab1", "tab3")
	require.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "an estimate, not a measurement")
	for _, line := range []string{`CIFAR-100 simclr k=256 ×1 .*H100: \dh\d\dm +RTX 4090, 24 GiB: \dh\d\dm`,
		`neural_eigenmaps 151020 steps .*H100: `, `neural_eigenmaps 2990 steps .*H100: `, `all on one H100: \d+ h`} {
		assert.Regexp(t, regexp.MustCompile(line), stdout)
	}
	assert.NotContains(t, stdout, "does not fit")
	_, quick, _ := omm(t, "plan", "--profile", "quick", "--gpu", "tab3")
	assert.Contains(t, quick, "No training here has its operations counted")
	assert.Equal(t, 1, strings.Count(stdout, "all on one RTX 4090"))
}
