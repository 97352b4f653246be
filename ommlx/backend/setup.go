package backend

import (
	"context"
	"errors"
	"fmt"
	"io"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
	"operator-omm/ommlx/internal/say"
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
	_, damaged := errors.AsType[*fsx.Damaged](err)
	if err != nil && !damaged {
		return c, err
	}
	if damaged {
		fmt.Fprintf(log, "%s: replacing it.\n", say.FirstLine(errors.Unwrap(err)))
	} else if p.config != "" || c.Kind == KindXLA || c.Kind == KindXLACUDA || p.cpu == nil {
		fmt.Fprintf(log, "Nothing to install: %s.\n", c.Reason)
		return c, nil
	}
	if p.cuda != nil && p.hasGPU() {
		err := p.getCUDA(ctx, log, download, libraries)
		if err == nil {
			return p.choose()
		}
		if _, ok := errors.AsType[pip.Unavailable](err); !ok {
			return Choice{}, err
		}
		fmt.Fprintf(log, "The CUDA plugin was not installed: %s; going on with the CPU.\n", say.FirstLine(err))
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
		fmt.Fprintf(log, "The XLA plugin was not installed: %s.\n", say.FirstLine(err))
		fmt.Fprintf(log, "Going on with the pure-Go backend (%s); `omm setup` tries again.\n", slower)
		return c, nil
	}
	fmt.Fprintf(log, "Installed and verified: %s\n", p.cpu.pluginPath(p.cache))
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
	return p.setupForGPU(ctx, log, pip.Download, pipInstallLibraries)
}

// setupForGPU is SetupCUDA on the machine p, with the two ways to reach the network.
func (p probe) setupForGPU(
	ctx context.Context, log io.Writer, download pip.Downloader, libraries installLibraries,
) error {
	if p.cuda == nil {
		return fmt.Errorf("no CUDA plugin is pinned for %s", p.platform)
	}
	if _, err := p.cuda.cached(p.cache); err == nil {
		fmt.Fprintf(log, "The CUDA plugin %s is installed: %s\n", p.cuda.Version, p.cuda.pluginPath(p.cache))
		return nil
	}
	return p.getCUDA(ctx, log, download, libraries)
}

// getCUDA installs the CUDA plugin with its libraries.
func (p probe) getCUDA(
	ctx context.Context, log io.Writer, download pip.Downloader, libraries installLibraries,
) error {
	fmt.Fprintf(log, "Getting the CUDA plugin %s and NVIDIA's libraries (2.2 GB, under NVIDIA's licence) with pip …\n",
		p.cuda.Version)
	if err := setupCUDA(ctx, p.cache, p.cuda, download, libraries); err != nil {
		return err
	}
	fmt.Fprintf(log, "Installed and verified: %s\n", p.cuda.pluginPath(p.cache))
	return nil
}
