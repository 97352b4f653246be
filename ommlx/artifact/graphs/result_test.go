package graphs

import (
	"testing"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/ledgertest"
)

// FuzzResult: what is read of any file can be averaged, and is kept again as it was.
func FuzzResult(f *testing.F) {
	e := Quick("omm")
	e.K, e.Seeds = 2, []int64{7, 8}
	r := &Result{Config: e}
	for _, seed := range e.Seeds {
		judged := &Judged{Test: []float64{0.5}, Smoothed: []float64{0.75}, Unseen: []float64{0.25}}
		r.Runs = append(r.Runs, Run{Seed: seed, Representation: judged, Embedding: judged, Ritz: []float64{0.5, 0.25}})
	}
	ledgertest.FuzzResult(f, r, lab.Key(e), map[string]string{
		"":                "",
		`"seed":7`:        `"seed":7,"diverged_at_step":3`,
		`"seeds":[7,8]`:   `"seeds":null`,
		`"test":[0.5]`:    `"test":[7]`,
		`0.75`:            `1e400`,
		`"smoothed":[`:    `"smoothed":[0.5,`,
		`"embedding":`:    `"embedding":null,"x":`,
		`"unseen":[0.25]`: `"unseen":[]`,
		`"history":null`:  `"history":[{"loss":["NaN",null]}]`,
	}, func(_ *testing.T, r *Result) {
		_ = row{}.beside(r)
		_ = row{method: Features}.beside(r)
	})
}
