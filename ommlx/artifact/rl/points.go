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

// scoreTable is the data of a figure or table whose rows are compared.
type scoreTable interface {
	points(p Protocol, row string) points
	noise() noise
}

// noise is the sample variance of runs of one configuration, pooled over all rows of a figure or table with several
// runs: s² = Σ (n−1) s_i² / ν with ν = Σ (n−1).
type noise struct {
	variance float64 // s², NaN if no row has several runs
	freedom  float64 // ν
}

// noiseOf pools the deviations of results, by one of the cosines of their runs.
func noiseOf(results []*Result, of func(Run) *Cosines) (n noise) {
	for _, r := range results {
		if s := report.SpreadOf(averages(r, of)); s.Runs > 1 {
			n.variance += float64(s.Runs-1) * s.Std * s.Std
			n.freedom += float64(s.Runs - 1)
		}
	}
	n.variance /= n.freedom
	return n
}

// points are the average cosine similarities of a row of a figure or table, one per environment.
type points []point

type point struct {
	environment   string
	name          string  // of the row
	report.Spread         // NaN if all runs diverged
	runs          int     // 0 if not run
	paper         float64 // printed, or the mean of the authors' logged runs; NaN if unknown
	paperVariance float64 // of that mean, by the printed deviation
	isPaper       bool    // the point is the paper's number, with our runs
}

// newPoint returns the point of a result, which is nil if not run, by one of the cosines of its runs.
func newPoint(environment, name string, r *Result, of func(Run) *Cosines, paper *float64) point {
	one := point{environment: environment, name: name, paper: report.OrNaN(paper)}
	if r != nil {
		one.Spread, one.runs = report.SpreadOf(averages(r, of)), len(r.Runs)
	}
	return one
}

// points returns the row of a method.
func (d Fig1Data) points(p Protocol, label string) points {
	return xslices.Map(d.Environments, func(env Fig1Environment) point {
		v := env.Row(p, label)
		return newPoint(env.Name, label, v.Result, Run.own, v.Theirs)
	})
}

func (d Fig1Data) noise() noise {
	var all []*Result
	for _, env := range d.Environments {
		all = append(all, xslices.Map(env.Bars, func(v Fig1Value) *Result { return v.Result })...)
	}
	return noiseOf(all, Run.own)
}

// hard returns the figure with the hard environments only.
func (d Fig1Data) hard() Fig1Data {
	d.Environments = slices.DeleteFunc(slices.Clone(d.Environments), func(e Fig1Environment) bool { return !e.Hard })
	return d
}

// methods returns the rows of the paper's methods in the environments in which all of them were run.
func (d Fig1Data) methods(p Protocol) []points {
	return common(xslices.Map(paperMethods, func(label string) points { return d.points(p, label) })...)
}

// points returns the row of a part.
func (d Tab2Data) points(p Protocol, part string) points {
	return xslices.Map(d.part(part, p), func(c Tab2Cell) point {
		one := newPoint(c.Environment, c.Name, c.Result, Run.rotated, &c.PaperMean)
		if i := slices.Index(paperParts, c.Part[:1]); i >= 0 {
			one.paperVariance = c.PaperStd * c.PaperStd / float64(paperRuns[i])
		}
		return one
	})
}

func (d Tab2Data) noise() noise {
	return noiseOf(xslices.Map(d.Cells, func(c Tab2Cell) *Result { return c.Result }), Run.rotated)
}

// points returns the row of a training at k = 50.
func (d BeyondData) points(_ Protocol, name string) points { return d.of(tab2Modes, name) }

func (d BeyondData) noise() noise { return d.noiseAt(tab2Modes) }

// beyond11 is the table read at k = 11.
type beyond11 struct{ BeyondData }

func (d beyond11) points(_ Protocol, name string) points { return d.of(spectrumModes, name) }

func (d beyond11) noise() noise { return d.noiseAt(spectrumModes) }

// cosines returns the metric of the row: that of ALLO's code where a printed number is.
func (r BeyondRow) cosines() func(Run) *Cosines {
	if r.Printed != nil {
		return Run.rotated
	}
	return Run.own
}

// noiseAt pools the rows with k functions, which have one metric.
func (d BeyondData) noiseAt(k int) noise {
	var all []*Result
	of := Run.own
	for _, r := range d.Rows {
		if r.K == k {
			all, of = append(all, r.Results...), r.cosines()
		}
	}
	return noiseOf(all, of)
}

// of returns the row of a training with k functions.
func (d BeyondData) of(k int, name string) (all points) {
	for _, r := range d.Rows {
		if r.K == k && r.Name == name {
			all = append(all, newPoint(r.Environment, name, r.Result(), r.cosines(), r.Printed))
		}
	}
	return all
}

func (c points) ran(environment string) bool {
	return slices.ContainsFunc(c, func(one point) bool { return one.environment == environment && one.runs > 0 })
}

// common returns the points of rows in the environments in which all of them were run.
func common(rows ...points) []points {
	return xslices.Map(rows, func(row points) points {
		return slices.DeleteFunc(slices.Clone(row), func(one point) bool {
			return slices.ContainsFunc(rows, func(other points) bool { return !other.ran(one.environment) })
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
	return common(d.points(p, part))[0].minusPaper(d.noise())
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
