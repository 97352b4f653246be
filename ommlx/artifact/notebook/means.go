package notebook

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
)

// meanOf returns the mean of a number over rows. It is NaN if a row does not have the number.
func meanOf[T any](rows []T, number func(T) *float64) float64 {
	return stat.Mean(xslices.Map(rows, func(r T) float64 { return report.OrNaN(number(r)) }), nil)
}

// Estimators returns the rows of a [Table] for trainings beyond the paper at k = 50, as printed: the name, the number
// of environments, our mean over them by the metric of ALLO's code, the printed mean of Table 2 (c), their difference,
// and the strict cosine after a Ritz step.
func Estimators(d rl.BeyondData) (rows [][]string) {
	d = d.Where(func(e rl.Experiment) bool { return e.K == 50 && !e.AuthorsCode() })
	seen := map[string]bool{}
	for _, first := range d.Rows {
		if seen[first.Name] {
			continue
		}
		seen[first.Name] = true
		of := named(d, first.Name)
		ours := meanOf(of, func(r rl.BeyondRow) *float64 { return r.Rotated })
		printed := meanOf(of, func(r rl.BeyondRow) *float64 { return r.Printed })
		ritz := meanOf(of, func(r rl.BeyondRow) *float64 { return r.Ritz })
		rows = append(rows, slices.Insert(Cells(first.Name, "%.3f", ours, printed, ours-printed, ritz), 1,
			fmt.Sprint(len(of))))
	}
	return rows
}

// HardEstimators returns the rows of a [Table] for some trainings beyond the paper at k = 11, as printed: the name, and
// the mean cosine similarity over the hard environments, as learned and after a Ritz step.
func HardEstimators(d rl.BeyondData, names ...string) (rows [][]string) {
	d = d.Where(func(e rl.Experiment) bool { return e.K == 11 && !e.AuthorsCode() })
	for _, name := range names {
		of := named(d, name)
		rows = append(rows, Cells(name, "%.3f", meanOf(of, func(r rl.BeyondRow) *float64 { return r.Mean }),
			meanOf(of, func(r rl.BeyondRow) *float64 { return r.Ritz })))
	}
	return rows
}

// named returns the rows of a training.
func named(d rl.BeyondData, name string) []rl.BeyondRow {
	return slices.DeleteFunc(slices.Clone(d.Rows), func(r rl.BeyondRow) bool { return r.Name != name })
}

// Parts returns the rows of a [Table] for parts of Table 2 by a protocol: the name, the number of environments, the
// printed mean over them, ours, their difference with its 95% interval, and ours by the strict cosine and after a Ritz
// step. A part without runs has no row.
func Parts(d rl.Tab2Data, p rl.Protocol, parts ...string) (rows [][]string) {
	for _, part := range parts {
		a := d.Difference(part, p)
		if a.Environments == 0 {
			continue
		}
		cells := slices.DeleteFunc(slices.Clone(d.Cells), func(c rl.Tab2Cell) bool {
			return c.Part != part || c.Protocol != p || c.Mean == nil
		})
		strict := meanOf(cells, func(c rl.Tab2Cell) *float64 { return c.Mean })
		ritz := meanOf(cells, func(c rl.Tab2Cell) *float64 { return c.Ritz })
		row := Cells(fmt.Sprintf("(%s), %s", part, p), "%.3f", a.Printed, a.Ours, strict, ritz)
		row = slices.Insert(row, 3, fmt.Sprintf("%+.3f ± %.3f", a.Difference, a.Within))
		rows = append(rows, slices.Insert(row, 1, fmt.Sprint(a.Environments)))
	}
	return rows
}

// Means returns the rows of a [Table] for figure 1 by a protocol: for each method its mean cosine similarity over the
// environments and over the hard ones, then both after a Ritz step.
func Means(d rl.Fig1Data, p rl.Protocol) (rows [][]string) {
	learned := func(v rl.Fig1Value) *float64 { return v.Mean }
	ritz := func(v rl.Fig1Value) *float64 { return v.Ritz }
	for _, v := range d.Environments[0].Bars {
		if v.Protocol != p || v.Ritz == nil { // the row is after a Ritz step itself
			continue
		}
		rows = append(rows, Cells(v.Label, "%.3f", slices.Concat(over(d, v, learned)[:2], over(d, v, ritz)[:2])...))
	}
	return rows
}

// HardMeans returns a [Table] for figure 1: for each row of the figure, and for the authors' logged runs, its mean
// cosine similarity over the environments, over the hard ones, and in each hard one.
func HardMeans(d rl.Fig1Data) (header []string, rows [][]string) {
	header = []string{"mean cosine similarity", "all", "hard"}
	for _, e := range hard(d) {
		header = append(header, e.Name)
	}
	add := func(name string, row rl.Fig1Value, number func(v rl.Fig1Value) *float64) {
		rows = append(rows, Cells(name+", "+row.Label, "%.3f", over(d, row, number)...))
	}
	for _, v := range d.Environments[0].Bars {
		if v.Theirs != nil {
			add("logged runs", v, func(v rl.Fig1Value) *float64 { return v.Theirs })
		}
		add(string(v.Protocol), v, func(v rl.Fig1Value) *float64 { return v.Mean })
	}
	return header, rows
}

// hard returns the hard environments.
func hard(d rl.Fig1Data) []rl.Fig1Environment {
	return slices.DeleteFunc(slices.Clone(d.Environments), func(e rl.Fig1Environment) bool { return !e.Hard })
}

// over returns the mean of a number of a row over the environments, over the hard ones, and in each hard one.
func over(d rl.Fig1Data, row rl.Fig1Value, number func(v rl.Fig1Value) *float64) []float64 {
	of := func(e rl.Fig1Environment) *float64 { return number(e.Row(row.Protocol, row.Label)) }
	each := xslices.Map(hard(d), func(e rl.Fig1Environment) float64 { return report.OrNaN(of(e)) })
	return append([]float64{meanOf(d.Environments, of), meanOf(hard(d), of)}, each...)
}

// Apart describes the distances of our means in figure 1 from the means of the authors' logged runs.
func Apart(d rl.Fig1Data) string {
	var apart []float64
	for _, e := range d.Environments {
		for _, v := range e.Bars {
			if v.Theirs != nil && v.Mean != nil {
				apart = append(apart, math.Abs(*v.Mean-*v.Theirs))
			}
		}
	}
	if len(apart) == 0 {
		return "No row has the authors' mean."
	}
	slices.Sort(apart)
	half := stat.Quantile(0.5, stat.Empirical, apart, nil)
	return fmt.Sprintf("%d rows have the authors' mean. Half of our means are within %.3f of it, all within %.3f.",
		len(apart), math.Ceil(1e3*half)/1e3, apart[len(apart)-1])
}
