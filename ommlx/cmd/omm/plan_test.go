package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/artifact/rl"
)

// planned is an entry of experiments of some hours each, which share their seeds.
func planned(name string, of ...rl.Experiment) report.Entry {
	return report.Entry{Kind: report.Table, Name: name,
		Plan: func(lab.Profile) ([]lab.Job, error) { return lab.NewJobs(of) }}
}

// TestPlanSumsTheTimeLeft for each figure and table, and in all, where a run that two of them need counts once.
func TestPlanSumsTheTimeLeft(t *testing.T) {
	hours := func(method string, runs int) rl.Experiment {
		e := rl.Paper("GridRoom-4", method, 11, runs)
		job, err := lab.NewJob(e.WithSteps(1_000_000))
		require.NoError(t, err)
		return e.WithSteps(int(3600 * 1e6 * float64(runs) / job.Cost.Seconds)) // an hour for each run
	}
	l := &lab.Lab{Root: t.TempDir(), Profile: lab.Paper}
	for _, c := range []struct {
		workers int
		total   string
	}{
		{1, "time to go: 9.0 h with one worker"},
		{2, "time to go: 9.0 h with one worker, at least 4.5 h with the 2 that `omm run` starts here"},
		{20, "time to go: 9.0 h with one worker, at least 60 min with the 20 that `omm run` starts here"},
	} {
		var out bytes.Buffer
		require.NoError(t, writePlan(&out, l, []report.Entry{
			planned("bars", hours("omm_seq", 2), hours("allo", 3)), planned("nothing"),
			planned("curves", hours("allo", 3), hours("omm_seq", 2)),
			planned("all", hours("allo", 6), hours("omm_jnt", 1)),
		}, c.workers))
		var heads []string
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			if !strings.HasPrefix(line, " ") {
				heads = append(heads, line)
			}
		}
		assert.Equal(t, []string{
			"bars (paper profile): 5.0 h to go", "nothing (paper profile): no training",
			"curves (paper profile): 5.0 h to go, all of it listed above",
			"all (paper profile): 7.0 h to go, 3.0 h of it listed above", "trainings: 4 open; " + c.total,
		}, heads)
	}
}

// TestEstimatesAreTheSameInEveryListing: the pace is of all kept results, whatever was chosen.
func TestEstimatesAreTheSameInEveryListing(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^  ([0-9a-f]{32}) .* (\S+(?: min| h)?)  +\S+ GiB$`)
	estimates := func(names ...string) map[string]string {
		code, stdout, stderr := omm(t, append([]string{"plan", "--profile", "paper"}, names...)...)
		require.Equal(t, exitOK, code, stderr)
		list := map[string]string{}
		for _, match := range rows.FindAllStringSubmatch(stdout, -1) {
			list[match[1]] = match[2]
		}
		require.NotEmpty(t, list)
		return list
	}
	all := estimates()
	for _, name := range []string{"fig1", "tab2", "choices"} {
		for key, estimate := range estimates(name) {
			assert.Equal(t, all[key], estimate, "%s in %s", key, name)
		}
	}
}

// TestPlanListsJobsWithoutRunningThem also tells a kept result from an open one.
func TestPlanListsJobsWithoutRunningThem(t *testing.T) {
	for profile, well := range map[string]string{"smoke": "well omm_seq B=32 k=3 ×2",
		"quick": "well omm_seq B=256 k=15 ×2", "paper": "well omm_seq k=15 ×10"} {
		code, stdout, stderr := omm(t, "plan", "--profile", profile)
		assert.Equal(t, exitOK, code, stderr)
		for _, name := range []string{
			"fig1_laplacian_rl", "fig8_well_numerical", "tab2_ablation_k50", well, " GiB",
		} {
			assert.Contains(t, stdout, name, profile)
		}
		assert.Contains(t, stdout, "time to go: ")
	}
	code, stdout, _ := omm(t, "plan", "fig3")
	assert.Equal(t, exitOK, code)
	assert.Equal(t, "fig3_grids (quick profile): no training\ntrainings: none; time to go: 0s\n", stdout)
}
