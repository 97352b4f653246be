package images

import (
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// comparisons says which rows are above the baselines, and what the norm of features does.
func comparisons(d Tab1Data) (text string) {
	for _, column := range []struct {
		name string
		of   func(Run) float64
	}{{"by the linear probe", top1}, {"by nearest neighbours", nearest}} {
		var learned, baselines []report.Scored
		for _, r := range d.Rows {
			switch {
			case r.Result == nil:
			case r.Baseline:
				baselines = append(baselines, report.Scored{Name: r.Label, Spread: percent(r.Result, column.of)})
			default:
				learned = append(learned, report.Scored{Name: r.name(), Spread: percent(r.Result, column.of)})
			}
		}
		text += report.AboveBaselines(column.name, learned, baselines, d.Tested)
	}
	return text + ofNorms(d.Rows)
}

// ofNorms compares OMM of order 1 with features of other norms to that with norm 1.
func ofNorms(rows []Tab1Row) (text string) {
	unit := slices.IndexFunc(rows, func(r Tab1Row) bool {
		return r.Method == "omm" && r.Encoding == Projected && r.Result != nil && !r.Baseline &&
			r.Result.Config.Norm == Unit
	})
	for _, r := range rows {
		if unit < 0 || r.Result == nil || r.Baseline || r.Method != "omm" || r.Result.Config.Norm == Unit {
			continue
		}
		d, half, _ := percent(r.Result, top1).Minus(percent(rows[unit].Result, top1))
		tells := "which tells no difference"
		if math.Abs(d) > half {
			tells = lab.If(d > 0, "which is a gain") + lab.If(d < 0, "which is a loss")
		}
		text += fmt.Sprintf(" From features of norm 1 to norm %s the linear probe changes by %+.1f ± %.1f points "+
			"(Welch's 95%% interval over trainings), %s, and modes alive from %.1f to %.1f.", r.Result.Config.Norm, d,
			half, tells, report.OrNaN(rows[unit].Alive), report.OrNaN(r.Alive))
	}
	return text
}
