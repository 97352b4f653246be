package backend

import (
	"cmp"
	"context"
	_ "embed"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pinnedCUDA is the CUDA 13 plugin of the JAX project, of the same release and licence as the CPU plugin. Its search
// path ($ORIGIN/../nvidia) requires plugin/ next to nvidia/.
var pinnedCUDA = wheel{
	about: "CUDA plugin", takes: "with NVIDIA's libraries 2.2 GB, under NVIDIA's licence",
	project: "jax-cuda13-pjrt", version: "0.11.2",
	sha256:       "e5ff589d43064913bb74027682d89639c7ea48f9f81c2bae6fc75117e913f93e",
	plugin:       "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
	pluginSHA256: "43d3efd6fd43d8a5d9aa67176e830d81e4ad5fc19fda4ad09cdcc4aebd9f3920",
	folder:       "cuda13.2.2-0.11.2/plugin",
	libraries:    nvidiaLibraries,
}

// nvidiaLibraries pins NVIDIA's wheels of the proprietary libraries that the plugin loads: CUDA 13.2.2 (cuda-toolkit),
// with the cuDNN, NCCL and NVSHMEM that PyTorch 2.15.0 uses with it, as jax-cuda13-plugin[with-cuda] 0.11.2 requires.
//
//go:embed nvidia.txt
var nvidiaLibraries string

// installLibraries puts NVIDIA's libraries into home/nvidia, unless they are there, with the metadata of the wheels,
// which includes the licences.
func installLibraries(ctx context.Context, libraries, home string) error {
	if _, err := os.Stat(filepath.Join(home, "nvidia")); err == nil {
		return nil
	}
	tmp, err := os.MkdirTemp(home, "installing-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := InstallLocked(ctx, "python3", libraries, "-r ommlx/backend/nvidia.txt", "--target", tmp); err != nil {
		return err
	}
	metadata, _ := fs.Glob(os.DirFS(tmp), "*.dist-info") // fails only on a malformed pattern
	for _, name := range metadata {
		if err := os.Rename(filepath.Join(tmp, name), filepath.Join(tmp, "nvidia", name)); err != nil {
			return err
		}
	}
	// Another process may have been faster; its libraries are the same.
	if err := os.Rename(filepath.Join(tmp, "nvidia"), filepath.Join(home, "nvidia")); !os.IsExist(err) {
		return err
	}
	return nil
}

// hasNvidiaGPU looks for the driver's control device, and then for a device listed by nvidia-smi (WSL has no device
// file).
func hasNvidiaGPU() bool {
	if _, err := os.Stat("/dev/nvidiactl"); err == nil {
		return true
	}
	out, err := exec.Command("nvidia-smi", "-L").Output()
	return err == nil && strings.HasPrefix(string(out), "GPU ")
}

// xlaFlags is the environment variable with XLA's options.
const xlaFlags = "XLA_FLAGS"

// noTriton leaves matrix products to cuBLAS. Trying Triton's kernels for each product makes compilation slow (75 s
// instead of 10 s for hydrogen's step on an H100, which is then no faster), and the bits of a training differ between
// starts.
const noTriton = "--xla_gpu_enable_triton_gemm=false"

// ownChecks is go-xla's variable that, set to 0, suppresses a warning if NVIDIA's libraries are not next to the plugin.
const ownChecks = "GOPJRT_CUDA_CHECKS"

// prepareCUDA adds XLA's options for a CUDA plugin to the user's: [noTriton], and the folder of CUDA's compilers if
// they were installed as wheels: in nvidia/ one folder above the plugin, as in our layout and go-xla's, or two above
// it, as in Python's site-packages. XLA finds a system-wide CUDA by itself.
func prepareCUDA(plugin string) {
	flags := []string{noTriton}
	up := filepath.Dir(filepath.Dir(plugin))
	for _, dir := range []string{filepath.Join(up, "nvidia", "cu13"), filepath.Join(up, "nvidia", "cuda_nvcc"),
		filepath.Join(filepath.Dir(up), "nvidia", "cu13")} {
		if _, err := os.Stat(dir); err == nil {
			flags = append(flags, "--xla_gpu_cuda_data_dir="+dir)
			break
		}
	}
	all := os.Getenv(xlaFlags)
	for _, flag := range flags {
		if name, _, _ := strings.Cut(flag, "="); !strings.Contains(all, name) {
			all = strings.TrimSpace(all + " " + flag)
		}
	}
	_ = os.Setenv(xlaFlags, all) // fails only on a malformed name
	_ = os.Setenv(ownChecks, cmp.Or(os.Getenv(ownChecks), "0"))
}
