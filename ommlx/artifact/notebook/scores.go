package notebook

import (
	"fmt"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/internal/say"
)

// Scores draws the average cosines of rows with means, grouped by training, with ± one standard deviation over the
// runs. Open marks are scores after a Ritz step. All rows must have the same number of functions.
func Scores(d rl.BeyondData) draw.Dots {
	return scores(d, "after a Ritz step", func(r rl.BeyondRow) *float64 { return r.Ritz })
}

// PrintedScores is [Scores] with open marks for the means printed in the paper's Table 2 (c).
func PrintedScores(d rl.BeyondData) draw.Dots {
	return scores(d, "printed in Table 2 (c)", func(r rl.BeyondRow) *float64 { return r.Printed })
}

func scores(d rl.BeyondData, open string, of func(rl.BeyondRow) *float64) draw.Dots {
	var groups []draw.DotGroup
	k := 0
	for _, r := range d.Rows {
		if r.Mean == nil {
			continue
		}
		k = r.K
		groups = draw.Grouped(groups, r.Name, draw.DotRow{Name: r.Environment,
			Runs: say.Count(len(r.Result().Runs), "run"), Ours: *r.Mean, Half: r.Std, Paper: of(r)})
	}
	return draw.Dots{Note: d.Note, Kinds: []string{""}, Open: open,
		Axes: []draw.DotAxis{{Label: fmt.Sprintf("average cosine similarity, k = %d", k), Groups: groups, Unit: true}}}
}
