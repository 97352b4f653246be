package graphs

import (
	"slices"

	"operator-omm/ommlx/artifact/report"
)

// tested is the number of test nodes of a generated graph that are seen, as nearly as it is known before; 0 of others.
func (e Experiment) tested() int {
	if e.Generation == nil {
		return 0
	}
	return int(float64(e.Generation.Nodes) * 0.9 * (1 - e.Unseen))
}

// aboveBaselines says which rows of functions are above every baseline, before Correct & Smooth and after it.
func aboveBaselines(rows []Tab3Row, tested int) (text string) {
	for _, column := range []struct {
		name string
		of   func(Tab3Row) Cell
	}{{"by the probe", func(r Tab3Row) Cell { return r.Probe }},
		{"after Correct & Smooth", func(r Tab3Row) Cell { return r.Smoothed }}} {
		var learned, baseline []report.Scored
		for _, r := range rows {
			c := column.of(r)
			s := report.Scored{Name: r.Label + " (" + r.Functions + ")",
				Spread: report.FromNumbers(c.Ours, c.OursStd, r.Runs)}
			switch {
			case c.Ours == nil:
			case slices.Contains(baselines, r.Label):
				baseline = append(baseline, s)
			case r.Functions == "representation" || r.Functions == "embedding":
				learned = append(learned, s)
			}
		}
		text += report.AboveBaselines(column.name, learned, baseline, tested)
	}
	return text
}
