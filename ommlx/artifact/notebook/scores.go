package notebook

import (
	"fmt"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/internal/say"
)

// Scores draws the average cosines of rows with means, grouped by training, with ± one standard deviation over the
// runs. Open marks are scores after a Ritz step. All rows must have the same number of functions.
func Scores(d rl.BeyondData) draw.Dots {
	return scores(d, "average cosine similarity", "after a Ritz step", func(r rl.BeyondRow) (ours, std, open *float64) {
		return r.Mean, r.Std, r.Ritz
	})
}

// PrintedScores is [Scores] by the metric of ALLO's code, with open marks for the means printed in the paper's Table 2
// (c), which were computed by that metric.
func PrintedScores(d rl.BeyondData) draw.Dots {
	return scores(d, "average cosine similarity by the metric of ALLO's code", "printed in Table 2 (c)",
		func(r rl.BeyondRow) (ours, std, open *float64) {
			_, std = report.Over(r.Result(), func(r rl.Run) float64 { return r.Rotated.Average }).Numbers()
			return r.Rotated, std, r.Printed
		})
}

func scores(d rl.BeyondData, label, open string, of func(rl.BeyondRow) (ours, std, open *float64)) draw.Dots {
	var groups []draw.DotGroup
	k := 0
	for _, r := range d.Rows {
		ours, std, mark := of(r)
		if ours == nil {
			continue
		}
		k = r.K
		groups = draw.Grouped(groups, r.Name, draw.DotRow{Name: r.Environment,
			Runs: say.Count(len(r.Result().Runs), "run"), Ours: *ours, Half: std, Paper: mark})
	}
	return draw.Dots{Note: "Bars: ± one sample standard deviation over the runs.", Kinds: []string{""}, Open: open,
		Axes: []draw.DotAxis{{Label: fmt.Sprintf("%s, k = %d", label, k), Groups: groups}}}
}
