package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
)

// TestOptionsOfMake holds what make passes on: a switch that is 0 or empty is off, and ONLY may name several.
func TestOptionsOfMake(t *testing.T) {
	root, err := fsx.Checkout()
	require.NoError(t, err)
	for args, want := range map[string]string{
		"figures":                       "figures --profile quick",
		"figures KEPT=1":                "figures --profile quick --kept",
		"figures KEPT=0":                "figures --profile quick",
		"tables KEPT=":                  "tables --profile quick",
		"tables KEPT=0 PROFILE=smoke":   "tables --profile smoke",
		"figures|ONLY=fig1":             "figures --profile quick fig1",
		"figures|ONLY=fig1 fig3|KEPT=1": "figures --profile quick --kept fig1 fig3",
		"tables|ONLY=tab2 well":         "tables --profile quick tab2 well",
		"run|ONLY=fig1 tab2|FOR=2h":     "run --profile quick --for 2h fig1 tab2",
		"check":                         "check",
		"check COMPLETE=1":              "check --complete",
		"check COMPLETE=0":              "check",
		"check|COMPLETE= ":              "check",
	} {
		words := strings.Fields(args)
		if strings.Contains(args, "|") {
			words = strings.Split(args, "|")
		}
		make := exec.CommandContext(t.Context(), "make", append([]string{"--dry-run", "--silent"}, words...)...)
		make.Dir = root
		out, err := make.Output()
		require.NoError(t, err, args)
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		assert.Equal(t, ".omm/bin/omm "+want, strings.Join(strings.Fields(lines[len(lines)-1]), " "), args)
	}
}
