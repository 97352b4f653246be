package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
)

// TestPlanWritesAnArray of what has no result, for each scheduler.
func TestPlanWritesAnArray(t *testing.T) {
	t.Chdir(t.TempDir()) // a checkout without results
	require.NoError(t, os.WriteFile("go.mod", []byte("module "+fsx.Module+"\n"), 0o644))
	code, slurm, stderr := omm(t, "plan", "--profile", "smoke", "--format", "slurm", "--slice", "3", "fig2", "fig5")
	assert.Equal(t, exitOK, code, stderr)
	assert.Equal(t, 1, strings.Count(slurm, "\n# 6 trainings of the smoke profile in 2 tasks, "))
	assert.Contains(t, slurm,
		" # hydrogen sanger B=32 k=3 ×1 seed 1; hydrogen lora_seq B=32 k=3 ×1 seed 1; "+
			"oscillator omm_seq B=32 k=3 ×1 seed 1\n")
	code, k8s, stderr := omm(t, "plan", "--profile", "smoke", "--format", "k8s", "--gpu", "fig2")
	assert.Equal(t, exitOK, code, stderr)
	assert.Contains(t, k8s, "image: \"operator-omm:cuda\"\n")
	for args, want := range map[string]string{
		"--format pbs":                   `--format is "pbs"; it must be slurm or k8s`,
		"--slice 2":                      "--slice is for an array of tasks alone; add --format slurm",
		"--format slurm --slice -1":      "--slice is -1; it must be positive",
		"--format slurm --image x":       "--image is for --format k8s alone",
		"--format slurm fig9":            `there is nothing called "fig9"`,
		"--format slurm fig3":            "has its result, so there is nothing to submit",
		"--format slurm --profile large": `unknown profile "large"`,
	} {
		code, stdout, stderr := omm(t, append([]string{"plan"}, strings.Fields(args)...)...)
		assert.NotEqual(t, exitOK, code, args)
		assert.Contains(t, stderr, want, args)
		assert.Empty(t, stdout, args)
	}
}

// TestRunOfKeys refuses a key that no training has, and what does not go with keys.
func TestRunOfKeys(t *testing.T) {
	for args, want := range map[string]string{
		"--key abc":             `no training has this key: "abc" under the smoke profile; plan again with the program`,
		"--key abc --for 2h":    "--key and --for are both given",
		"--key abc --workers 2": "--key and --workers are both given",
	} {
		code, _, stderr := omm(t, append([]string{"run", "--profile", "smoke"}, strings.Fields(args)...)...)
		assert.Equal(t, exitWrongUse, code, args)
		assert.Contains(t, stderr, want, args)
	}
}
