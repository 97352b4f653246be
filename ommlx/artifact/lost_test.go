package artifact_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

// workIn is an environment variable with a folder. If it is set, the test binary runs the fifty trainings there instead
// of tests, with a checkpoint after each evaluation, and logs the evaluations in a file.
const workIn = "OMM_TEST_WORK_IN"

// TestMain also runs as a worker in child processes of a test, where it works on the fifty trainings.
func TestMain(m *testing.M) {
	root := os.Getenv(workIn)
	if root == "" {
		os.Exit(m.Run())
	}
	l := worker(root, os.Stdout)
	l.CheckpointEvery = 1
	if err := l.Work(context.Background(), fiftyExperiments()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func worker(root string, out io.Writer) *run.Lab {
	return &run.Lab{Root: root, Profile: run.Smoke, Out: out, PureGo: true}
}

func fiftyExperiments() (list []run.Experiment) {
	for i := range 50 {
		e := newMadeUp(200).with(1)
		e.Target = float64(i)
		list = append(list, e)
	}
	return list
}

// note appends a line for an evaluation to the log in the folder [workIn].
func (e madeUp) note(step int) error {
	root := os.Getenv(workIn)
	if root == "" {
		return nil
	}
	file, err := os.OpenFile(filepath.Join(root, "evaluations"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = fmt.Fprintf(file, "%s at step %d\n", e.Label(), step)
	return err
}

// startFifty starts a worker on the fifty trainings.
func startFifty(t *testing.T, root string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(testkit.Must(os.Executable()))
	cmd.Env = append(os.Environ(), workIn+"="+root)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		assert.NotContains(t, out.String(), "damaged", "a kill must never damage a checkpoint")
	})
	return cmd
}

// TestALostWorkerCostsACheckpointInterval kills and restarts one of three workers on fifty trainings, twenty times.
// Every result must exist once, with the bits of an undisturbed worker, and each kill repeats at most the one
// evaluation since the last checkpoint.
func TestALostWorkerCostsACheckpointInterval(t *testing.T) {
	t.Parallel()
	root, undisturbed, began := t.TempDir(), t.TempDir(), time.Now()
	require.NoError(t, startFifty(t, undisturbed).Wait())
	want, alone := outcomes(t, undisturbed), time.Since(began)
	require.Len(t, want, len(fiftyExperiments()))

	kills := 0
	workers := make([]*exec.Cmd, 3)
	for i := range workers {
		workers[i] = startFifty(t, root)
	}
	inTheMiddle := 0
	for ; kills < 20; kills++ {
		time.Sleep(alone/100 + rand.N(alone/75)) // all kills in a third of the time of one worker
		i := rand.IntN(len(workers))
		_ = workers[i].Process.Kill() // the worker may have ended
		if workers[i].Wait() == nil {
			workers = slices.Delete(workers, i, i+1)
			break
		}
		for _, dir := range testkit.Must(filepath.Glob(filepath.Join(root, ".omm", "runs", "*"))) {
			if held, checkpoint := train.FolderStatus(dir); checkpoint && !held {
				inTheMiddle++
				break
			}
		}
		workers[i] = startFifty(t, root)
	}
	for _, w := range workers {
		require.NoError(t, w.Wait())
	}
	last := worker(root, nil)
	require.NoError(t, last.Work(context.Background(), fiftyExperiments())) // what a worker left to a killed one

	require.Equal(t, want, outcomes(t, root))
	text := testkit.Must(os.ReadFile(filepath.Join(root, "evaluations")))
	count := map[string]int{}
	repeated := 0
	for line := range strings.Lines(string(text)) {
		if count[line]++; count[line] > 1 {
			repeated++
		}
	}
	require.Len(t, count, len(fiftyExperiments())*21, "20 evaluations and the initial one")
	t.Logf("%d of %d kills left a checkpoint; %d evaluations were repeated", inTheMiddle, kills, repeated)
	require.Greater(t, inTheMiddle, 3)
	require.LessOrEqual(t, repeated, kills)
}

// outcomes returns the results in a folder by file name, without provenance.
func outcomes(t *testing.T, root string) map[string]found {
	t.Helper()
	all := map[string]found{}
	for name, text := range results(t, worker(root, nil)) {
		var f found
		require.NoError(t, json.Unmarshal([]byte(text), &f))
		f.Provenance = run.Provenance{}
		all[filepath.Base(name)] = f
	}
	return all
}
