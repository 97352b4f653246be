package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/testkit"
)

func write(t *testing.T, file, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
}

func TestSetupInstallsOnceWithPip(t *testing.T) {
	p, store := machineAndStore(t)
	calls := testkit.FakePython(t, "cp '"+store+"'/*.whl \"$dest\"")
	for range 2 {
		var log strings.Builder
		c := testkit.Must(p.setup(t.Context(), &log, pip.Download, nil))
		assert.Equal(t, KindXLACPU, c.Kind)
		assert.Contains(t, log.String(), c.Plugin)
	}
	assert.Equal(t, []string{"pjrt/1.0/LICENSE", "pjrt/1.0/pjrt_c_api_cpu_plugin.so", "pjrt/1.0/verified.json"},
		filesUnder(t, p.cache))
	lines := testkit.Must(os.ReadFile(calls))
	assert.Equal(t, 1, strings.Count(string(lines), "\n"), "the second set-up reuses the cache")
	assert.Contains(t, string(lines), "--no-deps --only-binary=:all:")
	assert.Contains(t, string(lines), "fake-pjrt==1.0")
}

func TestAlteredDownloadIsRefusedAndNamed(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"truncated": func(b []byte) []byte { return b[:len(b)/2] },
		"altered":   func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"empty":     func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			p, store := machineAndStore(t)
			file := filepath.Join(store, p.cpu.File)
			content := testkit.Must(os.ReadFile(file))
			require.NoError(t, os.WriteFile(file, spoil(content), 0o644))
			got := testkit.Must(fsx.SHA256(file))

			_, err := p.setup(t.Context(), &strings.Builder{}, testkit.CopyFrom(store), nil)
			require.Error(t, err)
			for _, word := range []string{p.cpu.File, p.cpu.SHA256, got, "nothing was installed"} {
				assert.Contains(t, err.Error(), word)
			}
			assert.Empty(t, filesUnder(t, p.cache))
		})
	}
}

func TestWrongPluginInsideTheWheelIsRefused(t *testing.T) {
	p, store := machineAndStore(t)
	p.cpu.pluginSHA256 = strings.Repeat("0", 64)
	_, err := p.setup(t.Context(), &strings.Builder{}, testkit.CopyFrom(store), nil)
	require.ErrorContains(t, err, "pjrt_c_api_cpu_plugin.so")
	require.ErrorContains(t, err, p.cpu.pluginSHA256)
	assert.Empty(t, filesUnder(t, p.cache))
}

// TestDamagedCacheIsFoundAndRepaired changes the installed plugin behind the stamp's back.
func TestDamagedCacheIsFoundAndRepaired(t *testing.T) {
	p, store := machineAndStore(t)
	_, err := p.setup(t.Context(), &strings.Builder{}, testkit.CopyFrom(store), nil)
	require.NoError(t, err)
	file := p.cpu.pluginPath(p.cache)
	write(t, file, "plug")

	_, err = p.choose()
	require.ErrorContains(t, err, file)
	require.ErrorContains(t, err, "omm setup")

	// Without a way to download, a repair fails and says so instead of going on with something else.
	_, err = p.setup(t.Context(), &strings.Builder{}, testkit.CopyFrom(t.TempDir()), nil)
	require.Error(t, err)

	var log strings.Builder
	c := testkit.Must(p.setup(t.Context(), &log, testkit.CopyFrom(store), nil))
	assert.Contains(t, log.String(), "truncated or altered")
	sum := testkit.Must(c.VerifyPlugin())
	assert.Equal(t, p.cpu.pluginSHA256, sum)
}

// TestAnAlteredPluginIsNeverUsed alters a byte and restores the time of the last write, as a failing disk does.
func TestAnAlteredPluginIsNeverUsed(t *testing.T) {
	p, c := installed(t)
	info := testkit.Must(os.Stat(c.Plugin))
	write(t, c.Plugin, "plugiN")
	require.NoError(t, os.Chtimes(c.Plugin, info.ModTime(), info.ModTime()))
	_, err := p.choose()
	require.ErrorContains(t, err, "truncated or altered")
	_, err = c.VerifyPlugin()
	require.ErrorContains(t, err, "truncated or altered")
}

func TestSetupsAtTheSameTime(t *testing.T) {
	store := t.TempDir()
	p := machine(t, fakeWheel(t, store, strings.Repeat("plugin", 1000)))
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { errs[i] = p.cpu.install(t.Context(), p.cache, testkit.CopyFrom(store)) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	assert.Len(t, filesUnder(t, p.cache), 3)
	c := testkit.Must(p.choose())
	_, err := c.VerifyPlugin()
	require.NoError(t, err)
}

func TestNoWayToDownloadGoesOnInPureGo(t *testing.T) {
	for name, python := range map[string]struct{ lines, says string }{
		"no network": {"echo 'WARNING: retrying' >&2; echo 'ERROR: No matching distribution found' >&2; exit 1",
			"No matching distribution"},
		"no pip":          {"echo '/usr/bin/python3: No module named pip' >&2; exit 1", "has no pip"},
		"nothing written": {"exit 0", "did not leave"},
	} {
		t.Run(name, func(t *testing.T) {
			p := machine(t, fakeWheel(t, t.TempDir(), "plugin"))
			testkit.FakePython(t, python.lines)
			var log strings.Builder
			c := testkit.Must(p.setup(t.Context(), &log, pip.Download, nil))
			assert.Equal(t, KindGo, c.Kind)
			assert.Contains(t, log.String(), python.says)
			assert.Contains(t, log.String(), slower)
			assert.Empty(t, filesUnder(t, p.cache))
		})
	}
	t.Run("no python", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		var log strings.Builder
		c := testkit.Must(machine(t, fakeWheel(t, t.TempDir(), "plugin")).setup(t.Context(), &log, pip.Download, nil))
		assert.Equal(t, KindGo, c.Kind)
		assert.Contains(t, log.String(), "python3 was not found")
	})
}

func TestSetupStopsWhenInterrupted(t *testing.T) {
	testkit.FakePython(t, "sleep 10")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := machine(t, fakeWheel(t, t.TempDir(), "plugin"))
	_, err := p.setup(ctx, &strings.Builder{}, pip.Download, nil)
	require.ErrorContains(t, err, "interrupted")
	assert.Empty(t, filesUnder(t, p.cache))
}

func TestCacheThatCannotBeMade(t *testing.T) {
	p, store := machineAndStore(t)
	p.cache = filepath.Join(touch(t, t.TempDir(), "file"), "cache")
	_, err := p.setup(t.Context(), &strings.Builder{}, testkit.CopyFrom(store), nil)
	require.ErrorContains(t, err, "OMM_CACHE")
}
