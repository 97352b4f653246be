package backend

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func assertFlags(t *testing.T, want string) {
	t.Helper()
	assert.Equal(t, want, os.Getenv(xlaFlags))
}

func TestOpenRunsAGraphAndReusesTheBackend(t *testing.T) {
	b, c, err := Open()
	require.NoError(t, err)
	t.Logf("%s: %s", c.Config, c.Reason)
	require.NoError(t, Try(b))
	again, _, err := Open()
	require.NoError(t, err)
	assert.Same(t, b, again)
}

func TestPureGoRunsAGraph(t *testing.T) {
	b, err := PureGo()
	require.NoError(t, err)
	assert.Contains(t, b.Name(), "Go")
	require.NoError(t, Try(b))
}

// TestPluginThatCannotBeLoaded gets one sentence that names the plugin, never a crash.
func TestPluginThatCannotBeLoaded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the look into the file before it is loaded is for Linux")
	}
	t.Setenv("GOMLX_BACKEND", "")
	self, err := os.Executable()
	require.NoError(t, err)
	libc, _ := filepath.Glob("/lib/*-linux-gnu/libm.so.6")
	dir := t.TempDir()
	cases := map[string]string{"missing": filepath.Join(dir, "pjrt_c_api_none_plugin.so"), "program": self}
	cases["text"] = filepath.Join(dir, "pjrt_c_api_text_plugin.so")
	write(t, cases["text"], "not a library")
	if len(libc) > 0 {
		cases["not a plugin"] = libc[0]
		content, err := os.ReadFile(libc[0])
		require.NoError(t, err)
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

func TestUnknownBackendIsOneSentence(t *testing.T) {
	for config, want := range map[string]string{
		"nosuch:thing": "GOMLX_BACKEND=nosuch:thing names no engine", "go:nosuch": "unset GOMLX_BACKEND",
	} {
		t.Setenv("GOMLX_BACKEND", config)
		c, err := Choose()
		if err == nil {
			_, err = c.open()
		}
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "\n")
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
