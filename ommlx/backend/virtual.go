package backend

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
)

// ErrNoCPUPlugin is wrapped by the error of [Virtual] where the XLA CPU plugin is not what computes here.
var ErrNoCPUPlugin = errors.New("virtual devices need the XLA CPU plugin of `make setup`")

// Virtual opens the XLA CPU plugin with n devices that are the same processor, beside what [Open] returns: to test a
// program for several devices where there is one. The caller finalizes it. The error wraps [ErrNoCPUPlugin] where
// another engine is chosen.
func Virtual(n int) (compute.Backend, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d virtual devices are asked for; there must be at least one", n)
	}
	_, c, err := Open()
	if err != nil {
		return nil, err
	}
	if c.Kind != KindXLACPU {
		return nil, fmt.Errorf("%w; here it is %s", ErrNoCPUPlugin, c.Kind)
	}
	return openCPU(c.Config, n)
}
