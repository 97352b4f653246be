package bench

import (
	"fmt"
	"slices"
	"time"
)

// compilation is how long one training program took to build and compile, with the upload of its data.
type compilation struct {
	name string
	took time.Duration
}

const columns = "%-14s %8s %15s %8s   %-20s %8s %15s %8s   %6s %7s  %s\n"

// heading prints what the lines that follow are about.
func (s *session) heading(what string) {
	fmt.Fprintf(s.out, "\n%s\n", what)
	fmt.Fprintf(s.out, columns,
		"", "ours ms", "[min–max]", "cpu ms", "alternative", "ms", "[min–max]", "cpu ms", "ratio", "target", "")
}

// line prints one comparison: medians of the time of one step.
func (s *session) line(label string, ours []lap, c contender, theirs []lap, missing error) {
	mine := summary(ours)
	if missing != nil {
		fmt.Fprintf(s.out, columns, label, mine[0], mine[1], mine[2], c.label, missing.Error(), "", "", "", "", "")
		return
	}
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = float64(ours[i].wall) / float64(theirs[i].wall)
	}
	their := summary(theirs)
	target, verdict := judged(median(ratios), c.target)
	fmt.Fprintf(s.out, columns, label, mine[0], mine[1], mine[2], c.label, their[0], their[1], their[2],
		fmt.Sprintf("%.2f", median(ratios)), target, verdict)
}

// alone prints the times of what has no alternative.
func (s *session) alone(label string, ours []lap) {
	mine := summary(ours)
	fmt.Fprintf(s.out, columns, label, mine[0], mine[1], mine[2], "", "", "", "", "", "", "")
}

// sum prints the line of a sum of medians.
func (s *session) sum(label string, ours, theirs time.Duration, alternative string, target float64) {
	if theirs == 0 {
		fmt.Fprintf(s.out, columns, label, ms(ours), "", "", alternative, "not measured", "", "", "", "", "")
		return
	}
	ratio := float64(ours) / float64(theirs)
	want, verdict := judged(ratio, target)
	fmt.Fprintf(s.out, columns, label, ms(ours), "", "", alternative, ms(theirs), "", "", fmt.Sprintf("%.2f", ratio),
		want, verdict)
}

// footing prints what belongs to no comparison. peak is in bytes.
func (s *session) footing(peak int64) {
	fmt.Fprintln(s.out)
	if len(s.compiled) > 0 { // not all benchmarks train
		slowest := slices.MaxFunc(s.compiled, func(a, b compilation) int { return int(a.took - b.took) })
		took := make([]time.Duration, len(s.compiled))
		for i, c := range s.compiled {
			took[i] = c.took
		}
		fmt.Fprintf(s.out, "compiling a training program: median %.1f s of %d, slowest %.1f s (%s); target below 5 s\n",
			median(took).Seconds(), len(took), slowest.took.Seconds(), slowest.name)
	}
	fmt.Fprintf(s.out, "peak memory of this process: %.2f GiB\n", float64(peak)/(1<<30))
	var versions []string
	for _, f := range s.frameworks() {
		if f.version != "" {
			versions = append(versions, f.name+" "+f.version)
		}
	}
	for _, v := range slices.Compact(versions) {
		fmt.Fprintln(s.out, v)
	}
}

// judged words a target, and whether ratio reaches it.
func judged(ratio, target float64) (want, verdict string) {
	switch {
	case target == 0:
		return "", ""
	case ratio <= target:
		return fmt.Sprintf("≤ %.2f", target), "reached"
	}
	return fmt.Sprintf("≤ %.2f", target), fmt.Sprintf("missed by %.0f %%", 100*(ratio/target-1))
}

// summary returns median, range and processor time.
func summary(laps []lap) [3]string {
	wall := walls(laps)
	cpu := make([]time.Duration, len(laps))
	for i, l := range laps {
		cpu[i] = l.cpu
	}
	return [3]string{ms(median(wall)), "[" + ms(slices.Min(wall)) + "–" + ms(slices.Max(wall)) + "]", ms(median(cpu))}
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
