package train

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/internal/say"
)

// Medium is what a [Bar] writes to, which decides how it redraws.
type Medium int

// The media.
const (
	Lines    Medium = iota // whole lines now and then, no control characters
	Terminal               // one line, drawn over itself
	Notebook               // Display is called with one line of text, which replaces the one before
)

// MediumOf returns Terminal for a terminal, else Lines.
func MediumOf(w io.Writer) Medium {
	if say.Terminal(w) {
		return Terminal
	}
	return Lines
}

// shownValues is how many eigenvalues of the first run a [Bar] shows.
const shownValues = 4

// Bar shows the progress of one training: fraction, steps per second, loss, evaluation, eigenvalues and time left. Its
// Show method is an [Options].Progress.
type Bar struct {
	W       io.Writer
	Medium  Medium
	Display func(line string) // for Notebook
	Label   string            // what is being trained
	// Work, if not nil, returns the fraction in [0, 1] of a larger job that is done when this training has done a
	// fraction, and the time left for all of it, 0 while that is not known; the bar then ends with both. It is told
	// which fraction of this training steady steps did in which time, 0 before there are some seconds of them.
	Work func(done, did float64, took time.Duration) (all float64, left time.Duration)
	// Every is the time between two lines; 0: 15 s in a log, 0.2 s elsewhere.
	Every time.Duration

	last  time.Time
	first Status // the first report of this training in this session; what came before it is no time of steps
	step  int    // of the last report
}

// Show draws the bar, unless it did so a moment ago and the training goes on.
func (b *Bar) Show(s Status) {
	if b.step == 0 || s.Step <= b.step {
		b.first = s
	}
	b.step = s.Step
	every := cmp.Or(b.Every, 200*time.Millisecond)
	if b.Medium == Lines {
		every = cmp.Or(b.Every, 15*time.Second)
	}
	ended := s.Step >= s.Steps || s.Stopped
	if b.Medium == Lines && b.last.IsZero() {
		b.last = time.Now() // a log has no use for a line after the first step
	}
	if !ended && time.Since(b.last) < every {
		return
	}
	b.last = time.Now()
	line := b.line(s)
	switch b.Medium {
	case Terminal:
		end := ""
		if ended {
			end = "\n"
		}
		fmt.Fprintf(b.W, "\r\x1b[K%s%s", line, end)
	case Notebook:
		b.Display(line)
	default:
		fmt.Fprintln(b.W, line)
	}
}

func (b *Bar) line(s Status) string {
	fraction := float64(s.Step) / float64(s.Steps)
	var out strings.Builder
	if b.Medium != Lines {
		out.WriteString(say.Gauge(fraction) + " ")
	}
	fmt.Fprintf(&out, "%3.0f%% %s", 100*fraction, b.Label)
	fmt.Fprintf(&out, "  step %d/%d", s.Step, s.Steps)
	steps, took := s.Step-b.first.Step, s.Elapsed-b.first.Elapsed
	if steps == 0 && s.Step == s.Steps { // all of them came before the first report
		steps, took = s.Step-s.FirstStep, s.Elapsed
	}
	speed := float64(steps) / took.Seconds()
	if steps > 0 {
		digits := 0
		for limit := 100.0; speed < limit && digits < 3; limit /= 10 {
			digits++
		}
		fmt.Fprintf(&out, "  %.*f steps/s", digits, speed)
	}
	fmt.Fprintf(&out, "  loss %.4g", stat.Mean(s.Loss, nil))
	if s.Value != nil {
		fmt.Fprintf(&out, "  score %.3f", stat.Mean(s.Value, nil))
	}
	if len(s.Eigenvalues) > 0 && len(s.Eigenvalues[0]) > 0 {
		values := s.Eigenvalues[0]
		fmt.Fprintf(&out, "  values %.4g", values[:min(len(values), shownValues)])
	}
	if n := countPositive(s.Diverged); n > 0 {
		fmt.Fprintf(&out, "  %d of %d diverged", n, len(s.Diverged))
	}
	if took < say.Settling {
		steps, took = 0, 0
	}
	if s.Step < s.Steps && steps > 0 {
		fmt.Fprintf(&out, "  left %s", say.Left(float64(s.Steps-s.Step)/speed))
	}
	if b.Work != nil {
		all, left := b.Work(fraction, float64(steps)/float64(s.Steps), took)
		switch {
		case all > 0 && all < 1 && left > 0:
			fmt.Fprintf(&out, "  (all: %.0f%%, left %s)", 100*all, say.Left(left.Seconds()))
		case all > 0 && all < 1:
			fmt.Fprintf(&out, "  (all: %.0f%%)", 100*all)
		}
	}
	return out.String()
}

func countPositive(x []int) (n int) {
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return n
}
