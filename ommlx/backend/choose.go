package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// Choice is the engine that runs the graphs, and why.
type Choice struct {
	Config  string // configuration for compute.NewWithConfig, e.g. "xla:/path/plugin.so"
	Kind    string // one of the Kind constants
	Plugin  string // absolute path of the PJRT plugin; empty for pure Go
	Version string // pinned version of a plugin that Setup installed; empty otherwise
	SHA256  string // SHA-256 of the plugin file that Setup verified; empty for a user's plugin
	Reason  string // one sentence for the user
}

// pluginsVariable names the environment variable that lists go-xla's plugin folders.
const pluginsVariable = "PJRT_PLUGIN_LIBRARY_PATH"

// Choose returns the engine to use, in the order of the package comment. It never downloads. It returns an error if a
// setting names nothing usable or an installed plugin is truncated.
func Choose() (Choice, error) {
	cache, err := fsx.Cache()
	if err != nil {
		return Choice{}, err
	}
	if config := os.Getenv(compute.ConfigEnvVar); config != "" {
		return asked(config, cache)
	}
	fallBack := func(why, remedy string) (Choice, error) {
		return Choice{Config: pureGo, Kind: KindGo,
			Reason: why + ", so the pure-Go backend runs (" + slower + ")" + remedy}, nil
	}
	if noXLA != "" {
		return fallBack(noXLA, "")
	}
	file, err := ownPlugin()
	if file != "" || err != nil {
		return pluginChoice(file, "your own plugin, found by go-xla"), err
	}
	if folders := os.Getenv(pluginsVariable); folders != "" {
		return Choice{}, fmt.Errorf("%s=%s has no usable PJRT plugin (a file named pjrt_c_api_<name>_plugin.so): "+
			"correct it or unset it", pluginsVariable, say.Printable(folders))
	}
	if !pinned {
		return fallBack("no XLA plugin is pinned for this system",
			"; a PJRT plugin of your own is used if "+pluginsVariable+" names its folder")
	}
	if pinnedCUDA.isInstalled(cache) && hasNvidiaGPU() {
		return pinnedCUDA.choice(cache)
	}
	if pinnedCPU.isInstalled(cache) {
		return pinnedCPU.choice(cache)
	}
	return fallBack("no XLA plugin is installed", "; `omm setup` installs the plugin with Python's pip")
}

// asked describes the engine that GOMLX_BACKEND names, or returns an error for an unknown name.
func asked(config, cache string) (Choice, error) {
	c := Choice{Config: config, Kind: KindGo,
		Reason: fmt.Sprintf("%s=%s chooses the engine", compute.ConfigEnvVar, say.Printable(config))}
	engine, options, _ := strings.Cut(config, ":")
	if config == "go" {
		c.Config = pureGo
	}
	if engine == "go" {
		return c, nil
	}
	if !slices.Contains(compute.List(), engine) {
		return Choice{}, fmt.Errorf("%s=%s: unknown engine; start it with go or xla, or unset it",
			compute.ConfigEnvVar, say.Printable(config))
	}
	c.Kind = KindXLA
	name, _, _ := strings.Cut(options, ",")
	if isCUDA(name) {
		c.Kind = KindXLACUDA
	}
	if filepath.IsAbs(name) {
		c.Plugin = name
	}
	if name == pinnedCPU.path(cache) {
		c.Kind, c.Version, c.SHA256 = KindXLACPU, pinnedCPU.version, pinnedCPU.pluginSHA256
	}
	return c, nil
}

// isCUDA reports whether go-xla treats a plugin of that name as one for NVIDIA GPUs.
func isCUDA(name string) bool {
	name = strings.ToUpper(name)
	return strings.Contains(name, "CUDA") || strings.Contains(name, "NVIDIA")
}

// pluginChoice describes a plugin file. TF32 is off on CUDA: its ten bits of mantissa are too few for second
// derivatives and for close eigenvalues.
func pluginChoice(file, reason string) Choice {
	c := Choice{Config: "xla:" + file, Kind: KindXLA, Plugin: file, Reason: reason}
	if isCUDA(filepath.Base(file)) {
		c.Kind = KindXLACUDA
		c.Config += ",tf32=false"
	}
	return c
}

// VerifyPlugin hashes the plugin file and returns its SHA-256 in hexadecimal, "" without a plugin. It returns an error
// if the file cannot be read or is not the pinned one.
func (c Choice) VerifyPlugin() (string, error) {
	if c.Plugin == "" {
		return "", nil
	}
	return verify(c.Plugin, c.SHA256)
}

// verify hashes a file, and returns an error if want is not empty and differs.
func verify(file, want string) (sum string, err error) {
	sum, err = fsx.SHA256(file)
	if err == nil && want != "" && sum != want {
		err = fmt.Errorf("%s: SHA-256 is %s, want %s; the file is truncated or altered", file, sum, want)
	}
	return sum, err
}
