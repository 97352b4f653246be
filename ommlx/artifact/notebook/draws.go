package notebook

import (
	"fmt"
	"slices"

	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/rl"
	"omm-go/ommlx/artifact/rl/gridworld"
)

// Draws compares trainings by the authors' settings on the data of their seed with the same trainings on other draws of
// the data. Both results are rows of a [Table]. In draws each training has its environment, method and κ; mean,
// deviation and number of runs on the authors' data and on other draws; and the standard deviations between draws and
// between weights. In leads each environment has the number of pairs of runs, with the same draw and weights, in which
// OMM-seq is ahead of ALLO, and its mean lead with half of the 95% interval over the pairs.
func Draws(d rl.BeyondData) (draws, leads [][]string) {
	d = d.Where(func(e rl.Experiment) bool { return e.K == 11 && e.AuthorsCode() })
	for _, a := range d.Rows {
		e := a.Results[0].Config
		for _, b := range d.Rows {
			other := b.Results[0].Config
			if e.Environment != other.Environment || other.DataSeed == gridworld.AuthorsSeed {
				continue
			}
			if e.DataSeed == gridworld.AuthorsSeed && e.Method == other.Method && e.Shift == other.Shift {
				draws = append(draws, []string{e.Environment, pde.MethodName(e.Method), fmt.Sprint(e.Shift),
					report.FromNumbers(a.Mean, a.Std).Text(3), fmt.Sprint(len(a.Result().Runs)),
					report.FromNumbers(b.Mean, b.Std).Text(3), fmt.Sprint(len(b.Result().Runs)),
					report.Optional(3, b.DataStd), report.Optional(3, b.WeightsStd)})
			}
			if e.DataSeed != gridworld.AuthorsSeed && e.Method == "omm_seq" && other.Method == "allo" {
				if lead := paired(a, b); len(lead) > 0 {
					mean, half := report.SpreadOf(lead).Minus(report.Spread{Runs: len(lead)})
					slices.Sort(lead)
					behind, _ := slices.BinarySearch(lead, 0)
					leads = append(leads, []string{e.Environment, fmt.Sprintf("%d of %d", len(lead)-behind, len(lead)),
						fmt.Sprintf("%+.2f ± %.2f", mean, half)})
				}
			}
		}
	}
	return draws, leads
}

// paired returns the differences of average cosines of runs with the same data and seed.
func paired(a, b rl.BeyondRow) (differences []float64) {
	others := map[[2]int64]float64{} // by the seeds of data and weights
	for _, y := range b.Results {
		for _, run := range y.Finished() {
			others[[2]int64{y.Config.DataSeed, run.Seed}] = run.Average
		}
	}
	for _, x := range a.Results {
		for _, run := range x.Finished() {
			if other, paired := others[[2]int64{x.Config.DataSeed, run.Seed}]; paired {
				differences = append(differences, run.Average-other)
			}
		}
	}
	return differences
}
