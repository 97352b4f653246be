package run

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert/yaml"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func written(t *testing.T, a Array, format string) string {
	var out strings.Builder
	require.NoError(t, a.Write(&out, format))
	return out.String()
}

func TestArrayIsSizedForItsTrainings(t *testing.T) {
	small, large := newFake("a", 3600), newFake("b", 3600)
	large.Takes.Memory = 4 << 30
	a := testkit.Must(NewArray(&Lab{Root: "/a b", Profile: Smoke}, []Experiment{small, large}))
	require.Equal(t, 2, a.Workers)
	require.Equal(t, 5<<10, a.Mebibytes)
	require.Equal(t, 140, a.Minutes)
	a.Only, a.GPU = []string{"fig1", "tab2"}, true
	script := written(t, a, "slurm")
	for _, line := range []string{"#SBATCH --array=1-2", `#SBATCH --chdir="/a b"`, "#SBATCH --mem=5120M",
		"#SBATCH --time=140", "#SBATCH --gpus-per-task=1",
		".omm/bin/omm run --profile smoke fig1 tab2 &"} {
		require.Contains(t, script, "\n"+line+"\n")
	}
	a.Image = "omm\"\n- $(touch x)"
	_, text, _ := strings.Cut(written(t, a, "k8s"), "\n---\n")
	type container struct {
		Image   string
		Command []string
	}
	var job struct {
		Kind string
		Spec struct {
			Completions, Parallelism int
			Template                 struct {
				Spec struct{ Containers []container }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text), &job))
	require.Equal(t, "Job", job.Kind)
	require.Equal(t, 2, job.Spec.Completions)
	require.Equal(t, []container{{a.Image, []string{"/bin/bash", "-c",
		"exec .omm/bin/omm run --profile smoke fig1 tab2"}}}, job.Spec.Template.Spec.Containers)
	_, err := NewArray(&Lab{}, nil)
	require.Error(t, err, "no open seeds")
}

// TestSlurmScriptRequeues checks which exits put a worker back into the queue, with stand-ins for omm and scontrol.
func TestSlurmScriptRequeues(t *testing.T) {
	const forever = "while :; do sleep 0.01; done"
	for name, c := range map[string]struct {
		behave string
		signal syscall.Signal
		env    string
		code   int
		queued bool
	}{
		"done":                {behave: "exit 0"},
		"failed":              {behave: "exit 1", code: 1},
		"near the limit":      {behave: forever, signal: syscall.SIGUSR1, code: 4, queued: true},
		"cancelled":           {behave: forever, signal: syscall.SIGTERM, code: 4},
		"killed":              {behave: "kill -KILL $$", code: 137, queued: true},
		"killed a third time": {behave: "kill -KILL $$", env: "SLURM_RESTART_COUNT=2", code: 137},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, ".omm/bin/omm", "#!/bin/bash\ntrap 'exit 4' TERM\necho \"NPROC=$NPROC $*\"\ntouch begun\n"+
				c.behave+"\n", 0)
			write(t, root, "scontrol", "#!/bin/bash\necho \"scontrol $*\"\n", 0)
			require.NoError(t, os.Chmod(filepath.Join(root, ".omm/bin/omm"), 0o755))
			require.NoError(t, os.Chmod(filepath.Join(root, "scontrol"), 0o755))
			cmd := exec.CommandContext(t.Context(), "bash", "-c",
				written(t, Array{Root: root, Profile: Smoke, Workers: 2}, "slurm"))
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "PATH="+root+":"+os.Getenv("PATH"), "SLURM_ARRAY_JOB_ID=70",
				"SLURM_ARRAY_TASK_ID=1", "SLURM_CPUS_PER_TASK=3", c.env)
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			cmd.WaitDelay = time.Second
			require.NoError(t, cmd.Start())
			if c.signal != 0 {
				require.Eventually(t, func() bool {
					_, err := os.Stat(filepath.Join(root, "begun"))
					return err == nil
				}, 10*time.Second, 5*time.Millisecond)
				require.NoError(t, cmd.Process.Signal(c.signal))
			}
			_ = cmd.Wait()
			require.Equal(t, c.code, cmd.ProcessState.ExitCode(), out.String())
			require.Contains(t, out.String(), "NPROC=3 run --profile smoke\n")
			require.Equal(t, c.queued, strings.Contains(out.String(), "scontrol requeue 70_1\n"), out.String())
		})
	}
}
