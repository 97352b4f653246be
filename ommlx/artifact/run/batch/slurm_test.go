package batch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// onSlurm is the variable with which `make -f .ci/Makefile test-slurm` asks for the test on a real Slurm.
const onSlurm = "OMM_TEST_SLURM"

// trouble is the number of tasks of the array in TestSlurm: each of the first ones comes to harm in a way of its own.
const trouble = 8

// array is a submitted array of tasks in a checkout.
type array struct {
	*cluster
	root, id string
	keys     []string // of each task
}

func (a *array) task(i int) string { return fmt.Sprintf("%s_%d", a.id, i) }

func (a *array) state(t *testing.T, i int) string { return a.field(t, a.task(i), "JobState") }

var process = regexp.MustCompile(`^process (\d+) on `)

// training waits until task i is at work on its training, and returns the process.
func (a *array) training(t *testing.T, i int) (pid int) {
	t.Helper()
	eventually(t, fmt.Sprintf("task %d begins to train", i), func() bool {
		text, _ := os.ReadFile(filepath.Join(a.root, ".omm", "runs", a.keys[i], "lock"))
		found := process.FindSubmatch(text)
		if found == nil || a.state(t, i) != "RUNNING" {
			return false
		}
		pid = testkit.Must(strconv.Atoi(string(found[1])))
		return true
	})
	return pid
}

// warn sends a task the signal that it gets from Slurm ahead of its limit. As long as other tasks wait, scancel of
// Slurm 22.05 takes a signal that has arrived for one that has not, and sends it again 5 s later, so it is stopped
// before.
func (a *array) warn(t *testing.T, i int) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, "scancel", "--signal=USR1", "--batch", a.task(i))
	cmd.Env = a.env
	_ = cmd.Run()
}

// TestSlurm submits an array to a real Slurm. One task's process is killed, one is told of its limit, one is queued
// again by hand, one is held and released, and the node of two goes down. Every result is there once, with the bits of
// trainings that nobody disturbed.
func TestSlurm(t *testing.T) {
	if os.Getenv(onSlurm) == "" {
		t.Skip("`make -f .ci/Makefile test-slurm` runs it")
	}
	root := checkout(t)
	c := startCluster(t)
	script := omm(t, root, "plan", "--profile", "quick", "--format", "slurm", "fig1")
	path := filepath.Join(c.dir, "fig1.sh")
	require.NoError(t, os.WriteFile(path, []byte(script), 0o644))
	a := &array{cluster: c, root: root, keys: keysIn(t, script)[:trouble]}
	a.id = c.do(t, "sbatch", "--parsable", "--cpus-per-task=1", fmt.Sprintf("--array=0-%d", trouble-1), path)
	const killed, warned, again, held = 0, 1, 2, 7
	c.do(t, "scontrol", "hold", a.task(held))
	t.Logf("submitted %d tasks as job %s", trouble, a.id)

	require.NoError(t, syscall.Kill(a.training(t, killed), syscall.SIGKILL))
	t.Log("killed the process of one")
	a.training(t, warned)
	a.warn(t, warned)
	t.Log("warned another of its limit")
	a.training(t, again)
	c.do(t, "scontrol", "requeue", a.task(again))
	t.Log("queued a third again")
	var down []int
	eventually(t, "two other tasks train", func() bool {
		down = nil
		for i := again + 1; i < held; i++ {
			if a.state(t, i) == "RUNNING" {
				down = append(down, i)
			}
		}
		return len(down) > 0
	})
	a.training(t, down[0])
	node := c.do(t, "sinfo", "--noheader", "--format=%n")
	c.do(t, "scontrol", "update", "NodeName="+node, "State=DOWN", "Reason=test")
	eventually(t, "its tasks queue again", func() bool { return a.state(t, down[0]) == "PENDING" })

	t.Log("took the node away from others")
	eventually(t, "all tasks but one end", func() bool {
		for i := range held {
			if a.state(t, i) != "COMPLETED" {
				return false
			}
		}
		return true
	})
	require.Equal(t, "PENDING", a.state(t, held))
	require.Regexp(t, "^JobHeld", a.field(t, a.task(held), "Reason"))
	require.Len(t, results(t, root), trouble-1)
	c.do(t, "scontrol", "release", a.task(held))
	eventually(t, "the last task ends", func() bool { return a.state(t, held) == "COMPLETED" })

	for i, said := range map[int]string{killed: "Ended with 137: ", warned: "Ended with 4: "} {
		log := testkit.Must(os.ReadFile(filepath.Join(root, ".omm", "slurm-"+a.task(i)+".log")))
		require.Contains(t, string(log), said)
	}
	for _, i := range append([]int{killed, warned, again}, down...) {
		require.Equal(t, "1", a.field(t, a.task(i), "Restarts"), "task %d", i)
	}
	require.Equal(t, "0", a.field(t, a.task(held), "Restarts"))
	left := testkit.Must(os.ReadDir(filepath.Join(root, ".omm", "runs")))
	require.Empty(t, left, "nothing of a finished training stays but its result")

	t.Log("all have ended; training the same undisturbed …")
	untouched := checkout(t)
	t.Setenv("NPROC", "1") // as --cpus-per-task
	omm(t, untouched, "run", "--profile", "quick", "--key", strings.Join(a.keys, ","))
	require.Equal(t, results(t, untouched), results(t, root))
}

var keyLine = regexp.MustCompile(`(?m)^ +([0-9a-f]{32}) # `)

// keysIn are the keys in an array of one training for each task.
func keysIn(t *testing.T, text string) (keys []string) {
	t.Helper()
	for _, match := range keyLine.FindAllStringSubmatch(text, -1) {
		keys = append(keys, match[1])
	}
	require.NotEmpty(t, keys, text)
	return keys
}

// results are the kept results of a checkout by the names of their files, without their provenance: when, where and in
// how many seconds.
func results(t *testing.T, root string) map[string]any {
	t.Helper()
	paths := testkit.Must(filepath.Glob(filepath.Join(root, ".omm", "results", "*")))
	all := map[string]any{}
	for _, path := range paths {
		text := testkit.Must(os.ReadFile(path))
		var content map[string]any
		require.NoError(t, json.Unmarshal(text, &content), path)
		require.Contains(t, content, "provenance")
		delete(content, "provenance")
		all[filepath.Base(path)] = content
	}
	return all
}

// checkout makes a folder that is one for omm, which it builds there. The space in its name is on purpose.
func checkout(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a checkout")
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".omm", "bin"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+fsx.Module+"\n"), 0o644))
	out, err := exec.Command("go", "build", "-o", filepath.Join(root, ".omm", "bin", "omm"),
		fsx.Module+"/ommlx/cmd/omm").CombinedOutput()
	require.NoError(t, err, string(out))
	return root
}

// omm runs the program in a checkout and returns what it prints.
func omm(t *testing.T, root string, args ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, ".omm", "bin", "omm"), args...)
	cmd.Dir = root
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, errs.String())
	return string(out)
}
