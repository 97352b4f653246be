// Package bench compares the project's performance with JAX, PyTorch and SciPy, side by side in one run. Comparisons
// within the project are benchmarks of the package concerned.
//
// The sides of a comparison take turns, round by round, so that other work on the machine affects all alike; a ratio is
// the median of the rounds' ratios. A missed target is reported and is not a failure.
package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gomlx/compute"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Options selects the benchmarks and how they run.
type Options struct {
	Engine compute.Backend // where the graphs run
	// Python is an interpreter that may have jax, torch and scipy; missing packages are reported as not installed.
	Python string
	// Cases are some of [Cases]; none means all that do not say "only by name".
	Cases []string
	// Rounds is the number of turns of each side, at least 1.
	Rounds int
	// Edges of the only graph of the case scale; 0 means its four graphs.
	Edges int
	// small makes problems small and rounds short, for tests.
	small bool
}

var comparisons = []struct {
	name, what string
	run        func(*session) error
	byName     bool // not among all
}{
	{"step", "the paper's step (batch 1,024, 3×256) and a tiny one (batch 128, 3×64)", (*session).step, false},
	{"hydrogen", "the paper's step on hydrogen (16 networks of 3×128, batch 512, 1,024 frequencies)",
		(*session).hydrogen, false},
	{"resnet", "the step of ResNet-18 on images of 32×32", (*session).resnet, false},
	{"eigsh", "47 eigenvectors of the normalised adjacency of a graph by Lanczos", (*session).eigsh, false},
	{"scale", "a graph of 10⁵ to 6.2·10⁷ edges (only by name: minutes and 12 GiB)", (*session).scale, true},
}

// Cases returns the names of the benchmarks.
func Cases() (names []string) {
	for _, c := range comparisons {
		names = append(names, c.name)
	}
	return names
}

type session struct {
	Options
	ctx        context.Context
	out        io.Writer
	frameworks []*framework // of a comparison
}

const columns = "%-14s %8s %15s   %-20s %8s %15s   %6s %7s  %s\n"

// Run runs the benchmarks of valid [Options] and prints a table to out as it goes. It returns an error if our own side
// of a comparison fails; a missing alternative is no error.
func Run(ctx context.Context, out io.Writer, o Options) error {
	for _, c := range comparisons {
		if !slices.Contains(o.Cases, c.name) && (len(o.Cases) > 0 || c.byName) {
			continue
		}
		fmt.Fprintf(out, "\n%s\n"+columns, c.what, "", "ours ms", "[min–max]", "alternative", "ms", "[min–max]",
			"ratio", "target", "")
		s := &session{Options: o, ctx: ctx, out: out}
		err := c.run(s)
		for _, f := range s.frameworks {
			f.stop(out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// steps returns the number of steps in a round that normally has n.
func (s *session) steps(n int) int {
	if s.small {
		return max(1, n/10)
	}
	return n
}

// train compares the training of p by Adam, in rounds of the given number of steps, with alternatives.
func (s *session) train(label string, p train.Problem, steps int, others ...contender) error {
	steps = s.steps(steps)
	var compiled time.Duration
	if err := s.compare(label, others, func(turn func(step time.Duration)) error {
		began := time.Now()
		eval := func(now train.Snapshot) ([]float64, error) {
			switch took := time.Since(began); now.Step {
			case 0:
				compiled = took // with the upload of the data
			case steps: // train.Run has chosen its steps per call
			default:
				turn(took / time.Duration(steps))
			}
			began = time.Now()
			return make([]float64, len(p.Seeds)), nil
		}
		config := train.Config{Steps: steps * (s.Rounds + 1), EvalEvery: steps, Optimiser: optim.Adam{}}
		_, err := train.Run(s.ctx, p, config, train.Options{Backend: s.Engine, Eval: eval})
		return err
	}); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%-14s compiled in %.1f s\n", label, compiled.Seconds())
	return nil
}

type contender struct {
	label  string
	target float64                       // largest accepted ratio of our time to this one; 0: no target
	round  func() (time.Duration, error) // returns the wall time of one step
}

// compare prints a line for each alternative to ours, which calls turn with the time of a step after each of its
// rounds: then the alternatives take their turns. A failed alternative returns its error again at every later turn;
// see [framework].
func (s *session) compare(label string, others []contender, ours func(turn func(step time.Duration)) error) error {
	for _, c := range others {
		_, _ = c.round() // compiles
	}
	var mine []float64 // milliseconds
	theirs, missing := make([][]float64, len(others)), make([]error, len(others))
	err := ours(func(step time.Duration) {
		mine = append(mine, ms(step))
		for i, c := range others {
			step, missing[i] = c.round()
			theirs[i] = append(theirs[i], ms(step))
		}
	})
	if s.ctx.Err() != nil {
		return train.ErrInterrupted
	}
	if err != nil {
		return err
	}
	for i, c := range others {
		s.line(label, mine, c, theirs[i], missing[i])
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// line prints one comparison: medians of the milliseconds per step.
func (s *session) line(label string, ours []float64, c contender, theirs []float64, missing error) {
	between := func(x []float64) string { return "[" + digits(slices.Min(x)) + "–" + digits(slices.Max(x)) + "]" }
	mine := digits(linalg.Median(ours))
	if missing != nil {
		fmt.Fprintf(s.out, columns, label, mine, between(ours), c.label, missing.Error(), "", "", "", "")
		return
	}
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / theirs[i]
	}
	ratio, target, verdict := linalg.Median(ratios), "", ""
	if c.target != 0 {
		target, verdict = fmt.Sprintf("≤ %.2f", c.target), "reached"
		if ratio > c.target {
			verdict = fmt.Sprintf("missed by %.0f %%", 100*(ratio/c.target-1))
		}
	}
	fmt.Fprintf(s.out, columns, label, mine, between(ours), c.label, digits(linalg.Median(theirs)),
		between(theirs), fmt.Sprintf("%.2f", ratio), target, verdict)
}

// digits formats milliseconds with at least three digits.
func digits(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
