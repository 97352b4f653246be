package images

import (
	"testing"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledgertest"
	"operator-omm/ommlx/probe"
)

// FuzzResult: what is read of any file can be averaged, and is kept again as it was.
func FuzzResult(f *testing.F) {
	e := Quick("omm", Projected)
	e.K, e.Seeds = 2, []int64{7, 8}
	r := &Result{Config: e}
	for _, seed := range e.Seeds {
		r.Runs = append(r.Runs, Run{Seed: seed, Linear: probe.Accuracy{Top1: 0.5, Top5: 0.75},
			Neighbours: probe.Accuracy{Top1: 0.25, Top5: 1},
			Spectrum: Spectrum{Spent: []float64{0.5, 0.25}, Quotients: []float64{0.5}, Values: []float64{0.5},
				Alive: 1}})
	}
	ledgertest.FuzzResult(f, r, lab.Key(e), map[string]string{
		"":                   "",
		`"seed":7`:           `"seed":7,"diverged_at_step":3`,
		`"seeds":[7,8]`:      `"seeds":null`,
		`"top1":0.5`:         `"top1":7`,
		`0.75`:               `1e400`,
		`"spent":[0.5,0.25]`: `"spent":[0.5]`,
		`"alive":1`:          `"alive":-1`,
		`"history":null`:     `"history":[{"loss":["NaN",null]}]`,
	}, func(_ *testing.T, r *Result) { _ = row{}.beside(r) })
}
