package batch_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// cluster is a Slurm of one node: munged, slurmctld and slurmd as processes of this test, in a folder of their own.
type cluster struct {
	dir string
	env []string
}

// configuration needs neither root nor systemd nor control groups. A task that queues again may start after 5 s, where
// Slurm as it is installed lets it wait for two minutes, the life of its old credential.
var configuration = template.Must(template.New("").Parse(`ClusterName=test
SlurmctldHost={{.Host}}(127.0.0.1)
SlurmctldPort={{index .Ports 0}}
SlurmdPort={{index .Ports 1}}
SlurmUser={{.User}}
SlurmdUser={{.User}}
AuthType=auth/munge
AuthInfo=cred_expire=5,socket={{.Dir}}/munge.socket
CredType=cred/munge
StateSaveLocation={{.Dir}}/state
SlurmdSpoolDir={{.Dir}}/spool
SlurmctldPidFile={{.Dir}}/slurmctld.pid
SlurmdPidFile={{.Dir}}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
NodeName={{.Host}} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`))

// startCluster starts the daemons, which end with the test.
func startCluster(t *testing.T) *cluster {
	t.Helper()
	dir, err := os.MkdirTemp("", "omm-slurm") // not t.TempDir: the path of a socket has at most 107 characters
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755)) // munged wants everybody to reach its socket
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	c := &cluster{dir, append(os.Environ(), "SLURM_CONF="+filepath.Join(dir, "slurm.conf"))}
	for _, name := range []string{"state", "spool"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	key := make([]byte, 128)
	_, _ = rand.Read(key) // which never fails
	require.NoError(t, os.WriteFile(filepath.Join(dir, "munge.key"), key, 0o600))
	host := testkit.Must(os.Hostname())
	host, _, _ = strings.Cut(host, ".")
	me := testkit.Must(user.Current())
	var text bytes.Buffer
	require.NoError(t, configuration.Execute(&text, struct {
		Dir, Host, User string
		Ports           []int
	}{dir, host, me.Username, freePorts(t, 2)}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "slurm.conf"), text.Bytes(), 0o644))

	at := func(name string) string { return filepath.Join(dir, name) }
	c.start(t, "munged", "--foreground", "--key-file="+at("munge.key"), "--socket="+at("munge.socket"),
		"--pid-file="+at("munge.pid"), "--seed-file="+at("munge.seed"))
	eventually(t, "munged opens its socket", func() bool { _, err := os.Stat(at("munge.socket")); return err == nil })
	c.start(t, "slurmctld", "-D")
	eventually(t, "slurmctld answers", func() bool { _, err := c.try("scontrol", "ping"); return err == nil })
	c.start(t, "slurmd", "-D")
	t.Cleanup(func() {
		_, _ = c.try("scancel", "--full", "--user="+me.Username)
		eventually(t, "all jobs end", func() bool {
			out, err := c.try("squeue", "--noheader")
			return err == nil && out == ""
		})
	})
	eventually(t, "the node is idle", func() bool {
		out, err := c.try("sinfo", "--noheader", "--format=%T")
		return err == nil && out == "idle"
	})
	return c
}

// start runs a daemon until the test ends. It dies with this process, also if that is killed.
func (c *cluster) start(t *testing.T, name string, args ...string) {
	t.Helper()
	log := testkit.Must(os.Create(filepath.Join(c.dir, name+".log")))
	defer log.Close()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = c.env, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("what %s said:\n%s", name, text)
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		hard := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		defer hard.Stop()
		_ = cmd.Wait()
	})
}

// try runs a command of Slurm.
func (c *cluster) try(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = c.env
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// do runs a command of Slurm that must succeed, and returns what it says.
func (c *cluster) do(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := c.try(name, args...)
	require.NoError(t, err, "%s %s: %s", name, args, out)
	return out
}

// field is what scontrol says of a job.
func (c *cluster) field(t *testing.T, job, name string) string {
	t.Helper()
	for _, word := range strings.Fields(c.do(t, "scontrol", "--oneliner", "show", "job", job)) {
		if value, found := strings.CutPrefix(word, name+"="); found {
			return value
		}
	}
	require.Fail(t, fmt.Sprintf("job %s has no field %s", job, name))
	return ""
}

// freePorts are ports on which nobody listens.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))
		defer l.Close() // when all are found, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// eventually waits for what must become true.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, 2*time.Minute, 100*time.Millisecond, what)
}
