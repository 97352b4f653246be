package backend

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
)

// must panics with the error if there is one. Package testkit imports this package, so its helpers cannot be used here.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func write(t *testing.T, file, content string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
}

// fakePython puts a python3 on the PATH that runs the given shell lines with pip's arguments; in them $dest is the
// folder after --target, and $lock a file with its standard input. It returns the file with one line for each call.
func fakePython(t *testing.T, lines string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\nlock='" + dir + "'/lock.$$; cat >\"$lock\"\n" +
		"for a in \"$@\"; do [ \"$last\" = --target ] && dest=$a; last=$a; done\n" + lines + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "python3"), []byte(script), 0o755))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}

// machine sets up an empty cache, no GPU, and a pip that finds two plugins with the given content and the libraries of
// the second one.
func machine(t *testing.T, content string) (cache, store, calls string) {
	t.Helper()
	if hasNvidiaGPU() || !pinned {
		t.Skip("this tests a machine without a GPU")
	}
	cache, store = t.TempDir(), t.TempDir()
	for variable, value := range map[string]string{fsx.CacheVariable: cache, "GOMLX_BACKEND": ""} {
		t.Setenv(variable, value)
	}
	cpu, cuda := pinnedCPU, pinnedCUDA
	t.Cleanup(func() { pinnedCPU, pinnedCUDA = cpu, cuda })
	fake := wheel{about: "fake", project: "fake", version: "1.0", sha256: "0123", plugin: "fake/plugin.so",
		pluginSHA256: fsx.SHA256Of([]byte("plugin")), pluginBytes: int64(len("plugin")), folder: "1.0",
		licences: []string{"info/LICENSE"}}
	pinnedCPU, pinnedCUDA = fake, fake
	pinnedCUDA.folder, pinnedCUDA.libraries = "cuda/plugin", "libraries==1.0 --hash=sha256:0123"
	for name, text := range map[string]string{"fake/fake/plugin.so": content, "fake/info/LICENSE": "free",
		"libraries/nvidia/cu13/lib/libcublas.so.13": "", "libraries/nvidia_cublas-1.dist-info/LICENSE": ""} {
		write(t, filepath.Join(store, name), text)
	}
	calls = fakePython(t, `cd '`+store+`' || exit; for p in *; do
	grep -q "^$p==1.0 --hash=sha256:0123$" "$lock" && cp -r "$p"/. "$dest" && exit; done
echo 'ERROR: No matching distribution found' >&2; exit 1`)
	return cache, store, calls
}

// filesUnder lists the regular files below dir, relative to it.
func filesUnder(t *testing.T, dir string) (files []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, rel)
		}
		return err
	}))
	return files
}

func TestSetupInstallsOnceWithPip(t *testing.T) {
	cache, _, calls := machine(t, "plugin")
	require.Equal(t, KindGo, must(Choose()).Kind)
	for range 2 {
		c := must(Setup(t.Context(), &strings.Builder{}))
		assert.Equal(t, KindXLACPU, c.Kind)
		assert.Equal(t, filepath.Join(cache, "pjrt", "1.0", "plugin.so"), c.Plugin)
		assert.Equal(t, pinnedCPU.pluginSHA256, must(c.VerifyPlugin()))
	}
	assert.Equal(t, []string{"pjrt/1.0/LICENSE", "pjrt/1.0/plugin.so"}, filesUnder(t, cache))
	lines := string(must(os.ReadFile(calls)))
	assert.Equal(t, 1, strings.Count(lines, "\n"), "the second set-up finds the first")
	assert.Contains(t, lines, "install --require-hashes --only-binary=:all: ")
}

// TestSetupCUDA installs libraries and plugin next to each other, as the plugin's search path requires, with licences.
func TestSetupCUDA(t *testing.T) {
	cache, _, calls := machine(t, "plugin")
	for range 2 {
		require.NoError(t, SetupCUDA(t.Context(), &strings.Builder{}))
	}
	assert.Equal(t, 2, strings.Count(string(must(os.ReadFile(calls))), "--require-hashes"))
	assert.Equal(t, []string{"pjrt/cuda/nvidia/cu13/lib/libcublas.so.13",
		"pjrt/cuda/nvidia/nvidia_cublas-1.dist-info/LICENSE", "pjrt/cuda/plugin/LICENSE",
		"pjrt/cuda/plugin/plugin.so"}, filesUnder(t, cache))
	assert.Equal(t, KindGo, must(Choose()).Kind, "there is no GPU")
}

// TestWrongPluginIsRefused: a plugin that differs from the pinned one leaves no files.
func TestWrongPluginIsRefused(t *testing.T) {
	for _, content := range []string{"plugiN", "plug", ""} {
		cache, _, _ := machine(t, content)
		_, err := Setup(t.Context(), &strings.Builder{})
		assert.ErrorContains(t, err, fsx.SHA256Of([]byte(content)))
		assert.Empty(t, filesUnder(t, cache))
	}
}

