package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// planned returns an entry of experiments that take hours and share seeds.
func planned(name string, of ...rl.Experiment) report.Entry {
	return report.Entry{Kind: report.Table, Name: name,
		Plan: func(run.Profile) ([]run.Job, error) { return run.NewJobs(of) }}
}

// TestPlanSumsTheTimeLeft checks the sums per figure and table, and the total, in which shared runs count once.
func TestPlanSumsTheTimeLeft(t *testing.T) {
	hours := func(method string, runs int) rl.Experiment {
		e := rl.Paper("GridRoom-4", method, 11, runs)
		job := testkit.Must(run.NewJob(e.WithSteps(1_000_000)))
		return e.WithSteps(int(3600 * 1e6 * float64(runs) / job.Cost.Seconds)) // an hour for each run
	}
	l := &run.Lab{Root: t.TempDir(), Profile: run.Paper}
	var out bytes.Buffer
	entries := []report.Entry{
		planned("bars", hours("omm_seq", 2), hours("allo", 3)), planned("nothing"),
		planned("curves", hours("allo", 3), hours("omm_seq", 2)),
		planned("all", hours("allo", 6), hours("omm_jnt", 1)),
	}
	require.NoError(t, writePlan(&out, l, entries, testkit.Must(report.Plans(entries, l.Profile))))
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

// TestPlanListsJobsWithoutRunningThem also distinguishes kept from open results.
func TestPlanListsJobsWithoutRunningThem(t *testing.T) {
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
	require.NoError(t, os.WriteFile("go.mod", []byte("module "+fsx.Module+"\n"), 0o644))
	code, slurm, stderr := omm(t, "plan", "--profile", "smoke", "--format", "slurm", "fig2")
	assert.Equal(t, exitOK, code, stderr)
	assert.Contains(t, slurm, "\n.omm/bin/omm run --profile smoke fig2 &\n")
	code, k8s, stderr := omm(t, "plan", "--profile", "smoke", "--format", "k8s", "--gpu", "fig2")
	assert.Equal(t, exitOK, code, stderr)
	assert.Contains(t, k8s, "image: \"omm-go:cuda\"\n")
	code, stdout, _ := omm(t, "plan", "--format", "slurm", "fig3")
	assert.Equal(t, exitFailure, code, "no training")
	assert.Empty(t, stdout)
}

// Times on GPUs are estimated for Tables 1 and 3, and Neural Eigenmaps fits a 24 GiB card.
func TestPlanEstimatesTheTimeOnGPUs(t *testing.T) {
	code, stdout, stderr := omm(t, "plan", "--profile", "paper", "--gpu", "tab1", "tab3")
	require.Equal(t, exitOK, code, stderr)
	assert.Contains(t, stdout, "an estimate, not a measurement")
	for _, line := range []string{`CIFAR-100 simclr k=256 ×1 .*H100: \dh\d\dm +RTX 4090, 24 GiB: \d+ h`,
		`neural_eigenmaps 151020 steps .*H100: `, `neural_eigenmaps 2990 steps .*H100: `, `all on one H100: \d+ days`} {
		assert.Regexp(t, regexp.MustCompile(line), stdout)
	}
	assert.NotContains(t, stdout, "does not fit")
	_, quick, _ := omm(t, "plan", "--profile", "quick", "--gpu", "tab3")
	assert.Contains(t, quick, "all on one H100: 0s")
	assert.Equal(t, 1, strings.Count(stdout, "all on one RTX 4090"))
}
