// Package backend chooses and opens the engine that runs the computation graphs, and installs the pinned XLA plugins.
//
// In order of preference: the user's choice (GOMLX_BACKEND), a PJRT plugin that go-xla finds by itself
// (PJRT_PLUGIN_LIBRARY_PATH or its own folders), the CUDA plugin if there is an NVIDIA GPU, the XLA CPU plugin, both as
// installed by [Setup] in the user's cache, and GoMLX's pure-Go backend, which needs no installation.
package backend

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend" // registers "go"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/say"
)

// Kinds of engine, recorded in Choice.Kind and in the provenance of results.
const (
	KindXLACPU  = "xla-cpu"  // the XLA CPU plugin that Setup installed
	KindXLACUDA = "xla-cuda" // a PJRT plugin for NVIDIA GPUs, from Setup or the user
	KindXLA     = "xla"      // another PJRT plugin of the user's
	KindGo      = "go"       // GoMLX's pure-Go backend
)

// pureGo runs operations one after another: with the default scheduling, repeated calls can deadlock (compute v0.1.2).
const pureGo = "go:ops_sequential"

// slower is the cost of the pure-Go backend on two cores.
const slower = "20 times slower on an MLP, 35 times on forward Laplacians"

// chosen is the choice of this process.
var chosen = sync.OnceValues(Choose)

// engines are the engines that this process has opened. The first one is the engine for [Open].
var engines struct {
	sync.Mutex
	opened []compute.Backend
}

// Open chooses the engine and opens it, once per process: later calls return the same backend, which must not be
// finalized. The error names a plugin that cannot be used and the remedy.
//
// If Open falls back to the pure-Go backend, it prints one line to standard error.
func Open() (compute.Backend, Choice, error) { return OpenFor(0) }

// OpenFor opens an engine of its own for each of several trainings side by side, numbered from 0; number 0 has that of
// [Open]. On one engine they would run one after another if its threads are limited to their share of the cores.
func OpenFor(worker int) (compute.Backend, Choice, error) {
	choice, err := chosen()
	if err != nil {
		return nil, choice, err
	}
	engines.Lock()
	defer engines.Unlock()
	for len(engines.opened) <= worker {
		b, err := choice.open()
		if err != nil {
			return nil, choice, err
		}
		if engines.opened = append(engines.opened, b); len(engines.opened) == 1 && choice.Kind == KindGo && !Asked() {
			fmt.Fprintf(os.Stderr, "ommlx: %s; %s=go suppresses this line\n", choice.Reason, compute.ConfigEnvVar)
		}
	}
	return engines.opened[worker], choice, nil
}

// Asked reports whether the user chose the engine, by GOMLX_BACKEND.
func Asked() bool { return os.Getenv(compute.ConfigEnvVar) != "" }

// PureGo returns the pure-Go backend, for graphs that XLA would take longer to compile than to run. It is opened once
// per process and must not be finalized.
var PureGo = sync.OnceValues(Choice{Config: pureGo, Kind: KindGo}.open)

// open creates the backend that c describes. Every failure, panics included, becomes a one-line error with the remedy.
func (c Choice) open() (b compute.Backend, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
		if err == nil {
			return
		}
		remedy := "correct or unset " + compute.ConfigEnvVar
		if !Asked() {
			remedy = fmt.Sprintf("run `omm doctor`, or set %s=%s (%s)", compute.ConfigEnvVar, pureGo, slower)
		}
		err = fmt.Errorf("the backend %s cannot be used: %s; %s", say.Printable(c.Config), say.FirstLine(err), remedy)
	}()
	// The dynamic loader keeps its last error per thread, and go-xla reads it in a second call.
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
	// By default a CPU plugin makes four devices of the same processor. Its name need not contain "cpu".
	if err == nil && b.NumDevices() > 1 && strings.Contains(strings.ToLower(b.DeviceDescription(0)), "cpu") {
		b.Finalize()
		return openCPU(c.Config)
	}
	return b, err
}

// Try compiles and runs a small graph with a gradient on b and checks its value: the gradient of f(x) = Σ x_i² at
// x = (1, 2, 3) adds up to 2 Σ x_i = 12.
func Try(b compute.Backend) error {
	out, err := CallOnce(b, func(x *Node) *Node {
		return ReduceAllSum(Gradient(ReduceAllSum(Square(x)), x)[0])
	}, []float32{1, 2, 3})
	if err != nil {
		return fmt.Errorf("the test graph failed: %s", say.FirstLine(err))
	}
	if got := out.Value().(float32); got != 12 {
		return fmt.Errorf("the test graph returned %g, want 12", got)
	}
	return nil
}
