package backend

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withGPU is a machine for whose CPU and GPU pip can install plugins, and libraries for the latter.
func withGPU(t *testing.T) (p probe, calls string) {
	store := t.TempDir()
	p = machine(t, fakeWheel(t, store, "cpu", "cpu"))
	p.cuda, p.hasGPU = fakeWheel(t, store, "cuda", "cuda"), yes
	p.cuda.folder, p.cuda.libraries = "cuda/plugin", "libraries==1.0 --hash=sha256:0123"
	touch(t, store, "libraries", "nvidia", "cu13", "lib", "libcublas.so.13")
	touch(t, store, "libraries", "nvidia_cublas-1.dist-info", "LICENSE")
	return p, fakePip(t, store)
}

// TestSetupOnAGPUMachine installs libraries and plugin side by side, as the plugin's search path wants them, and the
// licences with them. The choice on a machine without a GPU that was prepared for one with it stays the CPU.
func TestSetupOnAGPUMachine(t *testing.T) {
	p, calls := withGPU(t)
	var log strings.Builder
	for range 2 {
		require.NoError(t, p.cuda.get(t.Context(), p.cache, &log))
	}
	assert.Equal(t, 1, strings.Count(log.String(), "Getting"), "the second set-up finds the first")
	assert.Equal(t, 2, strings.Count(string(must(os.ReadFile(calls))), "--require-hashes"))
	assert.Equal(t, []string{"pjrt/cuda/nvidia/cu13/lib/libcublas.so.13",
		"pjrt/cuda/nvidia/nvidia_cublas-1.dist-info/LICENSE", "pjrt/cuda/plugin/LICENSE",
		"pjrt/cuda/plugin/pjrt_c_api_cpu_plugin.so", "pjrt/cuda/plugin/verified.json"}, filesUnder(t, p.cache))
	p.pythonCUDA = func() string { return "/python/xla_cuda_plugin.so" }
	c := must(p.setup(t.Context(), &log))
	assert.Equal(t, p.cuda.pluginPath(p.cache), c.Plugin)
	p.hasGPU = func() bool { return false }
	c = must(p.setup(t.Context(), &log))
	assert.Equal(t, p.cpu.pluginPath(p.cache), c.Plugin)
}

func TestGPUMachineWithoutNetworkUsesTheCPU(t *testing.T) {
	p, _ := withGPU(t)
	p.cuda.libraries = "nowhere"
	var log strings.Builder
	c := must(p.setup(t.Context(), &log))
	assert.Equal(t, KindXLACPU, c.Kind)
	assert.Contains(t, log.String(), "No matching distribution found; going on with the CPU.")
	assert.Len(t, filesUnder(t, p.cache), 3)
}

// TestLibrariesFitThePlugin compares the pinned libraries with what jax-cuda13-plugin[with-cuda] of the plugin's
// version asks for, and with each other: CUDA's own parts are of one release.
func TestLibrariesFitThePlugin(t *testing.T) {
	require.Equal(t, "0.11.2", pinnedCUDA.version, "this list is of that version")
	asked := map[string][2]string{
		"nvidia-cublas": {"13.0.0.19", "14"}, "nvidia-cuda-cupti": {"13.0.48", "14"},
		"nvidia-cuda-nvcc": {"13.0.48", "14"}, "nvidia-cuda-nvrtc": {"13.0.48", "14"},
		"nvidia-cuda-runtime": {"13.0.48", "14"}, "nvidia-cudnn-cu13": {"9.12.0.46", "10"},
		"nvidia-cufft": {"12.0.0.15", "13"}, "nvidia-cusolver": {"12.0.3.29", "13"},
		"nvidia-cusparse": {"12.6.2.49", "13"}, "nvidia-nccl-cu13": {"2.27.7", "3"},
		"nvidia-nvjitlink": {"13.0.39", "14"}, "nvidia-nvshmem-cu13": {"3.3.20", "4"}, "nvidia-nvvm": {"13.0", "14"},
	}
	release := regexp.MustCompile(`^nvidia-(cuda-.*|nvjitlink|nvvm)$`)
	pins := regexp.MustCompile(`(?m)^([a-z0-9-]+)==(\S+)`)
	for _, pin := range pins.FindAllStringSubmatch(nvidiaLibraries, -1) {
		project, version := pin[1], pin[2]
		if release.MatchString(project) {
			assert.Equal(t, "13.2.86", version, project)
		}
		if bounds, ok := asked[project]; ok {
			assert.GreaterOrEqual(t, slices.Compare(numbers(t, version), numbers(t, bounds[0])), 0, project)
			assert.Negative(t, slices.Compare(numbers(t, version), numbers(t, bounds[1])), project)
		}
		delete(asked, project)
	}
	assert.Empty(t, asked, "not pinned")
	assert.Equal(t, pinnedCPU.version, pinnedCUDA.version, "both plugins are of one release of JAX")
}

// numbers splits a version at its dots.
func numbers(t *testing.T, version string) (parts []int) {
	for part := range strings.SplitSeq(version, ".") {
		n := must(strconv.Atoi(part))
		parts = append(parts, n)
	}
	return parts
}

// XLA finds the compiler of the wheels in the three layouts in which the CUDA plugin is found, and tries no kernels.
// What the user has set stays.
func TestOptionsOfXLAForCUDA(t *testing.T) {
	dir := t.TempDir()
	for _, layout := range []struct{ plugin, data string }{
		{"ours/plugin/xla_cuda_plugin.so", "ours/nvidia/cu13"},
		{"site/jax_plugins/xla_cuda13/xla_cuda_plugin.so", "site/nvidia/cu13"},
		{"go-xla/nvidia/pjrt_c_api_cuda_plugin.so", "go-xla/nvidia/cuda_nvcc"},
	} {
		touch(t, dir, layout.data, "bin", "ptxas")
		t.Setenv(xlaFlags, "--xla_other")
		t.Setenv(ownChecks, "")
		prepareCUDA(filepath.Join(dir, layout.plugin))
		assertFlags(t, "--xla_other "+noTriton+" --xla_gpu_cuda_data_dir="+filepath.Join(dir, layout.data))
		assert.Equal(t, "0", os.Getenv(ownChecks))
	}
	const mine = "--xla_gpu_cuda_data_dir=/mine --xla_gpu_enable_triton_gemm=true"
	t.Setenv(xlaFlags, mine)
	t.Setenv(ownChecks, "1")
	prepareCUDA(filepath.Join(dir, "ours/plugin/xla_cuda_plugin.so"))
	assertFlags(t, mine)
	assert.Equal(t, "1", os.Getenv(ownChecks))
}
