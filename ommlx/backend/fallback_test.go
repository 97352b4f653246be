package backend

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
func opened(t *testing.T, env ...string) (stdout, stderr string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	home := t.TempDir()
	var out, errs strings.Builder
	child := exec.CommandContext(t.Context(), self)
	child.Env = append(os.Environ(), childVariable+"=1", "OMM_CACHE="+home, "HOME="+home, "GOMLX_BACKEND=",
		"PJRT_PLUGIN_LIBRARY_PATH=", "LD_LIBRARY_PATH=", "OMM_QUIET=")
	child.Env = append(child.Env, env...)
	child.Stdout, child.Stderr = &out, &errs
	require.NoError(t, child.Run())
	if !strings.HasPrefix(out.String(), KindGo+" ") {
		t.Skipf("this machine has a PJRT plugin outside of the user's home, so nothing falls back: %s", out.String())
	}
	return out.String(), errs.String()
}

// TestFallbackIsToldOnce by the library itself, since a program that uses it may print nothing about its engine.
func TestFallbackIsToldOnce(t *testing.T) {
	out, errs := opened(t)
	require.Equal(t, "go <nil>\ngo <nil>\n", out)
	require.Equal(t, 1, strings.Count(errs, "\n"), errs)
	for _, word := range []string{"no XLA plugin", slower, "OMM_QUIET=1"} {
		assert.Contains(t, errs, word)
	}
}

func TestFallbackIsSilentWhenAskedFor(t *testing.T) {
	for _, setting := range []string{"GOMLX_BACKEND=go:ops_sequential", "OMM_QUIET=1"} {
		out, errs := opened(t, setting)
		assert.Equal(t, "go <nil>\ngo <nil>\n", out, setting)
		assert.Empty(t, errs, setting)
	}
}
