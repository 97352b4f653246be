package backend

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/testkit"
)

// fakeWheel writes a wheel with the given plugin content into dir and returns its description.
func fakeWheel(t *testing.T, dir, content string) *wheel {
	t.Helper()
	w := &wheel{plugin: "fake/pjrt_c_api_cpu_plugin.so", licences: []string{"info/LICENSE"}, folder: "1.0"}
	w.Wheel = testkit.WriteWheel(t, dir,
		pip.Wheel{Project: "fake-pjrt", Version: "1.0", File: "fake_pjrt-1.0-py3-none-any.whl"},
		map[string]string{w.plugin: content, "info/LICENSE": "free", "fake/__init__.py": ""})
	sum := sha256.Sum256([]byte(content))
	w.pluginSHA256 = hex.EncodeToString(sum[:])
	return w
}

// machine is a probe of a machine with an empty cache, no GPU, no plugin and no setting.
func machine(t testing.TB, cpu *wheel) probe {
	t.Helper()
	return probe{
		platform: "linux/amd64", cache: filepath.Join(t.TempDir(), "cache"), cpu: cpu,
		systemDirs: func() []string { return nil },
		hasGPU:     func() bool { return false },
		pythonCUDA: func() string { return "" },
	}
}

// touch writes an empty file named as a plugin and returns its path.
func touch(t testing.TB, elem ...string) string {
	t.Helper()
	file := filepath.Join(elem...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	return file
}

// filesUnder lists the regular files below dir, relative to it.
func filesUnder(t *testing.T, dir string) (files []string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, rel)
		}
		return err
	}))
	return files
}

// machineAndStore is a machine, and the folder from which its plugin can be copied.
func machineAndStore(t *testing.T) (p probe, store string) {
	t.Helper()
	store = t.TempDir()
	return machine(t, fakeWheel(t, store, "plugin")), store
}

// installed is a machine whose plugin is installed.
func installed(t *testing.T) (probe, Choice) {
	t.Helper()
	p, store := machineAndStore(t)
	return p, testkit.Must(p.setup(t.Context(), &strings.Builder{}, testkit.CopyFrom(store), nil))
}
