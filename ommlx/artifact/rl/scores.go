package rl

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
)

// leeway is the largest difference of average cosine similarities that counts as comparable. The paper defines none.
const leeway = 0.05

// scores are the average cosine similarities of a row of a figure or table, one point per environment.
type scores []point

type point struct {
	environment   string
	report.Spread         // NaN if all runs diverged
	runs          int     // 0 if not run
	paper         float64 // printed, or the mean of the authors' logged runs; NaN if unknown
}

// newPoint returns the point of a result, which is nil if not run, by a score of its runs.
func newPoint(environment string, r *Result, of func(Run) *Scores, paper float64) point {
	one := point{environment: environment, paper: paper}
	if r != nil {
		one.Spread, one.runs = report.SpreadOf(averages(r, of)), len(r.Runs)
	}
	return one
}

func (d Fig1Data) scores(p Protocol, label string) scores {
	return xslices.Map(d.Environments, func(env Fig1Environment) point {
		v := env.Row(p, label)
		return newPoint(env.Name, v.Result, Run.own, report.OrNaN(v.Theirs))
	})
}

// methods returns the scores of the paper's methods in the environments in which all of them were run.
func (d Fig1Data) methods(p Protocol) []scores {
	return common(xslices.Map(paperMethods, func(label string) scores { return d.scores(p, label) })...)
}

func (d Tab2Data) scores(part string, p Protocol) scores {
	return xslices.Map(d.part(part, p), func(c Tab2Cell) point {
		return newPoint(c.Environment, c.Result, Run.rotated, c.PaperMean)
	})
}

// scores are by the metric of ALLO's code where a printed number is by that metric.
func (d BeyondData) scores(k int, name string) (all scores) {
	for _, r := range d.Rows {
		if r.K == k && r.Name == name {
			of := Run.own
			if r.Printed != nil {
				of = Run.rotated
			}
			all = append(all, newPoint(r.Environment, r.Result(), of, report.OrNaN(r.Printed)))
		}
	}
	return all
}

func (c scores) hard() scores {
	return slices.DeleteFunc(slices.Clone(c), func(one point) bool {
		return !slices.Contains(hardInstances, one.environment)
	})
}

// common returns the points of rows in the environments in which all of them were run.
func common(rows ...scores) []scores {
	all := make([]scores, len(rows))
	for _, of := range rows[0] {
		var here scores
		for _, r := range rows {
			for _, one := range r {
				if one.environment == of.environment && one.runs > 0 {
					here = append(here, one)
				}
			}
		}
		if len(here) == len(rows) {
			for i, one := range here {
				all[i] = append(all[i], one)
			}
		}
	}
	return all
}

// means returns the mean of each point, 0 if all runs diverged.
func (c scores) means() (all []float64) {
	for _, one := range c {
		if math.IsNaN(one.Mean) {
			one.Mean = 0
		}
		all = append(all, one.Mean)
	}
	return all
}

func (c scores) mean() float64 { return stat.Mean(c.means(), nil) }

// paper returns the mean of the paper's numbers; NaN if one is unknown.
func (c scores) paper() float64 {
	return stat.Mean(xslices.Map(c, func(one point) float64 { return one.paper }), nil)
}

// printed returns the paper's numbers, which must be known, as scores with our numbers of runs.
func (c scores) printed() scores {
	return xslices.Map(c, func(one point) point {
		return point{environment: one.environment, Spread: report.Spread{Mean: one.paper}, runs: one.runs}
	})
}

// runsOf formats the smallest and the largest number of runs, such as "1 to 2 runs". rows must have a point.
func runsOf(rows ...scores) string {
	return report.Runs(xslices.Map(slices.Concat(rows...), func(one point) int { return one.runs }))
}

// less returns the mean over the environments of a less b, and half of its 95% interval. Both have the same
// environments.
func less(a, b scores) (mean, half float64) {
	apart := a.means()
	floats.Sub(apart, b.means())
	return interval(apart)
}

// interval returns the mean of differences, one per environment, and half of its 95% interval.
func interval(differences []float64) (mean, half float64) {
	return report.SpreadOf(differences).Minus(report.Spread{Runs: len(differences)})
}

// Apart compares a part with the paper over the environments that were run: our mean less the printed mean, and half of
// the 95% interval of the difference. The ten cells of a part give one comparison, because their printed ± is over runs
// with one seed and contains no spread over seeds.
type Apart struct {
	Environments       int
	Ours, Printed      float64 // means over those environments
	Difference, Within float64
}

// Apart compares a part with the paper, as claims are judged.
func (d Tab2Data) Apart(part string, p Protocol) Apart { return common(d.scores(part, p))[0].apart() }

// apart compares with the paper. All points must have been run.
func (c scores) apart() Apart {
	a := Apart{Environments: len(c), Ours: c.mean(), Printed: c.paper()}
	if !math.IsNaN(a.Printed) {
		a.Difference, a.Within = less(c, c.printed())
	}
	return a
}
