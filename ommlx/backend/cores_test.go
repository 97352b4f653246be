package backend

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestThePluginHasAThreadForEachCore counts its threads in processes of their own, since it can be opened only once.
func TestThePluginHasAThreadForEachCore(t *testing.T) {
	const child = "OMM_TEST_CORES"
	if os.Getenv(child) != "" {
		b, c, err := Open()
		require.NoError(t, err)
		require.NoError(t, Try(b))
		fmt.Printf("%s has %d devices and %d threads\n", c.Kind, b.NumDevices(), pluginThreads(t))
		return
	}
	if c, err := Choose(); err != nil || c.Kind != KindXLACPU {
		t.Skip("this machine computes with another engine than the XLA CPU plugin")
	}
	if _, err := os.Stat("/proc/self/task"); err != nil {
		t.Skip("this system does not list the threads of a process")
	}
	run := func(env ...string) string {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(append(os.Environ(), child+"=1"), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	for cores, want := range map[string]int{"1": 1, "3": 3, "": runtime.NumCPU()} {
		assert.Contains(t, run(CoresVariable+"="+cores),
			fmt.Sprintf("%s has 1 devices and %d threads\n", KindXLACPU, want))
	}
	// A CPU plugin of the user's own, however it is named, is one device too: a training is divided over devices.
	own := t.TempDir()
	c, err := Choose()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(c.Plugin, filepath.Join(own, "pjrt_c_api_cpu_plugin.so")))
	for _, config := range []string{"", "xla", "xla:cpu", "xla:cpu,notf32"} {
		assert.Contains(t, run(pjrt.PJRTPluginPathsEnv+"="+own, compute.ConfigEnvVar+"="+config, CoresVariable+"=2"),
			KindXLA+" has 1 devices and 2 threads\n", config)
	}
}

// pluginThreads is the number of threads of this process that carry the name which the plugin gives to its own.
func pluginThreads(t *testing.T) (n int) {
	t.Helper()
	names, err := filepath.Glob("/proc/self/task/*/comm")
	require.NoError(t, err)
	for _, file := range names {
		if name, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(name), "tf_XLAEigen") {
			n++
		}
	}
	return n
}

func TestCoresAreThoseThatThereAre(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	for setting, want := range map[string]int{"": all, "1": 1, "0": all, "-1": all, "many": all, "100000": all} {
		t.Setenv(CoresVariable, setting)
		assert.Equal(t, want, Cores(), setting)
	}
}
