package batch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/artifact/run/batch"
	"omm-go/ommlx/internal/testkit"
)

// jobs are n trainings of some seconds; the last takes the most memory.
func jobs(n int, seconds float64) []run.Job {
	list := make([]run.Job, n)
	for i := range list {
		list[i] = run.Job{Key: strings.Repeat("k", i%7+1), Label: "well", Seeds: []int64{int64(i + 1)},
			Cost: run.Cost{Seconds: seconds, Memory: 1 << 30}}
	}
	list[n-1].Cost.Memory = 4 << 30
	return list
}

func TestNewDividesWhatIsOpen(t *testing.T) {
	l := &run.Lab{Root: "/checkout", Profile: run.Paper}
	for name, c := range map[string]struct {
		jobs            int
		seconds         float64
		tasks, greatest int
		limit           time.Duration
	}{
		"one each":             {5, 1200, 5, 1, time.Hour},
		"as many as Slurm has": {2001, 2, 667, 3, 20 * time.Minute},
		"longer than a day":    {1, 1e7, 1, 1, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			a := testkit.Must(batch.New(l, jobs(c.jobs, c.seconds)))
			require.Len(t, a.Tasks, c.tasks)
			require.LessOrEqual(t, len(a.Tasks), batch.MostTasks)
			require.Len(t, a.Tasks[0].Keys, c.greatest)
			require.Equal(t, c.limit, a.Limit)
			require.EqualValues(t, 5<<30, a.Memory)
		})
	}
	a := testkit.Must(batch.New(l, jobs(batch.MostTasks+1, 1)))
	require.Equal(t, batch.Task{Keys: []string{"k", "kk"}, Text: "well seed 1; well seed 2"}, a.Tasks[0])
	_, err := batch.New(l, nil)
	require.EqualError(t, err, "every training that was asked for has its result, so there is nothing to submit")
}

// The command of a container runs what its index is for, in the place of the shell, so that it gets the signals.
func TestTheCommandOfAContainer(t *testing.T) {
	a := arrayIn("/checkout")
	a.Image, a.GPU = "registry.example/omm:1", true
	text := testkit.Must(a.Kubernetes())
	for _, line := range []string{"  completions: 2\n", "memory: 1536Mi\n", "nvidia.com/gpu: 1\n",
		"image: \"registry.example/omm:1\"\n"} {
		require.Contains(t, text, line)
	}
	_, command, found := strings.Cut(text, "            - |\n")
	require.True(t, found)
	command, _, found = strings.Cut(command, "          env:\n")
	require.True(t, found)
	root := t.TempDir()
	write(t, filepath.Join(root, ".omm", "bin", "omm"), "#!/bin/bash\necho \"$$ $*\"\n")
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "JOB_COMPLETION_INDEX=1")
	out := testkit.Must(cmd.Output())
	pid, said, _ := strings.Cut(string(out), " ")
	require.Equal(t, "run --profile smoke --key two,three\n", said)
	require.Equal(t, strconv.Itoa(cmd.Process.Pid), pid)

	// An image that is no name stays one string, for the server to refuse.
	a.Image = "omm\"\n- $(touch x)"
	require.Contains(t, testkit.Must(a.Kubernetes()), `image: "omm\"\n- $(touch x)"`+"\n")
	a.Image = "registry.example/omm:1"

	// Another plan is another Job, the same plan is the same.
	again := testkit.Must(a.Kubernetes())
	require.Equal(t, text, again)
	a.Tasks = a.Tasks[1:]
	other := testkit.Must(a.Kubernetes())
	require.NotEqual(t, name(text), name(other))
}

func TestAListThatIsTooLongForACommand(t *testing.T) {
	a := arrayIn("/checkout")
	a.Tasks[0].Keys = slices.Repeat(a.Tasks[0].Keys, 40_000)
	_, err := a.Kubernetes()
	require.ErrorContains(t, err, "the list of tasks has 159 KiB, and Linux takes 128 in a command")
	_, err = a.Slurm()
	require.NoError(t, err)
}

// name is that of the Job.
func name(text string) string {
	_, job, _ := strings.Cut(text, "kind: Job\n")
	_, after, _ := strings.Cut(job, "name: ")
	line, _, _ := strings.Cut(after, "\n")
	return line
}
