package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// TestMakePassesOptions: a switch that is 0 or empty is off, and ONLY may contain several names.
func TestMakePassesOptions(t *testing.T) {
	for args, want := range map[string]string{
		"figures":                       "figures --profile quick",
		"figures|KEPT=1":                "figures --profile quick --kept",
		"figures|KEPT=0":                "figures --profile quick",
		"tables|KEPT=|PROFILE=smoke":    "tables --profile smoke",
		"figures|ONLY=fig1 fig3|KEPT=1": "figures --profile quick --kept fig1 fig3",
		"run|ONLY=fig1 tab2|FOR=2h":     "run --profile quick --for 2h fig1 tab2",
		"check|ACCEPT=1":                "check --accept",
		"check|ACCEPT= ":                "check",
	} {
		options := []string{"--dry-run", "--silent", "--no-print-directory"}
		cmd := exec.CommandContext(t.Context(), "make", append(options, strings.Split(args, "|")...)...)
		cmd.Dir = testkit.Must(fsx.Checkout())
		cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")} // without the options of `make test`
		out, err := cmd.Output()
		require.NoError(t, err, args)
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		last := strings.Join(strings.Fields(lines[len(lines)-1]), " ")
		assert.True(t, strings.HasSuffix(last, ".omm/bin/omm "+want), last)
	}
}
