package backend

import (
	"context"
	"errors"
	"fmt"
	"io"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// Setup installs the pinned XLA plugin where the user has none, tells on log what it does, and returns the resulting
// choice. It can be repeated; what is there and intact is not downloaded again.
//
// Where the plugin cannot be had (no Python, no network, no plugin for the platform) it says so on log and returns the
// pure-Go backend without an error. A download whose content is wrong, and a setting that points nowhere, are errors.
func Setup(ctx context.Context, log io.Writer) (Choice, error) {
	p, err := newProbe()
	if err != nil {
		return Choice{}, err
	}
	return p.setup(ctx, log)
}

// setup is Setup on the machine p.
func (p probe) setup(ctx context.Context, log io.Writer) (Choice, error) {
	c, err := p.choose()
	_, damaged := errors.AsType[*fsx.Damaged](err)
	switch {
	case damaged:
		fmt.Fprintf(log, "%s: replacing it.\n", say.FirstLine(errors.Unwrap(err)))
	case err != nil:
		return c, err
	case p.config != "" || c.Kind == KindXLA || c.Kind == KindXLACUDA || p.cpu == nil:
		fmt.Fprintf(log, "Nothing to install: %s.\n", c.Reason)
		return c, nil
	}
	if p.cuda != nil && p.hasGPU() {
		err := p.cuda.get(ctx, p.cache, log)
		if err == nil {
			return p.choose()
		}
		if _, ok := errors.AsType[unavailable](err); !ok {
			return Choice{}, err
		}
		fmt.Fprintf(log, "The CUDA plugin was not installed: %s; going on with the CPU.\n", say.FirstLine(err))
	}
	if err := p.cpu.get(ctx, p.cache, log); err != nil {
		if _, ok := errors.AsType[unavailable](err); !ok || damaged {
			return Choice{}, err
		}
		fmt.Fprintf(log, "The XLA plugin was not installed: %s.\n", say.FirstLine(err))
		fmt.Fprintf(log, "Going on with the pure-Go backend (%s); `omm setup` tries again.\n", slower)
		return c, nil
	}
	return p.choose()
}

// SetupCUDA installs the pinned CUDA plugin with NVIDIA's libraries whether or not there is a GPU, as an image for
// other machines needs it, and tells on log what it does. It can be repeated. The error says that no plugin is pinned
// for the platform, or why it was not installed.
func SetupCUDA(ctx context.Context, log io.Writer) error {
	p, err := newProbe()
	if err != nil {
		return err
	}
	if p.cuda == nil {
		return fmt.Errorf("no CUDA plugin is pinned for %s", p.platform)
	}
	return p.cuda.get(ctx, p.cache, log)
}
