package backend

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"operator-omm/ommlx/internal/place"
)

// wheel is a Python wheel, at a pinned version, that contains a PJRT plugin.
type wheel struct {
	project, version string   // as pip names them
	file, sha256     string   // the wheel
	plugin           string   // path of the plugin inside it
	pluginSHA256     string   // the plugin's own sum
	licences         []string // kept beside the plugin
	folder           string   // where it is installed, under pjrt/ in the cache
}

// pinnedCPU is the official XLA CPU plugin (Apache-2.0) of JAX 0.11.2 as the LAMMPS JAX pair style packages it; the JAX
// project itself publishes no CPU plugin with the PJRT C API.
var pinnedCPU = wheel{
	project: "lammps-jax-pjrt-cpu", version: "0.11.2",
	file:         "lammps_jax_pjrt_cpu-0.11.2-py3-none-manylinux_2_27_x86_64.whl",
	sha256:       "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1",
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

// cached describes the installed plugin. The error is fs.ErrNotExist when it is not installed, or a damagedError.
func (w *wheel) cached(cache string) (Choice, error) {
	file := w.pluginPath(cache)
	if _, err := os.Stat(file); err != nil {
		return Choice{}, fs.ErrNotExist // a folder in the way or without permission is met when installing
	}
	if err := checkStamp(file, w.pluginSHA256); err != nil {
		if _, damaged := errors.AsType[*damagedError](err); damaged {
			err = fmt.Errorf("%w; `omm setup` installs it again", err)
		}
		return Choice{}, err
	}
	c := pluginChoice(file, "the plugin that `omm setup` installed")
	if c.Kind != KindXLACUDA {
		c.Kind = KindXLACPU
	}
	c.Version, c.SHA256 = w.version, w.pluginSHA256
	return c, nil
}

// downloadError is a wheel that could not be had: no Python, no pip, no network, no space. Running without it is
// possible, in contrast to a wheel that came with the wrong content.
type downloadError struct{ error }

func (e downloadError) Unwrap() error { return e.error }

// install downloads the wheel into a temporary folder, verifies it, and moves the plugin and its licences into the
// cache. Each file appears complete or not at all, so that installing twice at the same time does no harm; after an
// error nothing is left behind.
func (w *wheel) install(ctx context.Context, cache string, download downloader) error {
	dir := filepath.Dir(w.pluginPath(cache))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return fmt.Errorf("the cache folder cannot be made (%w): set %s to a folder that can be written", err,
			place.CacheVariable)
	}
	sweep(filepath.Dir(dir))
	tmp, err := os.MkdirTemp(filepath.Dir(dir), unfinished)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := download(ctx, w, tmp); err != nil {
		return err
	}
	file := filepath.Join(tmp, w.file)
	got, err := fileSHA256(file)
	if errors.Is(err, fs.ErrNotExist) {
		return downloadError{fmt.Errorf("pip reported success but did not leave %s", w.file)}
	} else if err != nil {
		return err
	}
	if got != w.sha256 {
		return fmt.Errorf("nothing was installed: %w; try again, and if it stays so, look at what stands between this "+
			"machine and the package index", &damagedError{w.file, w.sha256, got})
	}
	if err := w.extract(file, tmp); err != nil {
		return err
	}
	if err := checkStamp(filepath.Join(tmp, path.Base(w.plugin)), w.pluginSHA256); err != nil {
		return fmt.Errorf("nothing was installed: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// The stamp comes last; with the time of another process's file it costs one more hash, no more.
	for _, name := range slices.Concat(w.licences, []string{w.plugin, stampName}) {
		name = path.Base(name)
		if err := os.Rename(filepath.Join(tmp, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// unfinished is the pattern of the folders in which an installation is prepared.
const unfinished = "installing-*"

// sweep removes what an installation that was killed left behind; one that still runs is younger than an hour.
func sweep(dir string) {
	left, _ := fs.Glob(os.DirFS(dir), unfinished) // fails only on a malformed pattern
	for _, name := range left {
		folder := filepath.Join(dir, name)
		if info, err := os.Stat(folder); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.RemoveAll(folder)
		}
	}
}

// extract unpacks the plugin and its licences from the wheel into dir, without folders.
func (w *wheel) extract(file, dir string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return fmt.Errorf("%s cannot be unpacked: %w", w.file, err)
	}
	defer z.Close()
	for _, name := range slices.Concat(w.licences, []string{w.plugin}) {
		if err := extractFile(z, name, filepath.Join(dir, path.Base(name))); err != nil {
			return fmt.Errorf("unpacking %s from %s: %w", name, w.file, err)
		}
	}
	return nil
}

func extractFile(z *zip.ReadCloser, name, to string) error {
	src, err := z.Open(name)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		dst.Close()
		return err
	}
	return dst.Close()
}
