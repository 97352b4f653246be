// Package backend decides which engine runs the computation graphs, installs the pinned XLA plugins, and opens the
// engine.
//
// In order of preference: what the user asked for (GOMLX_BACKEND), a PJRT plugin that go-xla finds by itself
// (PJRT_PLUGIN_LIBRARY_PATH or its own folders), the CUDA plugin if there is an NVIDIA GPU, the XLA CPU plugin, both as
// [Setup] installs them into the user's cache, and at last GoMLX's pure-Go backend, which needs nothing installed. On
// two cores pure Go is 20 times slower than XLA on an MLP and 35 times on forward Laplacians.
package backend

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend" // registers "go"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/say"
)

// Kinds of engine, as recorded in Choice.Kind and in the provenance of results.
const (
	KindXLACPU  = "xla-cpu"  // the XLA CPU plugin that Setup installed
	KindXLACUDA = "xla-cuda" // a PJRT plugin for NVIDIA GPUs, from Setup or the user
	KindXLA     = "xla"      // another PJRT plugin of the user's own
	KindGo      = "go"       // GoMLX's pure-Go backend
)

// pureGo runs the operations one after the other: with the default scheduling, repeated calls can deadlock
// (compute v0.1.2).
const pureGo = "go:ops_sequential"

// slower is the cost of the pure-Go backend.
const slower = "20 times slower on an MLP, 35 times on forward Laplacians"

// QuietVariable names the environment variable that, if set, suppresses the line with which [Open] reports that it fell
// back to the pure-Go backend.
const QuietVariable = "OMM_QUIET"

// CoresVariable names the environment variable with the number of cores on which the XLA CPU plugin computes. Unset, or
// not a positive number, it takes all of them. A program that shares the machine should have as many threads as its
// share of the cores, since threads that wait for work spin.
const CoresVariable = "NPROC"

// Cores is the number of cores on which the CPU plugin and Go compute graphs.
func Cores() int {
	if n, err := strconv.Atoi(os.Getenv(CoresVariable)); err == nil && n > 0 {
		return min(n, runtime.GOMAXPROCS(0))
	}
	return runtime.GOMAXPROCS(0)
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
		fmt.Fprintf(os.Stderr, "ommlx: %s; %s=1 suppresses this line\n", o.choice.Reason, QuietVariable)
	}
	return o
})

// Open chooses the engine and opens it, once per process: later calls return the same backend, which must not be
// finalized. The error names a plugin that cannot be used and says what to do.
//
// If Open falls back to the pure-Go backend, it prints one line to standard error, once per process, unless $OMM_QUIET
// is set.
func Open() (compute.Backend, Choice, error) {
	o := process()
	return o.backend, o.choice, o.err
}

// Asked reports whether the user chose the engine, by GOMLX_BACKEND.
func Asked() bool { return os.Getenv(compute.ConfigEnvVar) != "" }

// PureGo returns the pure-Go backend, which compiles nothing: to compute what XLA would take longer to compile. It is
// opened once per process and must not be finalized.
var PureGo = sync.OnceValues(Choice{Config: pureGo, Kind: KindGo}.open)

// open creates the backend that c describes. Every failure, panics included, becomes an error of one line.
func (c Choice) open() (b compute.Backend, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
		if err != nil {
			err = c.cannotOpen(err)
		}
	}()
	// The loader of libraries keeps its last failure for each thread, and go-xla asks for it in a second call.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	neverInstall()
	if c.Plugin != "" {
		if _, err := os.Stat(c.Plugin); err != nil {
			return nil, errors.New("there is no such file")
		}
	}
	if c.Kind == KindXLACUDA {
		prepareCUDA(c.Plugin)
	}
	if c.Kind == KindXLACPU {
		return openCPU(c.Config)
	}
	b, err = compute.NewWithConfig(c.Config)
	// On its own a CPU plugin makes four devices of the same processor. Its name need not say that it is one for CPUs.
	if err == nil && b.NumDevices() > 1 && strings.Contains(strings.ToLower(b.DeviceDescription(0)), "cpu") {
		b.Finalize()
		return openCPU(c.Config)
	}
	return b, err
}

// cannotOpen names the engine that failed and the way out.
func (c Choice) cannotOpen(cause error) error {
	what := "the backend " + say.Printable(c.Config)
	if c.Plugin != "" {
		what = "the PJRT plugin " + say.Printable(c.Plugin)
	}
	remedy := "repair or remove it"
	switch {
	case Asked():
		return fmt.Errorf("%s cannot be used: %s; correct or unset %s", what, say.FirstLine(cause),
			compute.ConfigEnvVar)
	case c.Version != "":
		remedy = "run `omm doctor`"
	}
	return fmt.Errorf("%s cannot be used: %s; %s, or set %s=%s (%s)", what, say.FirstLine(cause), remedy,
		compute.ConfigEnvVar, pureGo, slower)
}

// Try compiles and runs a small graph with a gradient on b and checks its value: for f(x) = Σ x_i² at x = (1, 2, 3) the
// gradient adds up to 2 Σ x_i = 12.
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
