//go:build cgo && (linux || darwin)

package backend

import (
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"
)

// noXLA says why this program cannot load XLA plugins; empty where it can.
const noXLA = ""

// neverInstall keeps go-xla from downloading plugins by itself, unpinned and unverified.
func neverInstall() { xla.EnableAutoInstall(false) }

// openCPU opens the XLA CPU plugin with so many devices. On its own the plugin makes four, which are the same
// processor, and a thread for each, however few cores there are.
func openCPU(config string, devices int) (compute.Backend, error) {
	_, plugin, _ := strings.Cut(config, ":")
	return xla.NewWithOptions(plugin, pjrt.NamedValuesMap{"cpu_device_count": int64(devices)})
}
