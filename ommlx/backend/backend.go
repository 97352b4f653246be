// Package backend decides which engine runs the computation graphs, installs that engine if need be, and opens it.
//
// In order of preference: what the user asked for (GOMLX_BACKEND), a PJRT plugin that the user has
// (PJRT_PLUGIN_LIBRARY_PATH or the search path of go-xla), the CUDA plugin where there is an NVIDIA GPU, the XLA CPU
// plugin that Setup installed into the user's cache, and at last GoMLX's pure-Go backend, which needs nothing
// installed. On two cores that is 20 times slower than XLA on an MLP and 35 times on forward Laplacians.
package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend" // registers "go"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// Kinds of engine, as recorded in Choice.Kind and in the provenance of results.
const (
	KindXLACPU  = "xla-cpu"  // the XLA CPU plugin that Setup installed
	KindXLACUDA = "xla-cuda" // a PJRT plugin for NVIDIA GPUs, whoever installed it
	KindXLA     = "xla"      // another PJRT plugin of the user's own
	KindGo      = "go"       // GoMLX's pure-Go backend
)

// pureGo runs the operations one after the other: with the default scheduling, repeated calls can deadlock
// (compute v0.1.2).
const pureGo = "go:ops_sequential"

// slower says what the pure-Go backend costs.
const slower = "20 times slower on an MLP, 35 times on forward Laplacians"

// QuietVariable names the environment variable that, set to anything, leaves out the line with which [Open] tells that
// it fell back to the pure-Go backend.
const QuietVariable = "OMM_QUIET"

// Choice says which engine runs the graphs, and why.
type Choice struct {
	Config  string // configuration for compute.NewWithConfig, e.g. "xla:/path/plugin.so"
	Kind    string // one of the Kind constants
	Plugin  string // absolute path of the PJRT plugin; empty for pure Go
	Version string // pinned version of a plugin that Setup installed; empty otherwise
	SHA256  string // SHA-256 of the plugin file as Setup verified it; empty for a plugin of the user's own
	Reason  string // one sentence for people
}

// Choose looks for the engine to use. It never downloads and never loads a plugin. The error is a setting that points
// nowhere, or a cached plugin that was damaged after its installation.
func Choose() (Choice, error) {
	p, err := newProbe()
	if err != nil {
		return Choice{}, err
	}
	return p.choose()
}

// process holds what this process opened: PJRT plugins can be loaded only once per process.
var process = sync.OnceValue(func() (o struct {
	backend compute.Backend
	choice  Choice
	err     error
}) {
	if o.choice, o.err = Choose(); o.err == nil {
		o.backend, o.err = o.choice.open()
	}
	if o.err == nil && o.choice.Kind == KindGo && !Asked() && os.Getenv(QuietVariable) == "" {
		fmt.Fprintf(os.Stderr, "ommlx: %s; %s=1 leaves out this line\n", o.choice.Reason, QuietVariable)
	}
	return o
})

// Open chooses the engine and opens it, once per process: later calls return the same backend, which must not be
// finalized. The error names a plugin that cannot be used and says what to do.
//
// Falling back to the pure-Go backend without having been asked (GOMLX_BACKEND=go…) is told by one line on standard
// error, once per process, unless $OMM_QUIET is set.
func Open() (compute.Backend, Choice, error) {
	o := process()
	return o.backend, o.choice, o.err
}

// Asked reports whether the user chose the engine, by GOMLX_BACKEND.
func Asked() bool { return os.Getenv(compute.ConfigEnvVar) != "" }

// PureGo returns the pure-Go backend, which compiles nothing: to compute what XLA would take longer to compile. It is
// opened once per process and must not be finalized.
var PureGo = sync.OnceValues(Choice{Config: pureGo, Kind: KindGo}.open)

// open creates the backend that c describes. Whatever goes wrong underneath, panics included, comes back as one
// sentence.
func (c Choice) open() (b compute.Backend, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = c.cannotOpen(fmt.Errorf("%v", r))
		}
	}()
	// The loader of libraries keeps its last failure for each thread, and go-xla asks for it in a second call.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	neverInstall()
	switch {
	case strings.Contains(c.Plugin, ","):
		err = errors.New("for go-xla the path would end at its comma")
	case c.Plugin != "":
		err = checkLibrary(c.Plugin)
	}
	if err == nil && c.Kind == KindXLACUDA {
		prepareCUDA(c.Plugin)
	}
	switch {
	case err != nil:
	case c.Kind == KindXLACPU:
		b, err = openCPU(c.Config, 1)
	default:
		b, err = openAsked(c.Config)
	}
	if err != nil {
		return nil, c.cannotOpen(err)
	}
	return b, nil
}

// cannotOpen names the engine that failed and the way out.
func (c Choice) cannotOpen(cause error) error {
	what := "the backend " + say.Printable(c.Config)
	if c.Plugin != "" {
		what = "the PJRT plugin " + say.Printable(c.Plugin)
	}
	var remedy string
	switch {
	case strings.Contains(c.Plugin, ","):
		remedy = "put it into a folder without a comma in its path; " + fsx.CacheVariable +
			" moves the folder of `omm setup`"
	case strings.Contains(cause.Error(), "cannot allocate memory"),
		strings.Contains(cause.Error(), "failed to map segment"):
		remedy = "memory is short: end other programs, or raise the limit (ulimit -v), and start again"
	case os.Getenv(compute.ConfigEnvVar) != "":
		remedy = "correct or unset " + compute.ConfigEnvVar
	case c.Version != "":
		remedy = fmt.Sprintf("delete the folder %s and run `omm setup`, or set %s=%s (%s)",
			filepath.Dir(c.Plugin), compute.ConfigEnvVar, pureGo, slower)
	default:
		remedy = fmt.Sprintf("repair or remove it, or set %s=%s (%s)", compute.ConfigEnvVar, pureGo, slower)
	}
	return fmt.Errorf("%s cannot be used: %s; %s", what, say.FirstLine(cause), remedy)
}

// Try compiles and runs a small graph with a gradient on b and checks its value: for f(x) = Σ x_i² at x = (1, 2, 3) the
// gradient adds up to 2 Σ x_i = 12. The error says what failed.
func Try(b compute.Backend) error {
	out, err := CallOnce(b, func(x *Node) *Node {
		return ReduceAllSum(Gradient(ReduceAllSum(Square(x)), x)[0])
	}, []float32{1, 2, 3})
	if err != nil {
		return fmt.Errorf("a test graph does not run: %s", say.FirstLine(err))
	}
	if got := out.Value().(float32); got != 12 {
		return fmt.Errorf("a test graph gives %g instead of 12", got)
	}
	return nil
}
