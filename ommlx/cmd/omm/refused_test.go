package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact"
)

// TestWhatIsRefused holds the sentence for each command line that is wrong; words are divided by |, if there
// is one.
func TestWhatIsRefused(t *testing.T) {
	const emptyName = "the name of a figure or table is empty; leave it out for all of them"
	for line, want := range map[string]string{
		"train --transitions -1": "--transitions is -1; it must be at least 1, or 0 for the paper's number",
		"train --shift -3":       "the shift κ is -3; it must be finite and at least 0",
		"train --shift NaN":      "the shift κ is NaN; it must be finite and at least 0",
		"bench --rounds 0":       "--rounds is 0; it must be at least 1",
		"bench --rounds -1":      "--rounds is -1; it must be at least 1",
		"figures|--only|":        emptyName,
		"tables|tab2|":           emptyName,
		"run|":                   emptyName,
		"tables fig1":            `there is nothing called "fig1"; choose one of tab2, variants, choices, beyond, tab1, tab3`,
	} {
		args := strings.Fields(line)
		if strings.Contains(line, "|") {
			args = strings.Split(line, "|")
		}
		code, stdout, stderr := omm(t, args...)
		assert.Equal(t, exitWrongUse, code, line)
		assert.Empty(t, stdout, line)
		assert.Equal(t, "omm: "+want+"\n", stderr, line)
	}
}

// TestFiguresTakeNames as arguments, several of them, beside the one of --only.
func TestFiguresTakeNames(t *testing.T) {
	names := func(line ...string) (list []string) {
		chosen, err := selectSome(artifact.Figures(), line)
		require.NoError(t, err)
		for _, e := range chosen {
			list = append(list, e.Short)
		}
		return list
	}
	assert.Len(t, names(), len(artifact.Figures()))
	assert.Equal(t, []string{"fig3", "fig1"}, names("fig3", "fig1_laplacian_rl", "fig3_grids"))
	for _, args := range [][]string{
		{"figures", "fig1", "fig8", "fig8"}, {"figures", "--only", "fig1", "fig8"}, {"figures", "fig8", "--only=fig1"},
	} {
		code, stdout, stderr := omm(t, append(args, "--profile", "smoke", "--kept")...)
		require.Equal(t, exitOK, code, stderr)
		assert.Equal(t, 2, strings.Count(stdout, " (smoke profile)\n"), stdout)
	}
}
