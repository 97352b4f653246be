//go:build cgo && (linux || darwin)

package backend

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"
)

// noXLA is why this program cannot load XLA plugins; empty if it can.
const noXLA = ""

// pinned reports whether plugins are pinned for this system.
const pinned = runtime.GOOS == "linux" && runtime.GOARCH == "amd64"

// neverInstall stops go-xla from downloading plugins by itself, unpinned and unverified.
func neverInstall() { xla.EnableAutoInstall(false) }

// ownPlugin returns the first plugin that go-xla finds by itself, or "". It looks once, before a plugin is open, since
// go-xla would find that one too. go-xla panics on a file that cannot be loaded (v0.4.1); ownPlugin returns an error.
var ownPlugin = sync.OnceValues(func() (file string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("a PJRT plugin in %s or in a library folder cannot be loaded; remove it", pluginsVariable)
		}
	}()
	runtime.LockOSThread() // see Choice.open
	defer runtime.UnlockOSThread()
	neverInstall()
	for _, name := range xla.GetAvailablePlugins() {
		return pjrt.AvailablePlugins()[name], nil
	}
	return "", nil
})

// openCPU opens the XLA CPU plugin with one device. By default the plugin makes four of the same processor, with a
// thread for each, however few cores there are.
func openCPU(config string) (compute.Backend, error) {
	_, plugin, _ := strings.Cut(config, ":")
	return xla.NewWithOptions(plugin, pjrt.NamedValuesMap{"cpu_device_count": int64(1)})
}
