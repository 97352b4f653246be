package images

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
)

// findings states what the table shows: modes alive by norm and the accuracy gained or lost by it, and whether p = 1, p
// = 2, their mixture and SimCLR are in the paper's order. It is "" if a row is missing.
func (d Tab1Data) findings() string {
	ordered := xslices.Map([]string{"omm", "omm2", "omm12", "simclr"}, func(method string) Tab1Row {
		return d.find(method, Projected)
	})
	one, free := ordered[0], Tab1Row{}
	for _, r := range d.Rows {
		if r.norm == Free && !r.Baseline {
			free = r
		}
	}
	for _, r := range append(ordered, free) {
		if r.Result == nil || r.Top1 == nil || r.Alive == nil {
			return ""
		}
	}
	change, half := lead(free, one)
	return fmt.Sprintf("With features of norm 1, OMM of order 1 keeps %.1f of %d modes alive, and with features of "+
		"any norm %.1f; the linear probe changes by %+.1f ± %.1f points, %s. ", *one.Alive, one.Result.Config.K,
		*free.Alive, change, half, direction(change, half)) + ranking(ordered) + " "
}

// lead returns a's lead over b in points of top-1, and half of the width of its interval (see [report.Spread.Minus]).
func lead(a, b Tab1Row) (d, half float64) {
	return percent(a.Result, top1).Minus(percent(b.Result, top1))
}

func direction(d, half float64) string {
	switch {
	case d > half:
		return "a gain"
	case d < -half:
		return "a loss"
	}
	return "which is no clear difference"
}

// ranking compares neighbours in a list of rows that the paper has in ascending order.
func ranking(rows []Tab1Row) string {
	labels := xslices.Map(rows, func(r Tab1Row) string { return strings.TrimPrefix(r.Label, "OMM, ") })
	var steps []string
	ahead, rising, behind := true, true, false // every step clearly up, every step up, some step clearly down
	for i, r := range rows[1:] {
		d, half := lead(r, rows[i])
		ahead, rising, behind = ahead && d > half, rising && d > 0, behind || d < -half
		steps = append(steps, fmt.Sprintf("%+.1f ± %.1f", d, half))
	}
	verdict := "is undecided"
	switch {
	case behind:
		verdict = "is not the paper's"
	case ahead:
		verdict = "is the paper's"
	case rising:
		verdict = "is the paper's in the means, but not every step is clear"
	}
	return fmt.Sprintf("The order of %s %s: from each to the next the probe gains %s points (Welch's 95%% intervals "+
		"over trainings).", strings.Join(labels, "; "), verdict, strings.Join(steps, ", "))
}
