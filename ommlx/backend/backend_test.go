package backend

import (
	"context"
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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// childVariable makes this test binary open the engine twice and describe it instead of running tests: plugins can be
// opened only once per process, and go-xla reads its settings when a process starts.
const childVariable = "OMM_TEST_OPEN"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	for range 2 {
		b, c, err := Open()
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		must(0, Try(b))
		threads := 0
		names, _ := filepath.Glob("/proc/self/task/*/comm")
		for _, file := range names {
			if name, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(name), "tf_XLAEigen") {
				threads++
			}
		}
		fmt.Printf("%s with %d devices and %d threads\n", c.Kind, b.NumDevices(), threads)
	}
}

// opened runs a program that opens the engine, and returns what it printed.
func opened(t *testing.T, settings ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	child := exec.CommandContext(t.Context(), must(os.Executable()))
	child.Env = append(append(os.Environ(), childVariable+"=1", "GOMLX_BACKEND="), settings...)
	child.Stdout, child.Stderr = &out, &errs
	require.NoError(t, child.Run(), errs.String())
	return out.String(), errs.String()
}

func TestOpenRunsAGraphAndReusesTheBackend(t *testing.T) {
	b, c, err := Open()
	require.NoError(t, err)
	t.Logf("%s: %s", c.Config, c.Reason)
	require.NoError(t, Try(b))
	again, _, _ := Open()
	assert.Same(t, b, again)
}

func TestPureGoRunsAGraph(t *testing.T) {
	require.NoError(t, Try(must(PureGo())))
	assert.Empty(t, must(Choice{Config: pureGo, Kind: KindGo}.VerifyPlugin()), "no plugin")
}

// TestFallbackIsReportedOnce, unless the user asked for pure Go.
func TestFallbackIsReportedOnce(t *testing.T) {
	for setting, reported := range map[string]bool{"": true, "GOMLX_BACKEND=go": false} {
		home := t.TempDir()
		out, errs := opened(t, "OMM_CACHE="+home, "HOME="+home, pluginsVariable+"=", setting)
		require.Equal(t, strings.Repeat("go with 1 devices and 0 threads\n", 2), out, setting)
		assert.Equal(t, reported, strings.Count(errs, "\n") == 1 && strings.Contains(errs, slower), setting)
		assert.Equal(t, reported, errs != "", setting)
	}
}

// TestGOMLX_BACKENDChooses: it takes precedence over all else, and must name an engine.
func TestGOMLX_BACKENDChooses(t *testing.T) {
	t.Setenv("GOMLX_BACKEND", "xla:/somewhere/plugin.so,preallocate=true")
	c := must(Choose())
	assert.Equal(t, "xla:/somewhere/plugin.so,preallocate=true", c.Config)
	assert.Equal(t, "/somewhere/plugin.so", c.Plugin)
	assert.Equal(t, KindXLA, c.Kind)
	_, err := c.open()
	require.ErrorContains(t, err, "/somewhere/plugin.so")

	t.Setenv("GOMLX_BACKEND", "go")
	assert.Equal(t, pureGo, must(Choose()).Config, "the default scheduling can deadlock")

	for _, config := range []string{"nonsense", "xlaa:cpu", ":"} {
		t.Setenv("GOMLX_BACKEND", config)
		_, err := Choose()
		assert.ErrorContains(t, err, "GOMLX_BACKEND="+config)
	}
	t.Setenv("GOMLX_BACKEND", "go:nosuch")
	_, err = must(Choose()).open()
	require.ErrorContains(t, err, "GOMLX_BACKEND")
	assert.NotContains(t, err.Error(), "\n")
}

// TestPluginThatCannotBeLoaded gives a one-line error, not a crash, even if go-xla finds the plugin by itself.
func TestPluginThatCannotBeLoaded(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pjrt_c_api_text_plugin.so")
	write(t, file, "not a library")
	for _, settings := range []string{pluginsVariable + "=" + dir, pluginsVariable + "=" + filepath.Join(dir, "none"),
		"GOMLX_BACKEND=xla:" + file} {
		out, _ := opened(t, settings)
		assert.Equal(t, 2, strings.Count(out, "error: "), out)
		assert.Equal(t, 2, strings.Count(out, "\n"), out)
	}
}

// TestOpeningStaysOnItsThread: the dynamic loader keeps its last error per thread, so an engine that moved to another
// thread after a failure would miss the error and call a function that does not exist.
func TestOpeningStaysOnItsThread(t *testing.T) {
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

// TestThePluginHasAThreadForEachCore and one device, even for a user's plugin of any name.
func TestThePluginHasAThreadForEachCore(t *testing.T) {
	c, err := Choose()
	if err != nil || c.Kind != KindXLACPU || runtime.GOOS != "linux" {
		t.Skip("this machine computes with another engine than the XLA CPU plugin")
	}
	line := func(kind string, threads int) string {
		return strings.Repeat(fmt.Sprintf("%s with 1 devices and %d threads\n", kind, threads), 2)
	}
	for cores, want := range map[string]int{"1": 1, "3": 3, "": runtime.NumCPU()} {
		out, _ := opened(t, "NPROC="+cores)
		assert.Equal(t, line(KindXLACPU, want), out)
	}
	own := t.TempDir()
	require.NoError(t, os.Symlink(c.Plugin, filepath.Join(own, "pjrt_c_api_cpu_plugin.so")))
	for _, config := range []string{"", "xla", "xla:cpu"} {
		out, _ := opened(t, pluginsVariable+"="+own, compute.ConfigEnvVar+"="+config, "NPROC=2")
		assert.Equal(t, line(KindXLA, 2), out, config)
	}
}
