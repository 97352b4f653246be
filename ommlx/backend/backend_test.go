package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func assertFlags(t *testing.T, want string) {
	t.Helper()
	assert.Equal(t, want, os.Getenv(xlaFlags))
}

func TestOpenRunsAGraphAndReusesTheBackend(t *testing.T) {
	b, c := must2(Open())
	t.Logf("%s: %s", c.Config, c.Reason)
	require.NoError(t, Try(b))
	again, _ := must2(Open())
	assert.Same(t, b, again)
}

func TestPureGoRunsAGraph(t *testing.T) {
	b := must(PureGo())
	assert.Contains(t, b.Name(), "Go")
	require.NoError(t, Try(b))
	assert.Empty(t, must(Choice{Config: pureGo, Kind: KindGo}.VerifyPlugin()), "no plugin")
}

// TestPluginThatCannotBeLoaded gets one sentence that names the plugin, never a crash.
func TestPluginThatCannotBeLoaded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the look into the file before it is loaded is for Linux")
	}
	t.Setenv("GOMLX_BACKEND", "")
	self := must(os.Executable())
	libc, _ := filepath.Glob("/lib/*-linux-gnu/libm.so.6")
	dir := t.TempDir()
	cases := map[string]string{"missing": filepath.Join(dir, "pjrt_c_api_none_plugin.so"), "program": self}
	cases["text"] = filepath.Join(dir, "pjrt_c_api_text_plugin.so")
	write(t, cases["text"], "not a library")
	if len(libc) > 0 {
		cases["not a plugin"] = libc[0]
		content := must(os.ReadFile(libc[0]))
		cases["cut off"] = filepath.Join(dir, "pjrt_c_api_cut_plugin.so")
		write(t, cases["cut off"], string(content[:len(content)/2]))
	}
	for name, file := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := pluginChoice(file, "test").open()
			require.Error(t, err)
			assert.Contains(t, err.Error(), file)
			assert.Contains(t, err.Error(), "GOMLX_BACKEND=go:ops_sequential")
			assert.NotContains(t, err.Error(), "\n")
			t.Log(err)
		})
	}
}

// TestOpeningStaysOnItsThread: the loader of libraries keeps its last failure for each thread, so an engine that moved
// between the failure and the question for it would hear of none, and then call a function that is not there.
func TestOpeningStaysOnItsThread(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	compute.Register("threads", func(string) (compute.Backend, error) {
		var busy sync.WaitGroup
		ctx, stop := context.WithCancel(t.Context())
		for range 4 * runtime.GOMAXPROCS(0) {
			busy.Go(func() {
				for ctx.Err() == nil {
					runtime.Gosched()
				}
			})
		}
		threads := map[int]bool{}
		for range 1000 {
			runtime.Gosched()
			threads[syscall.Gettid()] = true
		}
		stop()
		busy.Wait()
		return nil, fmt.Errorf("%d threads", len(threads))
	})
	_, err := Choice{Config: "threads"}.open()
	require.ErrorContains(t, err, ": 1 threads;")
}

// TestShortMemoryIsNoReasonToInstallAgain a plugin that Setup verified, by what the loader says where a limit leaves no
// room to map it.
func TestShortMemoryIsNoReasonToInstallAgain(t *testing.T) {
	for _, said := range []string{"failed to map segment from shared object", "cannot allocate memory"} {
		err := Choice{Plugin: "/cache/plugin.so", Version: "1"}.cannotOpen(errors.New("plugin.so: " + said))
		require.ErrorContains(t, err, "memory is short: end other programs, or raise the limit (ulimit -v)")
		require.NotContains(t, err.Error(), "omm setup")
	}
}

// TestCacheThatCannotBeUsed says so, instead of finding no plugin in it.
func TestCacheThatCannotBeUsed(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "")
	for _, value := range []string{"relative", touch(t, t.TempDir(), "file")} {
		t.Setenv("OMM_CACHE", value)
		_, err := Choose()
		require.ErrorContains(t, err, "OMM_CACHE is \""+value+"\"")
	}
}

// TestThePluginHasAThreadForEachCore counts its threads in processes of their own, since it can be opened only once.
func TestThePluginHasAThreadForEachCore(t *testing.T) {
	const child = "OMM_TEST_CORES"
	if os.Getenv(child) != "" {
		b, c := must2(Open())
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
	c := must(Choose())
	require.NoError(t, os.Symlink(c.Plugin, filepath.Join(own, "pjrt_c_api_cpu_plugin.so")))
	for _, config := range []string{"", "xla", "xla:cpu", "xla:cpu,notf32"} {
		assert.Contains(t, run(pjrt.PJRTPluginPathsEnv+"="+own, compute.ConfigEnvVar+"="+config, CoresVariable+"=2"),
			KindXLA+" has 1 devices and 2 threads\n", config)
	}
}

// pluginThreads is the number of threads of this process that carry the name which the plugin gives to its own.
func pluginThreads(t *testing.T) (n int) {
	t.Helper()
	names := must(filepath.Glob("/proc/self/task/*/comm"))
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

// childVariable makes this test binary open the engine twice and print its kind instead of running tests.
const childVariable = "OMM_TEST_OPEN"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	for range 2 {
		_, choice, err := Open()
		fmt.Println(choice.Kind, err)
	}
}

// opened runs a program that opens the engine on a machine without a plugin, and returns what it printed.
func opened(t *testing.T, setting string) (stdout, stderr string) {
	t.Helper()
	self := must(os.Executable())
	home := t.TempDir()
	var out, errs strings.Builder
	child := exec.CommandContext(t.Context(), self)
	child.Env = append(os.Environ(), childVariable+"=1", "OMM_CACHE="+home, "HOME="+home, "GOMLX_BACKEND=",
		"PJRT_PLUGIN_LIBRARY_PATH=", "LD_LIBRARY_PATH=", "OMM_QUIET=", setting)
	child.Stdout, child.Stderr = &out, &errs
	require.NoError(t, child.Run())
	if !strings.HasPrefix(out.String(), KindGo+" ") {
		t.Skipf("this machine has a PJRT plugin outside of the user's home, so nothing falls back: %s", out.String())
	}
	return out.String(), errs.String()
}

// TestFallbackIsToldOnce by the library itself, since a program that uses it may print nothing about its engine; not
// where it was asked for, or silence.
func TestFallbackIsToldOnce(t *testing.T) {
	for setting, told := range map[string]bool{
		"": true, "GOMLX_BACKEND=go:ops_sequential": false, "OMM_QUIET=1": false,
	} {
		out, errs := opened(t, setting)
		require.Equal(t, "go <nil>\ngo <nil>\n", out, setting)
		if told {
			require.Regexp(t, "^[^\n]*no XLA plugin[^\n]*"+slower+"[^\n]*OMM_QUIET=1[^\n]*\n$", errs)
		} else {
			require.Empty(t, errs, setting)
		}
	}
}
