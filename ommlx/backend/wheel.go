package backend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
)

// wheel is a Python wheel, at a pinned version, that contains a PJRT plugin.
type wheel struct {
	pip.Wheel
	plugin       string   // path of the plugin inside it
	pluginSHA256 string   // the plugin's own sum
	licences     []string // kept beside the plugin
	folder       string   // where it is installed, under pjrt/ in the cache
}

// pinnedCPU is the official XLA CPU plugin of JAX 0.11.2 as the LAMMPS JAX pair style packages it; the JAX
// project itself publishes no CPU plugin with the PJRT C API. Its licence is Apache-2.0.
var pinnedCPU = wheel{
	Wheel: pip.Wheel{
		Project: "lammps-jax-pjrt-cpu", Version: "0.11.2",
		File:   "lammps_jax_pjrt_cpu-0.11.2-py3-none-manylinux_2_27_x86_64.whl",
		SHA256: "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1",
	},
	plugin:       "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
	pluginSHA256: "ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2",
	licences: []string{
		"lammps_jax_pjrt_cpu-0.11.2.dist-info/licenses/LICENSE",
		"lammps_jax_pjrt_cpu-0.11.2.dist-info/licenses/THIRD_PARTY_NOTICES",
	},
	folder: "0.11.2",
}

// pinned returns the wheel where it fits the platform (GOOS/GOARCH), nil elsewhere.
func pinned(platform string, w wheel) *wheel {
	if platform != "linux/amd64" {
		return nil
	}
	return &w
}

// pluginPath is where the plugin lies once installed.
func (w *wheel) pluginPath(cache string) string {
	return filepath.Join(cache, "pjrt", filepath.FromSlash(w.folder), path.Base(w.plugin))
}

// cached describes the installed plugin. The error is fs.ErrNotExist when it is not installed, or a [fsx.Damaged].
func (w *wheel) cached(cache string) (Choice, error) {
	file := w.pluginPath(cache)
	if _, err := os.Stat(file); err != nil {
		return Choice{}, fs.ErrNotExist // a folder in the way or without permission is met when installing
	}
	if err := checkStamp(file, w.pluginSHA256); err != nil {
		if _, damaged := errors.AsType[*fsx.Damaged](err); damaged {
			err = fmt.Errorf("%w; `omm setup` installs it again", err)
		}
		return Choice{}, err
	}
	c := pluginChoice(file, "the plugin that `omm setup` installed")
	if c.Kind != KindXLACUDA {
		c.Kind = KindXLACPU
	}
	c.Version, c.SHA256 = w.Version, w.pluginSHA256
	return c, nil
}

// install downloads the wheel into a temporary folder, verifies it, and moves the plugin and its licences into the
// cache. Each file appears complete or not at all, so that installing twice at the same time does no harm; after an
// error nothing is left behind.
func (w *wheel) install(ctx context.Context, cache string, download pip.Downloader) error {
	dir := filepath.Dir(w.pluginPath(cache))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("the cache folder cannot be made (%w): set %s to a folder that can be written", err,
			fsx.CacheVariable)
	}
	names := slices.Concat(w.licences, []string{w.plugin})
	return w.Unpack(ctx, filepath.Dir(dir), download, names, func(tmp string) error {
		if err := checkStamp(filepath.Join(tmp, path.Base(w.plugin)), w.pluginSHA256); err != nil {
			return fmt.Errorf("nothing was installed: %w", err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		// The stamp comes last; with the time of another process's file it costs one more hash, no more.
		for _, name := range append(names, stampName) {
			name = path.Base(name)
			if err := os.Rename(filepath.Join(tmp, name), filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		return nil
	})
}
