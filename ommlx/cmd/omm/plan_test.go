package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
)

// planned returns an exhibit of experiments that take hours and share seeds.
func planned(name string, of ...rl.Experiment) report.Exhibit {
	return report.Exhibit{Kind: report.Table, Name: name,
		Experiments: func(run.Profile) []run.Experiment { return run.List(of) }}
}

// TestPlanSumsTheTimeLeft checks the sums per figure and table, and the total, in which shared runs count once.
func TestPlanSumsTheTimeLeft(t *testing.T) {
	hours := func(method string, runs int) rl.Experiment {
		e := rl.Paper("GridRoom-4", method, 11, runs)
		seconds := run.Seconds([]run.Experiment{e.WithSteps(1_000_000)})
		return e.WithSteps(int(3600 * 1e6 * float64(runs) / seconds)) // an hour for each run
	}
	l := &run.Lab{Root: t.TempDir(), Profile: run.Paper}
	var out bytes.Buffer
	exhibits := []report.Exhibit{
		planned("bars", hours("omm_seq", 2), hours("allo", 3)), planned("nothing"),
		planned("curves", hours("allo", 3), hours("omm_seq", 2)),
		planned("all", hours("allo", 6), hours("omm_jnt", 1)),
	}
	require.NoError(t, writePlan(&out, l, exhibits))
	var heads []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		if !strings.HasPrefix(line, " ") {
			heads = append(heads, line)
		}
	}
	assert.Equal(t, []string{
		"bars (paper profile): 5h00m to go", "nothing (paper profile): 0s to go",
		"curves (paper profile): 5h00m to go", "all (paper profile): 7h00m to go",
		"trainings: 0 kept, 4 open; 9h00m to go with one worker",
	}, heads)
}

// TestPlanListsTrainingsWithoutRunningThem also distinguishes kept from open results.
func TestPlanListsTrainingsWithoutRunningThem(t *testing.T) {
	for profile, well := range map[string]string{"smoke": "well omm_seq B=32 k=3 ×2",
		"quick": "well omm_seq B=256 k=15 ×1", "paper": "well omm_seq k=15 ×10"} {
		code, stdout, stderr := omm(t, "plan", "--profile", profile)
		assert.Equal(t, exitOK, code, stderr)
		for _, name := range []string{
			"fig1_laplacian_rl", "fig8_well_numerical", "tab2_ablation_k50", well, " GiB",
		} {
			assert.Contains(t, stdout, name, profile)
		}
	}
}

// TestPlanWritesForSchedulers covers both formats.
func TestPlanWritesForSchedulers(t *testing.T) {
	t.Chdir(t.TempDir()) // a checkout without results
	write(t, "go.mod", "module "+fsx.Module+"\n")
	code, slurm, stderr := omm(t, "plan", "--profile", "smoke", "--format", "slurm", "fig2")
	assert.Equal(t, exitOK, code, stderr)
	assert.Contains(t, slurm, "\n.omm/bin/omm run --profile smoke fig2 &\n")
	code, k8s, stderr := omm(t, "plan", "--profile", "smoke", "--format", "k8s", "--gpu", "fig2")
	assert.Equal(t, exitOK, code, stderr)
	assert.Contains(t, k8s, "image: \"omm-go:cuda\"\n")
	code, stdout, _ := omm(t, "plan", "--format", "slurm", "fig3")
	assert.Equal(t, exitFailure, code, "no training")
	assert.Empty(t, stdout)
	code, _, _ = omm(t, "plan", "--gpu", "fig2")
	assert.Equal(t, exitWrongUse, code, "a list has no workers")
}
