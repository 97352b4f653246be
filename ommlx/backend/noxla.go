//go:build !cgo || !(linux || darwin)

package backend

import (
	"errors"

	"github.com/gomlx/compute"
)

const noXLA = "this program was built without cgo, which loads XLA plugins, or for a system without such plugins"

const pinned = false

func neverInstall() {}

func ownPlugin() (string, error) { return "", nil }

func openCPU(string) (compute.Backend, error) { return nil, errors.New(noXLA) }
