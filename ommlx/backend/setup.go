package backend

import (
	"context"
	"errors"
	"fmt"
	"io"

	"operator-omm/ommlx/internal/checksum"
	"operator-omm/ommlx/internal/oneline"
	"operator-omm/ommlx/internal/pip"
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
	return p.setup(ctx, log, pip.Download, pipInstallLibraries)
}

// setup is Setup on the machine p, with the two ways to reach the network.
func (p probe) setup(
	ctx context.Context, log io.Writer, download pip.Downloader, libraries installLibraries,
) (Choice, error) {
	c, err := p.choose()
	_, damaged := errors.AsType[*checksum.Damaged](err)
	if err != nil && !damaged {
		return c, err
	}
	if damaged {
		fmt.Fprintf(log, "%s: replacing it.\n", oneline.Of(errors.Unwrap(err)))
	} else if p.config != "" || c.Kind == KindXLA || c.Kind == KindXLACUDA || p.cpu == nil {
		fmt.Fprintf(log, "Nothing to install: %s.\n", c.Reason)
		return c, nil
	}
	if p.cuda != nil && p.hasGPU() {
		fmt.Fprintf(log, "There is an NVIDIA GPU: getting the CUDA plugin %s and NVIDIA's libraries (nvidia-* wheels, "+
			"about 3 GB) with pip …\n", p.cuda.Version)
		err := setupCUDA(ctx, p.cache, p.cuda, download, libraries)
		if err == nil {
			fmt.Fprintf(log, "Installed and verified: %s\n", p.cuda.pluginPath(p.cache))
			return p.choose()
		}
		if _, ok := errors.AsType[pip.Unavailable](err); !ok {
			return Choice{}, err
		}
		fmt.Fprintf(log, "The CUDA plugin was not installed: %s; going on with the CPU.\n", oneline.Of(err))
	}
	if _, err := p.cpu.cached(p.cache); err == nil {
		fmt.Fprintf(log, "The XLA CPU plugin %s is installed: %s\n", p.cpu.Version, p.cpu.pluginPath(p.cache))
		return p.choose()
	}
	fmt.Fprintf(log, "Getting the XLA CPU plugin %s with pip (63 MB) …\n", p.cpu.Version)
	if err := p.cpu.install(ctx, p.cache, download); err != nil {
		if _, ok := errors.AsType[pip.Unavailable](err); !ok || damaged {
			return Choice{}, err
		}
		fmt.Fprintf(log, "The XLA plugin was not installed: %s.\n", oneline.Of(err))
		fmt.Fprintf(log, "Going on with the pure-Go backend (%s); `omm setup` tries again.\n", slower)
		return c, nil
	}
	fmt.Fprintf(log, "Installed and verified: %s\n", p.cpu.pluginPath(p.cache))
	return p.choose()
}
