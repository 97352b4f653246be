package notebook

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/pde"
)

// MeanRun has the means of errors, angles (radians) and distances over the runs that did not diverge, for each mode or
// eigenspace. It has none where all runs diverged.
func MeanRun(r *pde.Result) pde.Run {
	return pde.Run{
		Errors:    perMode(r, func(r pde.Run) []float64 { return r.Errors }),
		Angles:    perMode(r, func(r pde.Run) []float64 { return r.Angles }),
		Subspaces: perMode(r, func(r pde.Run) []float64 { return r.Subspaces }),
	}
}

// perMode is the mean over the runs that did not diverge of what a run has for each mode; nil where all of them did.
func perMode(r *pde.Result, of func(pde.Run) []float64) []float64 {
	var sum []float64
	runs := 0.0
	for _, run := range r.Runs {
		switch {
		case run.Diverged > 0:
			continue
		case sum == nil:
			sum = make([]float64, len(of(run)))
		}
		floats.Add(sum, of(run))
		runs++
	}
	floats.Scale(1/runs, sum)
	return sum
}

// Errors draws what [pde.Numbers] draws on logarithmic axes, which tell small errors apart: means over the runs that
// did not diverge, without bands. Relative errors have no unit, angles are in radians.
func Errors(n *pde.Numbers) draw.CurvesRow {
	note, _, _ := strings.Cut(n.Note, " Bands are")
	row := draw.CurvesRow{Note: note + " Means over the runs."}
	for _, metric := range []struct {
		title, axis string
		of          func(pde.Run) []float64
	}{
		{"relative error of the energy", "mode", func(r pde.Run) []float64 { return r.Errors }},
		{"angle distance (radians)", "mode", func(r pde.Run) []float64 { return r.Angles }},
		{"subspace distance", "eigenspace", func(r pde.Run) []float64 { return r.Subspaces }},
	} {
		plot := draw.Curves{Title: metric.title, XLabel: metric.axis, LogY: true}
		var all []float64
		for _, r := range n.Results {
			s := draw.Series{Name: pde.MethodName(r.Config.Method)}
			for i, y := range metric.of(MeanRun(r)) {
				s.Add(float64(i+1), y)
			}
			plot.Series, all = append(plot.Series, s), append(all, s.Y...)
		}
		if len(all) > 0 && floats.Min(all) < floats.Max(all) {
			plot.YMin, plot.YMax = 1/roundUp(1/floats.Min(all)), roundUp(floats.Max(all))
		}
		row.Plots = append(row.Plots, plot)
	}
	return row
}

// roundUp returns the least of 1, 2, 5, 10, … that is at least x, which is positive.
func roundUp(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*unit >= x {
			return digit * unit
		}
	}
	return 10 * unit
}

// Energies shows the exact energy of each mode, and below it the learned one of each method, with so many digits: mean
// ± standard deviation over the runs that did not diverge.
func Energies(n *pde.Numbers, digits int) { Table(Numbered("mode", len(n.Exact)), energies(n, digits)) }

func energies(n *pde.Numbers, digits int) [][]string {
	rows := [][]string{Cells("exact energy", fmt.Sprintf("%%.%df", digits), n.Exact...)}
	for _, r := range n.Results {
		rows = append(rows, append([]string{pde.MethodName(r.Config.Method)}, r.Energies(digits)...))
	}
	return rows
}
