package backend

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
)

func write(t *testing.T, file, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
}

func TestSetupInstallsOnceWithPip(t *testing.T) {
	store := t.TempDir()
	p := machine(t, fakeWheel(t, store, "fake", "plugin"))
	calls := fakePip(t, store)
	for range 2 {
		var log strings.Builder
		c := must(p.setup(t.Context(), &log))
		assert.Equal(t, KindXLACPU, c.Kind)
		assert.Contains(t, log.String(), c.Plugin)
	}
	assert.Equal(t, []string{"pjrt/1.0/LICENSE", "pjrt/1.0/pjrt_c_api_cpu_plugin.so", "pjrt/1.0/verified.json"},
		filesUnder(t, p.cache))
	lines := must(os.ReadFile(calls))
	assert.Equal(t, 1, strings.Count(string(lines), "\n"), "the second set-up reuses the cache")
	assert.Contains(t, string(lines), "--no-deps --target "+p.cache)
}

// A plugin that is not the pinned one, as it is or cut off, is refused and named; nothing of it is left.
func TestWrongPluginInsideTheWheelIsRefused(t *testing.T) {
	p, store := ready(t)
	for _, content := range []string{"plugiN", "plug", ""} {
		write(t, filepath.Join(store, "fake", p.cpu.plugin), content)
		_, err := p.setup(t.Context(), &strings.Builder{})
		for _, word := range []string{"pjrt_c_api_cpu_plugin.so", p.cpu.pluginSHA256, fsx.SHA256Of([]byte(content)),
			"nothing was installed"} {
			require.ErrorContains(t, err, word)
		}
		assert.Empty(t, filesUnder(t, p.cache))
	}
}

// TestDamagedCacheIsFoundAndRepaired changes the installed plugin behind the stamp's back.
func TestDamagedCacheIsFoundAndRepaired(t *testing.T) {
	p, c := installed(t)
	write(t, c.Plugin, "plug")
	_, err := p.choose()
	require.ErrorContains(t, err, c.Plugin)
	require.ErrorContains(t, err, "omm setup")

	// Without a way to download, a repair fails and says so instead of going on with something else.
	p.cpu.project = "nowhere"
	_, err = p.setup(t.Context(), &strings.Builder{})
	require.Error(t, err)

	p.cpu.project = "fake"
	var log strings.Builder
	c = must(p.setup(t.Context(), &log))
	assert.Contains(t, log.String(), "truncated or altered")
	sum := must(c.VerifyPlugin())
	assert.Equal(t, p.cpu.pluginSHA256, sum)
}

// TestAnAlteredPluginIsNeverUsed alters a byte and restores the time of the last write, as a failing disk does.
func TestAnAlteredPluginIsNeverUsed(t *testing.T) {
	p, c := installed(t)
	info := must(os.Stat(c.Plugin))
	write(t, c.Plugin, "plugiN")
	require.NoError(t, os.Chtimes(c.Plugin, info.ModTime(), info.ModTime()))
	_, err := p.choose()
	require.ErrorContains(t, err, "truncated or altered")
	_, err = c.VerifyPlugin()
	require.ErrorContains(t, err, "truncated or altered")
}

func TestSetupsAtTheSameTime(t *testing.T) {
	p, _ := ready(t)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { errs[i] = p.cpu.get(t.Context(), p.cache, io.Discard) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	c := must(p.choose())
	assert.Len(t, filesUnder(t, p.cache), 3)
	_, err := c.VerifyPlugin()
	require.NoError(t, err)
}

func TestNoWayToDownloadGoesOnInPureGo(t *testing.T) {
	for says, lines := range map[string]string{
		"No matching distribution": "echo 'ERROR: No matching distribution found' >&2; exit 1",
		"did not leave":            "exit 0",
	} {
		p, _ := ready(t)
		fakePython(t, lines)
		var log strings.Builder
		c := must(p.setup(t.Context(), &log))
		assert.Equal(t, KindGo, c.Kind)
		assert.Contains(t, log.String(), says)
		assert.Contains(t, log.String(), slower)
		assert.Empty(t, filesUnder(t, p.cache))
	}
}

func TestSetupStopsWhenInterrupted(t *testing.T) {
	p, _ := ready(t)
	fakePython(t, "sleep 10")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.setup(ctx, &strings.Builder{})
	require.ErrorContains(t, err, "interrupted")
	assert.Empty(t, filesUnder(t, p.cache))
}

func TestCacheThatCannotBeMade(t *testing.T) {
	p, _ := ready(t)
	p.cache = filepath.Join(touch(t, t.TempDir(), "file"), "cache")
	_, err := p.setup(t.Context(), &strings.Builder{})
	require.ErrorContains(t, err, "OMM_CACHE")
}
