package backend

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

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

// unavailable is the error of a package that cannot be installed for lack of Python, pip or a network. A package whose
// content differs from the pinned one is another error.
type unavailable struct{ error }

// RequirePython returns an error unless python3 is Python 3.11 or later, which the pinned packages for notebooks need.
func RequirePython(ctx context.Context) error {
	const tooOld = "import sys; sys.exit(sys.version_info < (3, 11) and 'Python %d.%d' % sys.version_info[:2])"
	path, err := exec.LookPath("python3")
	if err != nil {
		return fmt.Errorf("python3 was not found: %s", wantedPython)
	}
	output, err := exec.CommandContext(ctx, path, "-c", tooOld).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s is %s: %s", path, cmp.Or(say.Printable(string(output)), err.Error()), wantedPython)
	}
	return nil
}

const wantedPython = "install Python 3.11 or later with pip and put it first on the PATH " +
	"(Debian and Ubuntu: apt install python3-pip python3-venv)"

// InstallLocked installs the packages of a requirements file with hashes, using the pip of a Python given by name or
// path: the user's own pip has their mirror, proxy and certificates. options are passed to `pip install`. what selects
// the packages for `pip download`, for the message if there is no network.
func InstallLocked(ctx context.Context, python, lock, what string, options ...string) error {
	path, err := exec.LookPath(python)
	if err != nil {
		return unavailable{fmt.Errorf("%s was not found: %s", python, wantedPython)}
	}
	args := []string{"-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2", "install",
		"--require-hashes", "--only-binary=:all:", "--requirement", "/dev/stdin"}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, path, append(args, options...)...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(lock), &stderr
	switch err = cmd.Run(); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errors.New("interrupted while pip was downloading")
	case strings.Contains(stderr.String(), "No module named pip"):
		return unavailable{fmt.Errorf("%s has no pip: install it (Debian and Ubuntu: apt install python3-pip)", path)}
	case strings.Contains(stderr.String(), "DO NOT MATCH THE HASHES"):
		return errors.New("nothing was installed: a package differs from the pinned one; check the proxy or mirror")
	}
	if strings.Contains(stderr.String(), "connection broken by") {
		return unavailable{fmt.Errorf("pip reached no package index: connect to a network, or run `pip download "+
			"--only-binary=:all: %s` where there is one and set PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER to the folder "+
			"of its files", what)}
	}
	cause := err.Error()
	if i := strings.LastIndex(stderr.String(), "ERROR: "); i >= 0 {
		cause, _, _ = strings.Cut(stderr.String()[i:], "\n")
	}
	return unavailable{fmt.Errorf("pip failed: %s", say.Printable(cause))}
}
