package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// small is an experiment that takes no time.
func small(runs, steps int) rl.Experiment {
	e := rl.Paper("GridRoom-4", "omm_seq", 2, runs).WithSteps(steps)
	e.Transitions, e.Batch, e.Hidden = 500, 16, []int{8}
	return e
}

// stopper is a writer that calls itself on each write.
type stopper func()

func (s stopper) Write(line []byte) (int, error) {
	s()
	return len(line), nil
}

// A checkpoint of another training in one stage is reported after the later stages.
func TestRunContinuesAfterACheckpointOfAnotherTraining(t *testing.T) {
	list := []run.Experiment{small(1, 20), small(1, 30)}
	root := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	begin := &run.Lab{Root: root, Profile: run.Smoke, PureGo: true, Out: stopper(stop)} // stops at its first line
	require.ErrorIs(t, begin.Work(ctx, list[:1]), train.ErrInterrupted)
	runs := filepath.Join(root, ".omm", "runs")
	require.NoError(t, os.Rename(filepath.Join(runs, run.Key(list[0])), filepath.Join(runs, run.Key(list[1]))))

	l := &run.Lab{Root: root, Profile: run.Smoke, PureGo: true}
	require.ErrorIs(t, work(t.Context(), l, [][]run.Experiment{list[1:], list[:1]}, 0), train.ErrForeign)
	require.Len(t, testkit.Must(l.Open(list)), 1)
}

// TestRunStopsAndContinues: a spent budget is not an error, but an interruption by the user is. The same call then
// trains the other runs.
func TestRunStopsAndContinues(t *testing.T) {
	all := []run.Experiment{small(3, 20)}
	stages := [][]run.Experiment{{small(1, 20)}, all} // three seeds; one is in two stages
	var out bytes.Buffer
	l := &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true, Out: &out}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx    context.Context
		budget time.Duration
		err    error
		left   int
	}{{t.Context(), time.Nanosecond, nil, 3}, {stopped, time.Hour, train.ErrInterrupted, 3}, {t.Context(), 0, nil, 0}} {
		require.ErrorIs(t, work(c.ctx, l, stages, c.budget), c.err)
		require.Len(t, testkit.Must(l.Open(all)), c.left)
	}
	require.Contains(t, out.String(), "\n0 runs to go")
}

// planned returns an exhibit of experiments that take hours and share seeds.
func planned(name string, of ...run.Experiment) report.Exhibit {
	return report.Exhibit{Kind: report.Table, Name: name,
		Experiments: func(run.Profile) []run.Experiment { return of }}
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
	_, stdout, _ := omm(t, "plan", "fig3", "fig1_laplacian_rl", "fig3_grids")
	inOrderOnce := `^fig3_grids (?s:.*)\nfig1_laplacian_rl .*(\n  .*)*\ntrainings: .*\n$`
	assert.Regexp(t, inOrderOnce, stdout)
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
}
