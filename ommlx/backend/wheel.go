package backend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"omm-go/ommlx/internal/fsx"
)

// wheel is a Python wheel, at a pinned version, that contains a PJRT plugin.
type wheel struct {
	about            string   // the plugin in words
	takes            string   // what else to know before it is downloaded
	project, version string   // as pip names them
	sha256           string   // of the wheel, in hexadecimal
	plugin           string   // path of the plugin inside it
	pluginSHA256     string   // the plugin's own sum
	licences         []string // kept beside the plugin
	folder           string   // where it is installed, under pjrt/ in the cache
	libraries        string   // requirements with hashes, installed beside that folder in nvidia/; may be empty
}

// pinnedCPU is the official XLA CPU plugin of JAX 0.11.2 as the LAMMPS JAX pair style packages it; the JAX
// project itself publishes no CPU plugin with the PJRT C API. Its licence is Apache-2.0.
var pinnedCPU = wheel{
	about: "XLA CPU plugin", takes: "63 MB",
	project: "lammps-jax-pjrt-cpu", version: "0.11.2",
	sha256:       "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1",
	plugin:       "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
	pluginSHA256: "ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2",
	licences: []string{
		"lammps_jax_pjrt_cpu-0.11.2.dist-info/licenses/LICENSE",
		"lammps_jax_pjrt_cpu-0.11.2.dist-info/licenses/THIRD_PARTY_NOTICES",
	},
	folder: "0.11.2",
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
	c.Version, c.SHA256 = w.version, w.pluginSHA256
	return c, nil
}

// get installs the plugin and what it needs in the cache, unless it is there, and says so on log. Each file appears
// complete or not at all, so that installing twice at the same time does no harm; after an error no plugin is left
// behind that lacks something. The error is a [unavailable] where something could not be had.
func (w *wheel) get(ctx context.Context, cache string, log io.Writer) error {
	file := w.pluginPath(cache)
	if _, err := w.cached(cache); err == nil {
		fmt.Fprintf(log, "The %s %s is installed: %s\n", w.about, w.version, file)
		return nil
	}
	fmt.Fprintf(log, "Getting the %s %s with pip (%s) …\n", w.about, w.version, w.takes)
	dir := filepath.Dir(file)
	home := filepath.Dir(dir)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return fmt.Errorf("the cache folder cannot be made (%w): set %s to a folder that can be written", err,
			fsx.CacheVariable)
	}
	if w.libraries != "" {
		if err := installLibraries(ctx, w.libraries, home); err != nil {
			return err
		}
	}
	tmp, err := temporary(home)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	lock := fmt.Sprintf("%s==%s --hash=sha256:%s\n", w.project, w.version, w.sha256)
	if err := InstallLocked(ctx, "python3", lock, "--no-deps", "--target", tmp); err != nil {
		return err
	}
	came := filepath.Join(tmp, w.plugin)
	err = flush(came)
	if errors.Is(err, fs.ErrNotExist) {
		return unavailable{Cause: fmt.Errorf("pip reported success but did not leave %s", w.plugin)}
	}
	if err == nil {
		_, err = verify(came, w.pluginSHA256)
	}
	if err != nil {
		return fmt.Errorf("nothing was installed: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range append(slices.Clone(w.licences), w.plugin) {
		if err := os.Rename(filepath.Join(tmp, name), filepath.Join(dir, path.Base(name))); err != nil {
			return err
		}
	}
	fmt.Fprintf(log, "Installed and verified: %s\n", file)
	return nil
}

// flush brings a file to the disk: once it is said to be verified, it must be whole after a loss of power.
func flush(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// stampName is the file beside an installed plugin that says what was verified.
const stampName = "verified.json"

// stampOf lets a later start trust an installed plugin, with this sum, without hashing its 200 MB again: as it was last
// changed, until the machine is booted. It is nil where that cannot be told.
func stampOf(file, sum string) []byte {
	of := identity(file)
	if of == "" {
		return nil
	}
	return fmt.Appendf(nil, `{"sha256":%q,"of":%q}`, sum, of)
}

// checkStamp verifies that file is the one with the wanted sum: by its stamp, otherwise by hashing it. A cache that was
// moved or copied is hashed once, one that cannot be written each time.
func checkStamp(file, want string) error {
	stamp, path := stampOf(file, want), filepath.Join(filepath.Dir(file), stampName)
	if text, err := os.ReadFile(path); err == nil && stamp != nil && bytes.Equal(text, stamp) {
		return nil
	}
	if _, err := verify(file, want); err != nil {
		return err
	}
	_ = fsx.Write(path, stamp) // a cache that cannot be written is only slower
	return nil
}

// verify hashes a file, and returns an error where that is not the sum wanted, unless that is empty.
func verify(file, want string) (sum string, err error) {
	sum, err = fsx.SHA256(file)
	if err == nil && want != "" && sum != want {
		err = &fsx.Damaged{Path: file, Want: want, Got: sum}
	}
	return sum, err
}

// VerifyPlugin hashes the plugin file now and returns its SHA-256 in hexadecimal, "" without a plugin. The error says
// that the file cannot be read, or that it is not the pinned one; one of the user's own has no sum to compare with.
func (c Choice) VerifyPlugin() (string, error) {
	if c.Plugin == "" {
		return "", nil
	}
	return verify(c.Plugin, c.SHA256)
}
