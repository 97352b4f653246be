package notebook

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
)

// Means returns the rows of a [Table] for figure 1 by a protocol: for each method its mean cosine similarity over the
// environments and over the hard ones, then both after a Ritz step.
func Means(d rl.Fig1Data, p rl.Protocol) (rows [][]string) {
	learned := func(v rl.Fig1Value) *float64 { return v.Mean }
	ritz := func(v rl.Fig1Value) *float64 { return v.Ritz }
	for _, v := range d.Environments[0].Bars {
		if v.Protocol != p || v.Ritz == nil { // the row is after a Ritz step itself
			continue
		}
		all, hard, _ := over(d, v, learned)
		ritzAll, ritzHard, _ := over(d, v, ritz)
		rows = append(rows, Cells(v.Label, "%.3f", all, hard, ritzAll, ritzHard))
	}
	return rows
}

// HardMeans returns a [Table] for figure 1: for each row of the figure, and for the authors' logged runs, its mean
// cosine similarity over the environments, over the hard ones, and in each hard one.
func HardMeans(d rl.Fig1Data) (header []string, rows [][]string) {
	header = []string{"mean cosine similarity", "all", "hard"}
	for _, e := range d.Environments {
		if e.Hard {
			header = append(header, e.Name)
		}
	}
	add := func(name string, row rl.Fig1Value, number func(v rl.Fig1Value) *float64) {
		all, hard, each := over(d, row, number)
		rows = append(rows, Cells(name+", "+row.Label, "%.3f", append([]float64{all, hard}, each...)...))
	}
	for _, v := range d.Environments[0].Bars {
		if v.Theirs != nil {
			add("logged runs", v, func(v rl.Fig1Value) *float64 { return v.Theirs })
		}
		add(string(v.Protocol), v, func(v rl.Fig1Value) *float64 { return v.Mean })
	}
	return header, rows
}

// over returns the mean of a number of a row over the environments, over the hard ones, and in each hard one.
func over(d rl.Fig1Data, row rl.Fig1Value, number func(v rl.Fig1Value) *float64) (all, hard float64, each []float64) {
	var values []float64
	for _, e := range d.Environments {
		x := report.OrNaN(number(e.Row(row.Protocol, row.Label)))
		if values = append(values, x); e.Hard {
			each = append(each, x)
		}
	}
	return stat.Mean(values, nil), stat.Mean(each, nil), each
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
