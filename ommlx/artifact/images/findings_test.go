package images

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
)

// tableWith returns the quick table with these accuracies of p = 1, p = 2, the mixture, SimCLR and the free norm, each
// of three runs with a standard deviation of one point.
func tableWith(accuracies ...float64) (d Tab1Data) {
	for _, r := range rows() {
		if !r.planned(run.Quick) || !r.experiment(run.Quick).learns() || r.Baseline {
			continue
		}
		result := &Result{Config: r.experiment(run.Quick)}
		for i := range 3 {
			result.Runs = append(result.Runs, Run{Linear: probe.Accuracy{Top1: accuracies[0]/100 + 0.01*float64(i-1)},
				Spectrum: ViewSpectrum{Alive: 2}})
		}
		accuracies = accuracies[1:]
		d.Rows = append(d.Rows, r.withResult(result))
	}
	return d
}

func TestFindingsCompareTheOrder(t *testing.T) {
	const half = " ± 2.3" // t with four degrees of freedom, 2.776 √(2/3)
	const next = ": from each to the next the probe gains "
	for text, accuracies := range map[string][]float64{
		"SimCLR is the paper's" + next + "+10.0" + half + ", +10.0":                     {20, 30, 40, 50, 20},
		"paper's in the means, but not every step is clear" + next + "+2.0" + half:      {20, 22, 32, 50, 20},
		"SimCLR is undecided" + next + "+2.0" + half + ", -1.0":                         {20, 22, 21, 50, 20},
		"SimCLR is not the paper's" + next + "+10.0" + half + ", -9":                    {20, 30, 21, 50, 20},
		"norm 2.0; the linear probe changes by +5.0" + half + " points, a gain.":        {20, 30, 40, 50, 25},
		"the linear probe changes by -5.0" + half + " points, a loss.":                  {20, 30, 40, 50, 15},
		"the linear probe changes by +1.0" + half + " points, which is no clear differ": {20, 30, 40, 50, 21},
	} {
		d := tableWith(accuracies...)
		assert.Contains(t, d.findings(), text)
	}
	whole := tableWith(20, 30, 40, 50, 20)
	whole.Rows[1].Result = nil
	assert.Empty(t, whole.findings())
}
