//go:build cgo && (linux || darwin)

package backend

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/pjrt"
)

// noXLA says why this program cannot load XLA plugins; empty where it can.
const noXLA = ""

// neverInstall keeps go-xla from downloading plugins by itself, unpinned and unverified.
func neverInstall() { xla.EnableAutoInstall(false) }

// openXLA opens a CPU plugin with so many devices.
func openXLA(plugin string, devices int) (compute.Backend, error) {
	return xla.NewWithOptions(plugin, pjrt.NamedValuesMap{"cpu_device_count": int64(devices)})
}
