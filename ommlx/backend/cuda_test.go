package backend

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/piptest"
)

// TestSetupOnAGPUMachine installs libraries and plugin side by side, as the plugin's search path wants them.
func TestSetupOnAGPUMachine(t *testing.T) {
	p := machine(t, fakeWheel(t, t.TempDir(), "cpu"))
	cudaStore := t.TempDir()
	p.cuda, p.hasGPU = fakeWheel(t, cudaStore, "cuda"), yes
	p.cuda.folder = "cuda/plugin"
	libraries := func(_ context.Context, dir string) error {
		touch(t, dir, "nvidia", "cu13", "lib", "libcublas.so.13")
		return nil
	}
	_, err := p.setup(t.Context(), &strings.Builder{}, piptest.CopyFrom(cudaStore), libraries)
	require.NoError(t, err)
	assert.Equal(t, []string{"pjrt/cuda/nvidia/cu13/lib/libcublas.so.13", "pjrt/cuda/plugin/LICENSE",
		"pjrt/cuda/plugin/pjrt_c_api_cpu_plugin.so", "pjrt/cuda/plugin/verified.json"}, filesUnder(t, p.cache))
}

func TestGPUMachineWithoutNetworkUsesTheCPU(t *testing.T) {
	store := t.TempDir()
	p := machine(t, fakeWheel(t, store, "cpu"))
	p.cuda, p.hasGPU = &wheel{plugin: "x/xla_cuda_plugin.so", folder: "cuda/plugin"}, yes
	var log strings.Builder
	c, err := p.setup(t.Context(), &log, piptest.CopyFrom(store),
		func(context.Context, string) error { return pip.Unavailable{Cause: errors.New("no route to host")} })
	require.NoError(t, err)
	assert.Equal(t, KindXLACPU, c.Kind)
	assert.Contains(t, log.String(), "no route to host")
	assert.Len(t, filesUnder(t, p.cache), 3)
}

func TestPipGetsTheLibrariesByVersion(t *testing.T) {
	calls := piptest.Python(t, `mkdir -p "$dest/nvidia"`)
	dir := t.TempDir()
	require.NoError(t, pipInstallLibraries(t.Context(), dir))
	assert.DirExists(t, filepath.Join(dir, "nvidia"))
	assert.FileExists(t, calls)
}

// TestXLAFindsTheCompilerOfTheWheels covers the three layouts in which the CUDA plugin is found.
func TestXLAFindsTheCompilerOfTheWheels(t *testing.T) {
	dir := t.TempDir()
	for _, layout := range []struct{ plugin, data string }{
		{"ours/plugin/xla_cuda_plugin.so", "ours/nvidia/cu13"},
		{"site/jax_plugins/xla_cuda13/xla_cuda_plugin.so", "site/nvidia/cu13"},
		{"go-xla/nvidia/pjrt_c_api_cuda_plugin.so", "go-xla/nvidia/cuda_nvcc"},
	} {
		touch(t, dir, layout.data, "bin", "ptxas")
		t.Setenv(xlaFlags, "--xla_other")
		require.NoError(t, prepareCUDA(filepath.Join(dir, layout.plugin)))
		assertFlags(t, "--xla_other --xla_gpu_cuda_data_dir="+filepath.Join(dir, layout.data))
	}
	t.Setenv(xlaFlags, "--xla_gpu_cuda_data_dir=/mine")
	require.NoError(t, prepareCUDA(filepath.Join(dir, "ours/plugin/xla_cuda_plugin.so")))
	assertFlags(t, "--xla_gpu_cuda_data_dir=/mine")
}