// TestDamagedPluginIsFoundAndReplaced: Choose finds a truncated one, the hash an altered one.
func TestDamagedPluginIsFoundAndReplaced(t *testing.T) {
	cache, _, _ := machine(t, "plugin")
	c := must(Setup(t.Context(), &strings.Builder{}))
	require.Equal(t, pinnedCPU.path(cache), c.Plugin, "not a plugin of the user's, which this test would destroy")
	for _, content := range []string{"plug", "plugiN"} {
		write(t, c.Plugin, content)
		_, err := Choose()
		assert.Equal(t, content == "plug", err != nil)
		_, err = c.VerifyPlugin()
		require.Error(t, err)
		repaired := must(Setup(t.Context(), &strings.Builder{}))
		must(repaired.VerifyPlugin())
	}
}

// TestFailedDownloadFallsBackToPureGo, but a package with other content is an error.
func TestFailedDownloadFallsBackToPureGo(t *testing.T) {
	for word, lines := range map[string]string{
		"No matching distribution": "echo 'ERROR: No matching distribution found' >&2; echo 'see the log' >&2; exit 1",
		"pip download": "echo 'WARNING: Retrying after connection broken by NewConnectionError' >&2\n" +
			"echo 'ERROR: No matching distribution found' >&2; exit 1",
		"no pip": "echo '/usr/bin/python3: No module named pip' >&2; exit 1",
		"":       "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES OF THE FILE.' >&2; exit 1",
	} {
		cache, _, _ := machine(t, "plugin")
		fakePython(t, lines)
		var log strings.Builder
		c, err := Setup(t.Context(), &log)
		assert.Equal(t, word == "", err != nil, word)
		assert.True(t, err != nil || c.Kind == KindGo)
		assert.Contains(t, log.String(), word)
		assert.Empty(t, filesUnder(t, cache))
	}
}

func TestRequirePython(t *testing.T) {
	require.NoError(t, RequirePython(t.Context()))
	fakePython(t, "echo 'Python 3.8' >&2; exit 1")
	require.ErrorContains(t, RequirePython(t.Context()), "python3 is Python 3.8: install Python 3.11")
	t.Setenv("PATH", t.TempDir())
	require.ErrorContains(t, RequirePython(t.Context()), "python3 was not found: install Python 3.11")
}

func TestSetupStopsWhenInterrupted(t *testing.T) {
	machine(t, "plugin")
	fakePython(t, "sleep 10")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Setup(ctx, &strings.Builder{})
	require.ErrorContains(t, err, "interrupted")
}

// TestOptionsOfXLAForCUDA: XLA gets the compiler of the wheels in three layouts and tries no Triton kernels. The user's
// own options are kept. TF32 is off.
func TestOptionsOfXLAForCUDA(t *testing.T) {
	assert.Equal(t, "xla:/a/xla_cuda_plugin.so,tf32=false", pluginChoice("/a/xla_cuda_plugin.so", "").Config)
	dir := t.TempDir()
	for plugin, data := range map[string]string{
		"ours/plugin/xla_cuda_plugin.so":          "ours/nvidia/cu13",
		"go-xla/nvidia/pjrt_c_api_cuda_plugin.so": "go-xla/nvidia/cuda_nvcc",

		"site/jax_plugins/xla_cuda13/xla_cuda_plugin.so": "site/nvidia/cu13",
	} {
		write(t, filepath.Join(dir, data, "bin", "ptxas"), "")
		t.Setenv(xlaFlags, "--xla_other")
		t.Setenv(ownChecks, "")
		prepareCUDA(filepath.Join(dir, plugin))
		assert.Equal(t, []string{"--xla_other", noTriton, "--xla_gpu_cuda_data_dir=" + filepath.Join(dir, data)},
			strings.Fields(os.Getenv(xlaFlags)))
	}
	const mine = "--xla_gpu_cuda_data_dir=/mine --xla_gpu_enable_triton_gemm=true"
	t.Setenv(xlaFlags, mine)
	prepareCUDA(filepath.Join(dir, "ours/plugin/xla_cuda_plugin.so"))
	assert.Equal(t, mine, os.Getenv(xlaFlags))
}

// TestLibrariesArePinned: each NVIDIA library has a version and a hash, and both plugins are from one JAX release.
func TestLibrariesArePinned(t *testing.T) {
	assert.Equal(t, pinnedCPU.version, pinnedCUDA.version)
	pins := slices.Collect(strings.SplitSeq(strings.TrimSpace(nvidiaLibraries), "\nnvidia-"))
	require.Greater(t, len(pins), 10)
	for _, pin := range pins[1:] {
		assert.Regexp(t, `^[a-z0-9-]+==[0-9.]+`, pin)
		assert.Contains(t, pin, "--hash=sha256:")
	}
}
