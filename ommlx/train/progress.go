package train

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/say"
)

// lineValues is how many eigenvalues of the first run fit in a line of a terminal or log.
const lineValues = 4

// Bar shows the progress of one training: fraction, steps per second, loss, evaluation, eigenvalues and time left. Use
// its Show method as [Options].Progress. Without W it shows one line below the cell of a notebook that imports package
// notebook, and elsewhere nothing.
type Bar struct {
	W     io.Writer // a terminal gets one line, redrawn in place; anything else gets a line now and then
	Label string    // what is being trained

	line  say.Line
	first Status // this session's first report of this training; earlier time does not count as steps
	step  int    // of the last report
}

// Show draws the bar, unless it was drawn a moment ago and the training continues.
func (b *Bar) Show(s Status) {
	if b.step == 0 || s.Step <= b.step {
		b.first = s
	}
	b.step = s.Step
	b.line.W = b.W
	b.line.Show(float64(s.Step)/float64(s.Steps), s.Step >= s.Steps || s.Stopped, func() string { return b.text(s) })
}

// text is the bar without the fraction.
func (b *Bar) text(s Status) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s  step %d/%d", b.Label, s.Step, s.Steps)
	steps, took := s.Step-b.first.Step, s.Elapsed-b.first.Elapsed
	if steps == 0 && s.Step == s.Steps { // all steps came before the first report
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
		values, more := s.Eigenvalues[0], ""
		if n := lineValues; b.W != nil && len(values) > n {
			values, more = values[:n], " …"
		}
		fmt.Fprintf(&out, "  values [%s%s]", strings.Trim(fmt.Sprintf("%.4g", values), "[]"), more)
	}
	lost := slices.DeleteFunc(slices.Clone(s.Diverged), func(step int) bool { return step == 0 })
	if n := len(lost); n > 0 {
		fmt.Fprintf(&out, "  %d of %d diverged", n, len(s.Diverged))
	}
	if s.Step < s.Steps && steps > 0 && took >= say.Settling {
		fmt.Fprintf(&out, "  left %s", say.Left(float64(s.Steps-s.Step)/speed))
	}
	return out.String()
}
