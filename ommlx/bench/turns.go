package bench

import (
	"fmt"
	"slices"
	"time"

	"operator-omm/ommlx/internal/stopwatch"
	"operator-omm/ommlx/train"
)

// contender is an alternative.
type contender struct {
	label  string
	target float64 // the largest ratio of ours to this that we want; 0: none
	round  stopwatch.Round
}

// compare lets ours and the alternatives take turns and prints a line for each alternative.
func (s *session) compare(label string, ours stopwatch.Round, others ...contender) error {
	missing := make([]error, len(others))
	for i, c := range others { // the first turn compiles
		_, missing[i] = c.round()
	}
	mine, theirs := make([]stopwatch.Lap, 0, s.options.Rounds), make([][]stopwatch.Lap, len(others))
	for range s.options.Rounds {
		l, err := ours()
		if err != nil {
			return err
		}
		mine = append(mine, l)
		for i, c := range others {
			if missing[i] != nil {
				continue
			}
			l, err := c.round()
			if missing[i] = err; err == nil {
				theirs[i] = append(theirs[i], l)
			}
		}
	}
	if s.ctx.Err() != nil {
		return train.ErrInterrupted
	}
	for i, c := range others {
		s.line(label, mine, c, theirs[i], missing[i])
	}
	return nil
}

const columns = "%-14s %8s %15s %8s   %-20s %8s %15s %8s   %6s %7s  %s\n"

// heading prints what the lines that follow are about.
func (s *session) heading(what string) {
	fmt.Fprintf(s.out, "\n%s\n", what)
	fmt.Fprintf(s.out, columns,
		"", "ours ms", "[min–max]", "cpu ms", "alternative", "ms", "[min–max]", "cpu ms", "ratio", "target", "")
}

// line prints one comparison: medians of the time of one step.
func (s *session) line(label string, ours []stopwatch.Lap, c contender, theirs []stopwatch.Lap, missing error) {
	mine := summary(ours)
	if missing != nil {
		fmt.Fprintf(s.out, columns, label, mine[0], mine[1], mine[2], c.label, missing.Error(), "", "", "", "", "")
		return
	}
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = float64(ours[i].Wall) / float64(theirs[i].Wall)
	}
	their, ratio, target, verdict := summary(theirs), stopwatch.Median(ratios), "", ""
	if c.target != 0 {
		target, verdict = fmt.Sprintf("≤ %.2f", c.target), "reached"
		if ratio > c.target {
			verdict = fmt.Sprintf("missed by %.0f %%", 100*(ratio/c.target-1))
		}
	}
	fmt.Fprintf(s.out, columns, label, mine[0], mine[1], mine[2], c.label, their[0], their[1], their[2],
		fmt.Sprintf("%.2f", ratio), target, verdict)
}

// summary returns median, range and processor time.
func summary(laps []stopwatch.Lap) [3]string {
	wall, cpu := make([]time.Duration, len(laps)), make([]time.Duration, len(laps))
	for i, l := range laps {
		wall[i], cpu[i] = l.Wall, l.CPU
	}
	return [3]string{ms(stopwatch.Median(wall)), "[" + ms(slices.Min(wall)) + "–" + ms(slices.Max(wall)) + "]",
		ms(stopwatch.Median(cpu))}
}

// ms writes milliseconds with three digits.
func ms(d time.Duration) string {
	x := float64(d) / float64(time.Millisecond)
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
