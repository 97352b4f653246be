package graphs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"operator-omm/ommlx/artifact/report"
)

// tested is the number of test nodes of a generated graph that are seen, as nearly as it is known before; 0 of others.
func (e Experiment) tested() int {
	if e.Generation == nil {
		return 0
	}
	return int(float64(e.Generation.Nodes) * 0.9 * (1 - e.Unseen))
}

// aboveBaselines says which rows of functions are above every baseline by more than two standard errors, before Correct
// & Smooth and after it. The standard error is that of the difference of two accuracies of independent trainings, each
// on the number of test nodes.
func aboveBaselines(rows []Tab3Row, tested int) string {
	text := ""
	for _, column := range []struct {
		name string
		of   func(Tab3Row) Cell
	}{{"", func(r Tab3Row) Cell { return r.Probe }},
		{" after Correct & Smooth", func(r Tab3Row) Cell { return r.Smoothed }}} {
		best, above, not := 0.0, []string{}, []string{}
		for _, r := range rows {
			if c := column.of(r); slices.Contains(baselines, r.Label) && c.Ours != nil {
				best = max(best, *c.Ours)
			}
		}
		for _, r := range rows {
			c := column.of(r)
			if c.Ours == nil || r.Functions != "representation" && r.Functions != "embedding" || r.Label == untrained {
				continue
			}
			name := r.Label + " (" + r.Functions + ")"
			if *c.Ours-best > 2*standardError(c, r.Runs, best, tested) {
				above = append(above, name)
			} else {
				not = append(not, name)
			}
		}
		text += fmt.Sprintf(" Above the best baseline%s, %.1f, by more than two standard errors: %s; not so: %s.",
			column.name, best, listed(above), listed(not))
	}
	return text
}

// standardError is that of the distance of a row from the best baseline, in per cent.
func standardError(c Cell, runs int, best float64, tested int) float64 {
	of := func(p float64) float64 { return p * (100 - p) / float64(tested) }
	variance := of(*c.Ours) + of(best)
	if std := report.OrNaN(c.OursStd); !math.IsNaN(std) {
		variance += std * std / float64(runs)
	}
	return math.Sqrt(variance)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
