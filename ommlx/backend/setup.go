package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// wheel is a Python wheel, at a pinned version, that contains a PJRT plugin.
type wheel struct {
	about            string   // name of the plugin in messages
	takes            string   // size and licence, shown before the download
	project, version string   // in pip's terms
	sha256           string   // of the wheel, in hexadecimal
	plugin           string   // path of the plugin in the wheel
	pluginSHA256     string   // of the plugin file
	pluginBytes      int64    // size of the plugin file; 0: not checked
	licences         []string // kept next to the plugin
	folder           string   // where it is installed, under pjrt/ in the cache
	libraries        string   // requirements with hashes, installed in nvidia/ next to that folder; may be empty
}

// pinnedCPU is the official XLA CPU plugin of JAX 0.11.2, as packaged by the LAMMPS JAX pair style: the JAX project
// itself publishes no CPU plugin with the PJRT C API. Its licence is Apache-2.0.
var pinnedCPU = wheel{
	about: "XLA CPU plugin", takes: "63 MB",
	project: "lammps-jax-pjrt-cpu", version: "0.11.2",
	sha256:       "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1",
	plugin:       "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
	pluginSHA256: "ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2",
	pluginBytes:  201_600_336,
	licences: []string{
		"lammps_jax_pjrt_cpu-0.11.2.dist-info/licenses/LICENSE",
		"lammps_jax_pjrt_cpu-0.11.2.dist-info/licenses/THIRD_PARTY_NOTICES",
	},
	folder: "0.11.2",
}

// path is the path of the installed plugin.
func (w *wheel) path(cache string) string {
	return filepath.Join(cache, "pjrt", filepath.FromSlash(w.folder), path.Base(w.plugin))
}

func (w *wheel) isInstalled(cache string) bool {
	_, err := os.Stat(w.path(cache))
	return err == nil
}

// choice describes the installed plugin. It checks only the size, since loading a truncated file would kill the
// process. Setup and `omm doctor` check the hash.
func (w *wheel) choice(cache string) (Choice, error) {
	c := pluginChoice(w.path(cache), "the plugin that `omm setup` installed")
	if c.Kind != KindXLACUDA {
		c.Kind = KindXLACPU
	}
	c.Version, c.SHA256 = w.version, w.pluginSHA256
	if info, err := os.Stat(c.Plugin); err != nil || w.pluginBytes > 0 && info.Size() != w.pluginBytes {
		return Choice{}, fmt.Errorf("%s is truncated or altered; `omm setup` installs it again", c.Plugin)
	}
	return c, nil
}

// Setup installs the pinned XLA plugins that this machine can use, reports on log, and returns the resulting choice. It
// verifies installed plugins and replaces damaged ones.
//
// If a plugin is unavailable, Setup reports it on log and returns the next best engine. A download that differs from
// the pinned content is an error.
func Setup(ctx context.Context, log io.Writer) (Choice, error) {
	cache, err := fsx.Cache()
	if err != nil {
		return Choice{}, err
	}
	c, err := Choose()
	if Asked() && err != nil {
		return c, err
	}
	if own := c.Plugin != "" && c.Version == ""; Asked() || own || !pinned {
		if err == nil {
			fmt.Fprintf(log, "Nothing to install: %s.\n", c.Reason)
		}
		return c, err
	}
	wheels := []*wheel{&pinnedCPU}
	if hasNvidiaGPU() {
		wheels = []*wheel{&pinnedCUDA, &pinnedCPU}
	}
	for _, w := range wheels {
		err := w.get(ctx, cache, log)
		if err == nil {
			break
		}
		if _, ok := errors.AsType[unavailable](err); !ok {
			return Choice{}, err
		}
		fmt.Fprintf(log, "The %s was not installed: %s. `omm setup` tries again.\n", w.about, say.FirstLine(err))
	}
	return Choose()
}

// SetupCUDA installs the pinned CUDA plugin with NVIDIA's libraries whether or not there is a GPU, for container
// images, and reports on log.
func SetupCUDA(ctx context.Context, log io.Writer) error {
	cache, err := fsx.Cache()
	if err != nil {
		return err
	}
	if !pinned {
		return errors.New("no CUDA plugin is pinned for this system")
	}
	return pinnedCUDA.get(ctx, cache, log)
}

// get installs the plugin and its requirements in the cache, unless an intact one is there. The plugin appears complete
// or not at all, so concurrent installations do no harm. The error is [unavailable] if something cannot be downloaded.
func (w *wheel) get(ctx context.Context, cache string, log io.Writer) error {
	file := w.path(cache)
	if w.isInstalled(cache) {
		_, err := verify(file, w.pluginSHA256)
		if err == nil {
			fmt.Fprintf(log, "The %s %s is installed: %s\n", w.about, w.version, file)
			return nil
		}
		fmt.Fprintf(log, "%s: replacing it.\n", say.FirstLine(err))
	}
	fmt.Fprintf(log, "Getting the %s %s with pip (%s) …\n", w.about, w.version, w.takes)
	dir := filepath.Dir(file)
	home := filepath.Dir(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot create the cache folder: %w; set %s to a writable folder", err,
			fsx.CacheVariable)
	}
	if w.libraries != "" {
		if err := installLibraries(ctx, w.libraries, home); err != nil {
			return err
		}
	}
	tmp, err := os.MkdirTemp(home, "installing-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	release := w.project + "==" + w.version
	lock := fmt.Sprintf("%s --hash=sha256:%s\n", release, w.sha256)
	if err := InstallLocked(ctx, "python3", lock, "--no-deps "+release, "--no-deps", "--target", tmp); err != nil {
		return err
	}
	if _, err := verify(filepath.Join(tmp, w.plugin), w.pluginSHA256); err != nil {
		return fmt.Errorf("nothing was installed: %w", err)
	}
	for _, name := range append(slices.Clone(w.licences), w.plugin) {
		if err := os.Rename(filepath.Join(tmp, name), filepath.Join(dir, path.Base(name))); err != nil {
			return err
		}
	}
	fmt.Fprintf(log, "Installed and verified: %s\n", file)
	return nil
}
