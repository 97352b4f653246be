// Package bench measures the training step against the same step in JAX and PyTorch, and each of the project's own
// devices for speed against doing without it, side by side in one run.
//
// The two sides of a comparison take turns, round by round, so that other work on the machine meets both alike; a ratio
// is the median of the rounds' ratios. Nothing here judges: a benchmark reports, it does not fail.
package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gomlx/compute"

	"operator-omm/ommlx/artifact/lab"
)

// Options says what is measured, and with what.
type Options struct {
	Engine compute.Backend // where the graphs run
	// Python is an interpreter that may have jax and torch; what it has not is reported as not installed.
	Python string
	// Cases are some of [Cases]; none means all.
	Cases []string
	// Rounds is how often the sides take turns, 5 when zero.
	Rounds int
	// Edges is how many edges the largest graphs have, 10⁷ when zero. Those of 10⁸ take 4 GiB and three minutes.
	Edges int
	// scale shortens the rounds of tests.
	scale float64
}

// The range of Options.Edges, and its default.
const minEdges, maxEdges, defaultEdges = 100_000, 100_000_000, 10_000_000

// measurement is one of the benchmarks.
type measurement struct {
	name, what string
	run        func(*session) error
}

func measurements() []measurement {
	return []measurement{
		{"paper", "the paper's step (batch 1,024, 3×256), every sample evaluated", (*session).paper},
		{"environments", "the paper's step on its twelve environments, each distinct state evaluated once",
			(*session).environments},
		{"rows", "the network evaluated once for each distinct state", (*session).rows},
		{"runs", "eight runs on the leading axis", (*session).runs},
		{"tiny", "a tiny step (batch 128, 3×64), every sample evaluated", (*session).tiny},
		{"hydrogen", "the paper's step on hydrogen (16 networks of 3×128, batch 512, 1,024 frequencies) beside PyTorch",
			(*session).hydrogen},
		{"laplacian", "the paper's step on hydrogen by LoRA-seq, with other ways to the Laplacian in GoMLX",
			(*session).laplacian},
		{"growth", "the paper's step on hydrogen by LoRA-seq, with more points and more networks", (*session).growth},
		{"resnet", "the step of ResNet-18 on images of 32×32 beside PyTorch", (*session).resnet},
		{"views", "what random views and LARS cost beside the network, two views of images of 32×32", (*session).views},
		{"feed", "batches that come from the host beside the same ones on the device", (*session).feed},
		{"devices", "a step over 2 and 4 virtual devices, which are this processor, beside one device: what " +
			"dividing costs",
			(*session).devices},
		{"objectives", "loss and gradient alone: OMM with more samples B, functions k, and order p; then nesting " +
			"and other objectives", (*session).objectives},
		{"learn", "one call of package learn beside the same training by hand: a kernel, 5 functions, batch 256",
			(*session).learned},
		{"solvers", "the leading 11 eigenvectors of grid worlds: Lanczos beside SciPy, the dense solver and training",
			(*session).solvers},
		{"conversion", "text files of a graph of 100,000 nodes, 2.5 million edges and 100 features to arrays",
			(*session).conversion},
		{"product", "the normalised adjacency of a graph times a table and a vector beside a copy and SciPy",
			(*session).product},
		{"edges", "conversion, product and Lanczos (47 eigenvectors) on graphs with more edges", (*session).edges},
		{"lanczos", "47 eigenvectors of the normalised adjacency of a graph: Lanczos beside SciPy",
			(*session).lanczos},
		{"graph", "the step on a graph (batch of 1,024 edges, residual MLP of width 128, 64 functions, LARS) beside " +
			"PyTorch, and with more nodes", (*session).graph},
	}
}

// Cases returns the names of the benchmarks.
func Cases() []string {
	var names []string
	for _, m := range measurements() {
		names = append(names, m.name)
	}
	return names
}

// session is one run of the benchmarks.
type session struct {
	ctx        context.Context
	options    Options
	out        io.Writer
	jax, torch *framework
	waves      *framework // torch_hydrogen.py
	pictures   *framework // torch_resnet.py
	networks   *framework // torch_graph.py
	compiled   []compilation
}

func (s *session) frameworks() []*framework {
	return []*framework{s.jax, s.torch, s.waves, s.pictures, s.networks}
}

// Validate returns an error that names a case that does not exist, or a number that is out of range.
func (o Options) Validate() error {
	for _, name := range o.Cases {
		if !slices.Contains(Cases(), name) {
			return fmt.Errorf("there is no benchmark %q; the benchmarks are %s", name, strings.Join(Cases(), ", "))
		}
	}
	if o.Edges != 0 && (o.Edges < minEdges || o.Edges > maxEdges) {
		return fmt.Errorf("the largest graphs are to have %d edges; give %d to %d, or 0 for %d", o.Edges, minEdges,
			maxEdges, defaultEdges)
	}
	if o.Rounds < 0 {
		return fmt.Errorf("the number of rounds is %d; it must be at least 1", o.Rounds)
	}
	return nil
}

// Run measures and prints a table to out as it goes. The error is that of [Options.Validate], or says why the own side
// of a comparison cannot be measured; a missing alternative is no error.
func Run(ctx context.Context, out io.Writer, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Rounds == 0 {
		o.Rounds = 5
	}
	if o.Edges == 0 {
		o.Edges = defaultEdges
	}
	if o.scale == 0 {
		o.scale = 1
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &session{ctx: ctx, options: o, out: out,
		jax:      script(ctx, o.Python, "JAX", jaxStep),
		torch:    script(ctx, o.Python, "PyTorch", torchStep),
		waves:    script(ctx, o.Python, "PyTorch", torchHydrogen),
		pictures: script(ctx, o.Python, "PyTorch", torchResNet18+torchResNet),
		networks: script(ctx, o.Python, "PyTorch", torchGraph)}
	for _, f := range s.frameworks() {
		defer f.stop()
	}
	for _, m := range measurements() {
		if len(o.Cases) > 0 && !slices.Contains(o.Cases, m.name) {
			continue
		}
		s.heading(m.what)
		if err := m.run(s); err != nil {
			return err
		}
	}
	s.footing(lab.PeakMemory())
	return nil
}

// steps is the length of a round that is to have n steps.
func (s *session) steps(n int) int { return max(1, int(float64(n)*s.options.scale)) }
