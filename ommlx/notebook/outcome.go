package notebook

import (
	"fmt"

	"operator-omm/ommlx/artifact/draw"
)

// Outcome is what a table says of a run: the step at which it diverged, or, where that is 0, numbers in a format.
func Outcome(diverged int, format string, numbers ...any) string {
	if diverged > 0 {
		return fmt.Sprintf("diverged at step %d", diverged)
	}
	return fmt.Sprintf(format, numbers...)
}

// maxSeries is how many series of a plot can be told apart.
const maxSeries = 8

// Record adds a point to each of the series "name 1", "name 2", … of a plot, of which there are as many as values, but
// at most eight: more cannot be told apart.
func Record(plot *draw.Curves, name string, step int, values []float64) {
	for i, value := range values[:min(len(values), maxSeries)] {
		if i == len(plot.Series) {
			plot.Series = append(plot.Series, draw.Series{Name: fmt.Sprintf("%s %d", name, i+1)})
		}
		plot.Series[i].Add(float64(step), value)
	}
}
