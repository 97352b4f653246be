package claims

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/artifact/report"
)

func TestAgreement(t *testing.T) {
	paper := report.Spread{Mean: 0.9, Std: 0.01, Runs: 5}
	one := func(mean float64) report.Spread { return report.SpreadOf([]float64{mean}) }
	for _, c := range []struct {
		why  string
		ours report.Spread
		want Verdict
	}{
		{"ν = 4.9, ±0.036", report.Spread{Mean: 0.93, Std: 0.03, Runs: 5}, Holds},
		{"ν = 4.9, ±0.036", report.Spread{Mean: 0.94, Std: 0.03, Runs: 5}, NotReproduced},
		{"ν = 8, ±0.0146", report.Spread{Mean: 0.88, Std: 0.01, Runs: 5}, NotReproduced},
		{"ν = 1.0, ±0.27: two runs that differ much", report.Spread{Mean: 0.93, Std: 0.03, Runs: 2}, Undecided},
		{"as wide, with all of the paper's runs: ±0.099", report.Spread{Mean: 0.93, Std: 0.08, Runs: 5}, Undecided},
		{"beyond it, however wide", report.Spread{Mean: 0.7, Std: 0.08, Runs: 5}, NotReproduced},
		{"a hundredth counts as agreement", report.Spread{Mean: 0.905, Std: 0, Runs: 5}, Holds},
		{"a single run inside its prediction interval, 2.776·0.01·√1.2 = 0.0304", one(0.92), Undecided},
		{"outside it, if our runs scatter as the paper's do", one(0.99), Undecided},
		{"more than a tenth away", one(1.001), NotReproduced},
		{"on the other side", one(0.799), NotReproduced},
		{"a deviation of NaN", report.Spread{Mean: 0.9, Std: math.NaN(), Runs: 3}, Undecided},
		{"every run diverged", report.SpreadOf(nil), NotReproduced},
	} {
		assert.Equal(t, c.want, Agreement(c.ours, paper, true), "%s: %s", c.ours, c.why)
		assert.Equal(t, NotTested, Agreement(c.ours, paper, false), "a quick run is never a reproduction")
	}
	assert.Equal(t, Undecided, Agreement(one(0.9), one(0.9), true), "neither side has a deviation")
	for _, paper := range []report.Spread{{Mean: 0.9, Std: math.NaN(), Runs: 5},
		{Mean: math.NaN(), Std: 0.01, Runs: 5}} {
		ours := report.Spread{Mean: 0.9, Std: 0.01, Runs: 3}
		assert.Equal(t, Undecided, Agreement(ours, paper, true), "no number was printed")
	}
}
