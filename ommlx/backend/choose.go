package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gomlx/compute"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

const (
	// pluginsVariable names folders with plugins, as go-xla has it.
	pluginsVariable = "PJRT_PLUGIN_LIBRARY_PATH"
	xlaName         = "xla"
)

// isCUDA reports whether go-xla takes a plugin of that name for one of NVIDIA GPUs.
func isCUDA(name string) bool {
	name = strings.ToUpper(name)
	return strings.Contains(name, "CUDA") || strings.Contains(name, "NVIDIA")
}

// probe is what the choice depends on, so that tests can put another machine in its place.
type probe struct {
	platform   string          // GOOS/GOARCH
	cache      string          // folder of this project in the user's cache
	config     string          // GOMLX_BACKEND
	pluginPath string          // PJRT_PLUGIN_LIBRARY_PATH
	systemDirs func() []string // go-xla's search path when PJRT_PLUGIN_LIBRARY_PATH is not set
	hasGPU     func() bool     // is there an NVIDIA GPU
	pythonCUDA func() string   // CUDA plugin in the site-packages of the user's Python, or ""
	cpu, cuda  *wheel          // the pinned wheels for the platform, nil where there are none
}

func newProbe() (probe, error) {
	cache, err := fsx.Cache()
	if err != nil {
		return probe{}, err
	}
	p := probe{
		platform:   runtime.GOOS + "/" + runtime.GOARCH,
		cache:      cache,
		config:     os.Getenv(compute.ConfigEnvVar),
		pluginPath: os.Getenv(pluginsVariable),
		systemDirs: systemDirs,
		hasGPU:     hasNvidiaGPU,
		pythonCUDA: pythonCUDA,
	}
	if p.platform == "linux/amd64" {
		p.cpu, p.cuda = &pinnedCPU, &pinnedCUDA
	}
	return p, nil
}

// choose applies the order of preference of the package comment.
func (p probe) choose() (Choice, error) {
	if p.config != "" {
		return p.asAsked()
	}
	fallBack := func(why, remedy string) Choice {
		return Choice{Config: pureGo, Kind: KindGo,
			Reason: why + ", so the pure-Go backend runs (" + slower + ")" + remedy}
	}
	if noXLA != "" {
		return fallBack(noXLA, ""), nil
	}
	if c, err := p.userPlugin(); err != nil || c.Config != "" {
		return c, err
	}
	if p.cuda != nil && p.hasGPU() {
		if c, err := p.gpuPlugin(); err != nil || c.Config != "" {
			return c, err
		}
	}
	if p.cpu == nil {
		return fallBack("no XLA plugin is pinned for "+p.platform,
			"; a PJRT plugin of your own is used when "+pluginsVariable+" names its folder"), nil
	}
	c, err := p.cpu.cached(p.cache)
	if errors.Is(err, fs.ErrNotExist) {
		return fallBack("no XLA plugin is installed", "; `omm setup` installs the plugin with Python's pip"), nil
	}
	return c, err
}

// asAsked takes GOMLX_BACKEND as it is and only describes it. A name that no engine has is an error.
func (p probe) asAsked() (Choice, error) {
	c := Choice{Config: p.config, Kind: KindGo, Reason: fmt.Sprintf("%s=%s chooses the engine",
		compute.ConfigEnvVar, say.Printable(p.config))}
	engine, options, _ := strings.Cut(p.config, ":")
	if engine == "go" {
		return c, nil
	}
	if !slices.Contains(compute.List(), engine) {
		names := " names no engine; it must begin with go or xla, or be unset"
		if noXLA != "" {
			names = " names no engine of this program: " + noXLA + "; it must begin with go, or be unset"
		}
		return Choice{}, fmt.Errorf("%s=%s%s", compute.ConfigEnvVar, say.Printable(p.config), names)
	}
	c.Kind = KindXLA
	name, _, _ := strings.Cut(options, ",")
	if isCUDA(name) {
		c.Kind = KindXLACUDA
	}
	if filepath.IsAbs(name) {
		c.Plugin = name
		if w := p.cpu; w != nil && name == w.pluginPath(p.cache) {
			c.Kind, c.Version, c.SHA256 = KindXLACPU, w.version, w.pluginSHA256
		}
	}
	return c, nil
}

// userPlugin finds a plugin in PJRT_PLUGIN_LIBRARY_PATH or, where that is not set, in go-xla's own folders. A setting
// that names no plugin at all is an error: silently running something else would hide the mistake.
func (p probe) userPlugin() (Choice, error) {
	dirs, where := filepath.SplitList(p.pluginPath), pluginsVariable
	if p.pluginPath == "" {
		dirs, where = p.systemDirs(), "go-xla's search path"
	}
	if file := pickPlugin(findPlugins(dirs), p.hasGPU); file != "" {
		return pluginChoice(file, "your own plugin, found through "+where), nil
	}
	if p.pluginPath != "" {
		return Choice{}, fmt.Errorf("%s=%s holds no usable PJRT plugin "+
			"(a file named pjrt_c_api_<name>_plugin.so): correct it or unset it",
			pluginsVariable, say.Printable(p.pluginPath))
	}
	return Choice{}, nil
}

// gpuPlugin finds the CUDA plugin that Setup installed, or the one of the user's Python.
func (p probe) gpuPlugin() (Choice, error) {
	c, err := p.cuda.cached(p.cache)
	if !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	if file := p.pythonCUDA(); file != "" {
		return pluginChoice(file, "there is an NVIDIA GPU, and your Python has its plugin"), nil
	}
	return Choice{}, nil
}

// pluginChoice describes a plugin file. TF32 is off on CUDA: it keeps ten bits of mantissa, too few for second
// derivatives and for telling close eigenvalues apart.
func pluginChoice(file, reason string) Choice {
	c := Choice{Config: xlaName + ":" + file, Kind: KindXLA, Plugin: file, Reason: reason}
	if isCUDA(filepath.Base(file)) {
		c.Kind = KindXLACUDA
		c.Config += ",tf32=false"
	}
	return c
}
