package rl

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/internal/say"
)

// leeway is the largest difference of average cosine similarities that counts as comparable. The paper defines none.
const leeway = 0.05

// points are average cosine similarities in a figure or table, one for each row and environment.
type points []point

type point struct {
	environment   string
	name          string          // of the row
	row           string          // the name, or the part of Table 2
	protocol      Protocol        // "" in [Beyond]
	beyond        bool            // the row is beyond the paper
	averages      []float64       // of the runs that did not diverge
	report.Spread                 // of the averages; NaN if all runs diverged
	dataSets      []report.Spread // over the runs of each result
	runs          int             // 0 if not run
	diverged      int             // runs that diverged
	paper         float64         // printed, or the mean of the authors' logged runs; NaN if unknown
	paperVariance float64         // of that mean, by the printed deviation
	isPaper       bool            // the point is the paper's number, with our runs
}

// newPoint returns the point of results, which are nil if not run, by one of the cosines of their runs.
func newPoint(environment, name string, p Protocol, paper *float64, of func(Run) *Cosines, results ...*Result) point {
	one := point{environment: environment, name: name, row: name, protocol: p, paper: report.OrNaN(paper)}
	for _, r := range results {
		if r != nil {
			scores := averages(r, of)
			one.averages, one.dataSets = append(one.averages, scores...), append(one.dataSets, report.SpreadOf(scores))
			one.runs, one.diverged = one.runs+len(r.Runs), one.diverged+diverged(r)
		}
	}
	one.Spread = report.SpreadOf(one.averages)
	return one
}

// points returns all rows.
func (d Fig1Data) points() (all points) {
	for _, env := range d.Environments {
		for _, v := range env.Bars {
			one := newPoint(env.Name, v.Label, v.Protocol, v.Theirs, Run.own, v.Result)
			one.beyond = v.Beyond
			all = append(all, one)
		}
	}
	return all
}

// points returns all rows. A row is a part by a protocol.
func (d Tab2Data) points() points {
	return xslices.Map(d.Cells, func(c Tab2Cell) point {
		one := newPoint(c.Environment, c.Name, c.Protocol, &c.PaperMean, Run.rotated, c.Result)
		one.row = c.Part
		one.paperVariance = c.PaperStd * c.PaperStd / float64(paperRuns[printed(c.Part)])
		return one
	})
}

// points returns the rows with k functions. Where a number is printed, the metric is that of ALLO's code.
func (d BeyondData) points(k int) (all points) {
	for _, r := range d.Rows {
		of := Run.own
		if r.Printed != nil {
			of = Run.rotated
		}
		if r.K == k {
			all = append(all, newPoint(r.Environment, r.Name, "", r.Printed, of, r.Results...))
		}
	}
	return all
}

// noise is the sample variance of runs of one configuration, pooled over all rows of a figure or table with several
// runs: s² = Σ (n−1) s_i² / ν with ν = Σ (n−1).
type noise struct {
	variance float64 // s², NaN if no row has several runs
	freedom  float64 // ν
}

// noise pools the deviations of all points.
func (c points) noise() (n noise) {
	for _, one := range c {
		for _, s := range one.dataSets {
			if s.Runs > 1 {
				n.variance += float64(s.Runs-1) * s.Std * s.Std
				n.freedom += float64(s.Runs - 1)
			}
		}
	}
	n.variance /= n.freedom
	return n
}

func (c points) where(keep func(point) bool) points {
	return slices.DeleteFunc(slices.Clone(c), func(one point) bool { return !keep(one) })
}

// of returns a row by a protocol.
func (c points) of(p Protocol, row string) points {
	return c.where(func(one point) bool { return one.row == row && (one.protocol == p || one.protocol == "") })
}

// hard returns the points in the hard environments.
func (c points) hard() points {
	return c.where(func(one point) bool { return slices.Contains(hardInstances, one.environment) })
}

// methods returns the rows of the paper's methods in the environments of figure 1 in which all of them were run.
func (c points) methods(p Protocol) []points {
	return common(xslices.Map(paperMethods, func(label string) points { return c.of(p, label) })...)
}

func (c points) ran(environment string) bool {
	return slices.ContainsFunc(c, func(one point) bool { return one.environment == environment && one.runs > 0 })
}

// common returns the points of rows in the environments in which all of them were run.
func common(rows ...points) []points {
	return xslices.Map(rows, func(row points) points {
		return row.where(func(one point) bool {
			return !slices.ContainsFunc(rows, func(other points) bool { return !other.ran(one.environment) })
		})
	})
}

// printed returns the paper's numbers as points with our numbers of runs.
func (c points) printed() points {
	return xslices.Map(c, func(one point) point {
		return point{environment: one.environment, Spread: report.Spread{Mean: one.paper, Runs: 1}, runs: one.runs,
			paperVariance: one.paperVariance, isPaper: true}
	})
}

// runsOf formats the smallest and the largest number of runs, such as "1 to 2 runs". rows must have a point.
func runsOf(rows ...points) string {
	return say.Runs(xslices.Map(slices.Concat(rows...), func(one point) int { return one.runs }))
}

// PairedDifference is the mean difference of two rows over the environments in which both were run: ours and the
// paper's, or two of ours. A part of Table 2 gives one, because its printed ± is over runs with one seed.
type PairedDifference struct {
	Environments  int
	Ours, Printed float64 // means over those environments; a row without a finished run counts as 0
	Difference    float64
	// Within is half of the 95% interval for these environments, with the [noise] of runs; [claims.RuleChanged].
	Within float64
	// Elsewhere is half of the 95% interval over environments, for those who ask about others.
	Elsewhere float64
}

// Difference compares a part with the paper, as claims are judged.
func (d Tab2Data) Difference(part string, p Protocol) PairedDifference {
	all := d.points()
	return common(all.of(p, part))[0].minusPaper(all.noise())
}

// minusPaper compares with the paper, whose mean is NaN if one of its numbers is unknown. All points must have runs.
func (c points) minusPaper(n noise) PairedDifference { return c.minus(c.printed(), n) }

// minus compares with another row in the same environments.
func (c points) minus(other points, n noise) PairedDifference {
	mean := func(one point) float64 {
		if one.Spread.Runs == 0 { // all diverged
			return 0
		}
		return one.Mean
	}
	ours, others := xslices.Map(c, mean), xslices.Map(other, mean)
	a := PairedDifference{Environments: len(c), Ours: stat.Mean(ours, nil), Printed: stat.Mean(others, nil)}
	floats.Sub(ours, others)
	a.Difference, a.Elsewhere = interval(ours)
	ourVariance, paperVariance := 0.0, 0.0 // of the sum of the differences
	for _, one := range slices.Concat(c, other) {
		if one.isPaper {
			paperVariance += one.paperVariance
		} else if one.Spread.Runs > 0 {
			ourVariance += n.variance / float64(one.Spread.Runs)
		}
	}
	half := 0.0
	if ourVariance != 0 { // NaN if no row has several runs
		half = math.Sqrt(ourVariance) * report.Quantile(n.freedom)
	}
	if a.Within = math.Hypot(half, 1.96*math.Sqrt(paperVariance)) / float64(len(c)); math.IsNaN(a.Within) {
		a.Within = math.Inf(1)
	}
	return a
}

// interval returns the mean of differences, one per environment, and half of its 95% interval.
func interval(differences []float64) (mean, half float64) {
	return report.SpreadOf(differences).Minus(report.Spread{Runs: len(differences)})
}
