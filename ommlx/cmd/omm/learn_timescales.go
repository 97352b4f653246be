package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/learn"
)

// writeTimescales prints and draws the timescales at several lags.
func writeTimescales(stdout io.Writer, folder string, lags []int, learned map[int]*learn.Learned) error {
	t := newTable("lag", "lag", xslices.Map(lags, strconv.Itoa))
	f := draw.Curves{XLabel: "lag in frames", YLabel: "timescale in frames",
		Note: "Implied timescales and their standard errors. They should not depend on the lag."}
	for i := range learned[lags[0]].Values {
		var column, uncertain []float64
		curve := draw.Series{Name: fmt.Sprintf("function %d", i+1)}
		for _, lag := range lags {
			times, errors := learned[lag].Timescales(float64(lag))
			column, uncertain = append(column, times[i]), append(uncertain, errors[i])
			if i > 0 && !math.IsNaN(times[i]+errors[i]) {
				curve.Add(float64(lag), times[i])
				curve.Band = append(curve.Band, errors[i])
			}
		}
		t.add(fmt.Sprintf("timescale_%d", i+1), column, uncertain)
		if curve.X != nil {
			f.Series = append(f.Series, curve)
		}
	}
	if err := t.print(stdout); err != nil {
		return err
	}
	return fill(stdout, folder, "timescales.png", f, map[string][]byte{"timescales.csv": t.csv()})
}
