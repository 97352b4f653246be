package rl

import (
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/say"
)

// leeway is the largest difference of average cosine similarities that counts as comparable. The paper defines none.
const leeway = 0.05

// scored is the data of a figure or table with rows of scores.
type scored interface {
	scores(p Protocol, row string) scores
}

// scores are the average cosine similarities of a row of a figure or table, one point per environment.
type scores []point

type point struct {
	environment   string
	name          string  // of the row
	report.Spread         // NaN if all runs diverged
	runs          int     // 0 if not run
	paper         float64 // printed, or the mean of the authors' logged runs; NaN if unknown
}

// newPoint returns the point of a result, which is nil if not run, by a score of its runs.
func newPoint(environment, name string, r *Result, of func(Run) *Scores, paper *float64) point {
	one := point{environment: environment, name: name, paper: report.OrNaN(paper)}
	if r != nil {
		one.Spread, one.runs = report.SpreadOf(averages(r, of)), len(r.Runs)
	}
	return one
}

// scores returns the row of a method.
func (d Fig1Data) scores(p Protocol, label string) scores {
	return xslices.Map(d.Environments, func(env Fig1Environment) point {
		v := env.Row(p, label)
		return newPoint(env.Name, label, v.Result, Run.own, v.Theirs)
	})
}

// methods returns the scores of the paper's methods in the environments in which all of them were run.
func (d Fig1Data) methods(p Protocol) []scores {
	return common(xslices.Map(paperMethods, func(label string) scores { return d.scores(p, label) })...)
}

// scores returns the row of a part.
func (d Tab2Data) scores(p Protocol, part string) scores {
	return xslices.Map(d.part(part, p), func(c Tab2Cell) point {
		return newPoint(c.Environment, c.Name, c.Result, Run.rotated, &c.PaperMean)
	})
}

// scores returns the row of a training at k = 50, by the metric of ALLO's code, as printed.
func (d BeyondData) scores(_ Protocol, name string) scores { return d.of(tab2Modes, name) }

// of returns the row of a training with k functions. It is by the metric of ALLO's code where a printed number is.
func (d BeyondData) of(k int, name string) (all scores) {
	for _, r := range d.Rows {
		if r.K == k && r.Name == name {
			of := Run.own
			if r.Printed != nil {
				of = Run.rotated
			}
			all = append(all, newPoint(r.Environment, name, r.Result(), of, r.Printed))
		}
	}
	return all
}

func (c scores) hard() scores {
	return slices.DeleteFunc(slices.Clone(c), func(one point) bool {
		return !slices.Contains(hardInstances, one.environment)
	})
}

func (c scores) ran(environment string) bool {
	return slices.ContainsFunc(c, func(one point) bool { return one.environment == environment && one.runs > 0 })
}

// common returns the points of rows in the environments in which all of them were run.
func common(rows ...scores) []scores {
	return xslices.Map(rows, func(row scores) scores {
		return slices.DeleteFunc(slices.Clone(row), func(one point) bool {
			return slices.ContainsFunc(rows, func(other scores) bool { return !other.ran(one.environment) })
		})
	})
}

// printed returns the paper's numbers as scores with our numbers of runs.
func (c scores) printed() scores {
	return xslices.Map(c, func(one point) point {
		return point{environment: one.environment, Spread: report.Spread{Mean: one.paper, Runs: 1}, runs: one.runs}
	})
}

// runsOf formats the smallest and the largest number of runs, such as "1 to 2 runs". rows must have a point.
func runsOf(rows ...scores) string {
	return say.Runs(xslices.Map(slices.Concat(rows...), func(one point) int { return one.runs }))
}

// Apart compares our scores with the paper's, or with other scores, over the environments in which both were run: the
// difference of the means, and half of its 95% interval over the environments. A part of Table 2 gives one comparison,
// because its printed ± is over runs with one seed and contains no spread over seeds.
type Apart struct {
	Environments       int
	Ours, Printed      float64 // means over those environments; a row without a finished run counts as 0
	Difference, Within float64
}

// Apart compares a part with the paper, as claims are judged.
func (d Tab2Data) Apart(part string, p Protocol) Apart { return common(d.scores(p, part))[0].apart() }

// apart compares with the paper, whose mean is NaN if one of its numbers is unknown. All points must have been run.
func (c scores) apart() Apart { return c.less(c.printed()) }

// less compares with other scores in the same environments.
func (c scores) less(other scores) Apart {
	mean := func(one point) float64 {
		if one.Spread.Runs == 0 { // all diverged
			return 0
		}
		return one.Mean
	}
	ours, others := xslices.Map(c, mean), xslices.Map(other, mean)
	a := Apart{Environments: len(c), Ours: stat.Mean(ours, nil), Printed: stat.Mean(others, nil)}
	floats.Sub(ours, others)
	a.Difference, a.Within = interval(ours)
	return a
}

// interval returns the mean of differences, one per environment, and half of its 95% interval.
func interval(differences []float64) (mean, half float64) {
	return report.SpreadOf(differences).Minus(report.Spread{Runs: len(differences)})
}
