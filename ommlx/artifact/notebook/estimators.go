package notebook

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
)

// Estimators returns the rows of a [Table] for trainings beyond the paper at k = 50, as printed: the name, the number
// of environments, our mean over them by the metric of ALLO's code, the printed mean of Table 2 (c), their difference,
// and the strict cosine after a Ritz step.
func Estimators(d rl.BeyondData) (rows [][]string) {
	d = d.Where(func(e rl.Experiment) bool { return e.K == 50 && !e.AuthorsCode() })
	for i, first := range d.Rows {
		if slices.IndexFunc(d.Rows, func(r rl.BeyondRow) bool { return r.Name == first.Name }) < i {
			continue // the training has its row
		}
		n, ours := meanOf(d, first.Name, func(r rl.BeyondRow) *float64 { return r.Rotated })
		_, printed := meanOf(d, first.Name, func(r rl.BeyondRow) *float64 { return r.Printed })
		_, ritz := meanOf(d, first.Name, func(r rl.BeyondRow) *float64 { return r.Ritz })
		rows = append(rows, append([]string{first.Name, fmt.Sprint(n)},
			Cells("", "%.3f", ours, printed, ours-printed, ritz)[1:]...))
	}
	return rows
}

// HardEstimators returns the rows of a [Table] for some trainings beyond the paper at k = 11, as printed: the name, and
// the mean cosine similarity over the hard environments, as learned and after a Ritz step.
func HardEstimators(d rl.BeyondData, names ...string) (rows [][]string) {
	d = d.Where(func(e rl.Experiment) bool { return e.K == 11 && !e.AuthorsCode() })
	for _, name := range names {
		_, learned := meanOf(d, name, func(r rl.BeyondRow) *float64 { return r.Mean })
		_, ritz := meanOf(d, name, func(r rl.BeyondRow) *float64 { return r.Ritz })
		rows = append(rows, Cells(name, "%.3f", learned, ritz))
	}
	return rows
}

// meanOf returns the number of rows of a training, and the mean of a number over them.
func meanOf(d rl.BeyondData, name string, number func(rl.BeyondRow) *float64) (n int, mean float64) {
	var values []float64
	for _, r := range d.Rows {
		if r.Name == name {
			values = append(values, report.OrNaN(number(r)))
		}
	}
	return len(values), stat.Mean(values, nil)
}
