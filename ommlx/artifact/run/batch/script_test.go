package batch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/artifact/run/batch"
	"omm-go/ommlx/internal/testkit"
)

// arrayIn is an array of two tasks in a folder.
func arrayIn(root string) batch.Array {
	return batch.Array{Root: root, Profile: run.Smoke, Memory: 3 << 29, Limit: 90 * time.Minute,
		Tasks: []batch.Task{{Keys: []string{"one"}, Text: "well"}, {Keys: []string{"two", "three"}, Text: "both"}}}
}

// standIn is a program in the place of omm: it turns SIGTERM into exit code 4, unless $TRAP says another thing, and
// once it has made the file "begun" does what $BEHAVE says.
const standIn = `#!/bin/bash
trap -- "${TRAP-exit 4}" TERM
echo "NPROC=$NPROC omm $*"
touch begun
eval "$BEHAVE"
`

// slowKill makes the script go on, after it has sent a signal, only when omm has had time to end.
const slowKill = `BASH_FUNC_kill%%=() { builtin kill "$@"; set -- $?; sleep 0.3; return $1; }`

// TestTheScriptQueuesAgain runs the script itself with stand-ins for omm and scontrol: which ends of omm put a task
// back into the queue, and which are told to Slurm as they are.
func TestTheScriptQueuesAgain(t *testing.T) {
	const forever = "while :; do sleep 0.01; done"
	const restarted = "SLURM_RESTART_COUNT=2"
	const queued = "scontrol requeue 70_1\n"
	for name, c := range map[string]struct {
		behave string
		signal syscall.Signal
		env    string
		code   int
		says   string
	}{
		"done":                    {behave: "exit 0"},
		"failed":                  {behave: "exit 1", code: 1},
		"diverged":                {behave: "exit 3", code: 3},
		"warned of the limit":     {behave: forever, signal: syscall.SIGUSR1, code: 4, says: queued},
		"warned when it was done": {behave: "sleep 0.3", env: "TRAP=", signal: syscall.SIGUSR1},
		"warned when it failed":   {behave: "sleep 0.3; exit 1", env: "TRAP=", signal: syscall.SIGUSR1, code: 1},
		"warned too early":        {behave: forever, env: "TRAP=-", signal: syscall.SIGUSR1, code: 143, says: queued},
		"cancelled":               {behave: forever, signal: syscall.SIGTERM, code: 4},
		"killed":                  {behave: "kill -KILL $$", code: 137, says: queued},
		"killed a third time":     {behave: "kill -KILL $$", env: restarted, code: 137},
		"killed late":             {behave: "kill -KILL $$", env: restarted + " SECONDS=61", code: 137, says: queued},
	} {
		run := func(t *testing.T, env ...string) {
			t.Parallel()
			root := t.TempDir()
			write(t, filepath.Join(root, ".omm", "bin", "omm"), standIn)
			write(t, filepath.Join(root, "scontrol"), "#!/bin/bash\necho \"scontrol $*\"\n")
			script := testkit.Must(arrayIn(root).Slurm())
			cmd := exec.Command("bash", "-c", script)
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "PATH="+root+":"+os.Getenv("PATH"), "BEHAVE="+c.behave,
				"SLURM_ARRAY_JOB_ID=70", "SLURM_ARRAY_TASK_ID=1", "SLURM_CPUS_PER_TASK=3")
			cmd.Env = append(cmd.Env, strings.Fields(c.env)...)
			cmd.Env = append(cmd.Env, env...)
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			cmd.WaitDelay = time.Second // for what the stand-in leaves behind
			require.NoError(t, cmd.Start())
			defer time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
			if c.signal != 0 {
				require.Eventually(t, func() bool {
					_, err := os.Stat(filepath.Join(root, "begun"))
					return err == nil
				}, 10*time.Second, 5*time.Millisecond)
				require.NoError(t, cmd.Process.Signal(c.signal))
			}
			_ = cmd.Wait()
			require.Equal(t, c.code, cmd.ProcessState.ExitCode(), out.String())
			require.Contains(t, out.String(), "NPROC=3 omm run --profile smoke --key two,three\n")
			require.Equal(t, c.says != "", strings.Contains(out.String(), "scontrol"), out.String())
			require.Contains(t, out.String(), c.says)
		}
		t.Run(name, func(t *testing.T) { run(t) })
		if c.signal != 0 {
			t.Run(name+", and omm ends first", func(t *testing.T) { run(t, slowKill) })
		}
	}
}

func TestTheScriptOutsideOfSlurm(t *testing.T) {
	script := testkit.Must(arrayIn("/a b").Slurm())
	require.Contains(t, script, "\n#SBATCH --array=0-1\n#SBATCH --chdir=\"/a b\"\n")
	require.Contains(t, script, "\n#SBATCH --mem=1536M\n#SBATCH --time=90\n#SBATCH --requeue\n")
	cmd := exec.Command("bash", "-c", script)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "submit this script with sbatch")

	a := arrayIn("/a")
	a.GPU = true
	script = testkit.Must(a.Slurm())
	require.Contains(t, script, "\n#SBATCH --gpus-per-task=1\n")
	script = testkit.Must(arrayIn("/$(touch x)/`y`/%A é").Slurm())
	require.Equal(t, 1, strings.Count(script, "touch x"), "sbatch reads that line, no shell does")
	require.Contains(t, script, "\n#SBATCH --chdir=\"/$(touch x)/`y`/%A é\"\n")
	for _, root := range []string{"/with\"quote", "/with\\backslash", "/with\nnewline"} {
		_, err = arrayIn(root).Slurm()
		require.ErrorContains(t, err, "move it to a path without quotes and backslashes")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
}
