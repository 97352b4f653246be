package pde

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// ratio bounds the mean relative error of the energies of one variant over the error of another variant of the same
// system, or over the largest error of several. Of ratios with the same name the worst one counts.
type ratio struct {
	claim, system, what string
	row                 string
	over                []string
	bound               float64
	corrected           bool // the ratio belongs to the corrected claim or its condition
}

// Names of rows, and of measurements.
const (
	sanger, hydrogenOMM    = "Sanger's variant (figures 2 and 4)", "OMM-seq, no shift"
	oscillatorOMM, wellOMM = "OMM-seq (figures 5 and 6)", "OMM-seq (figures 7 and 8)"
	rmsProp99, rmsProp999  = "RMSProp with α = 0.99", "RMSProp with α = 0.999, as in published code"
	wideSamples            = "samples of standard deviation 4"

	adamOver     = ": Adam's error of the energies over RMSProp's"
	maskOver     = ": error of the energies with the mask over that without"
	exactOver    = "error of the energies with exact derivatives over that with differences"
	differOver   = ": error of the energies with differences over that with exact derivatives"
	constantOver = "error of the energies with the mask's greatest value as a constant factor over that without"
	loraOver     = "LoRA-seq's error over the smaller of the other two"
)

// ratios lists the ratios of all claims. "Not effective" and "essential" are read as twice the error, and "accurate"
// differences as at most 1.5 times the error.
var ratios = []ratio{
	{"lora-beats-spin-neuralef", "hydrogen", loraOver, oneSidedLoRA, []string{spin}, 1, false},
	{"lora-beats-spin-neuralef", "hydrogen", loraOver, oneSidedLoRA, []string{neuralEF}, 1, false},
	{"adam-beats-rmsprop", "hydrogen", "hydrogen, Sanger, α = 0.99" + adamOver, sanger,
		[]string{"Sanger's variant, " + rmsProp99}, 1, false},
	{"adam-beats-rmsprop", "hydrogen", "hydrogen, LoRA-seq, α = 0.99" + adamOver, oneSidedLoRA,
		[]string{"LoRA-seq, one-sided, " + rmsProp99}, 1, false},
	{"adam-beats-rmsprop", "hydrogen", "hydrogen, Sanger, α = 0.999" + adamOver, sanger,
		[]string{"Sanger's variant, " + rmsProp999}, 1, false},
	{"oscillator-rmsprop", "oscillator", "oscillator, OMM-seq, α = 0.99" + adamOver, oscillatorOMM,
		[]string{rmsProp99}, 0.5, false},
	{"oscillator-rmsprop", "oscillator", "oscillator, OMM-seq, α = 0.999" + adamOver, oscillatorOMM,
		[]string{rmsProp999}, 0.5, false},
	{"well-rmsprop", "well", "well, OMM-seq, α = 0.99" + adamOver, wellOMM, []string{rmsProp99}, 0.5, false},
	{"well-rmsprop", "well", "well, OMM-seq, α = 0.999" + adamOver, wellOMM, []string{rmsProp999}, 0.5, true},
	{"inverse-unstable", "oscillator", "oscillator: that error over the one of the worst variant", oscillatorOMM,
		[]string{"operator not scaled", wideSamples, "a quarter of the batch"}, 0.5, false},
	{"dirichlet-mask-essential", "oscillator", "samples of standard deviation 2" + maskOver, oscillatorOMM,
		[]string{"no mask"}, 0.5, false},
	{"dirichlet-mask-essential", "oscillator", wideSamples + maskOver, wideSamples,
		[]string{wideSamples + ", no mask"}, 0.5, false},
	{"dirichlet-mask-essential", "oscillator", constantOver, "no mask, but its value at the centre as a factor",
		[]string{"no mask"}, 0.5, true},
	{"finite-differences-elsewhere", "hydrogen", "hydrogen, OMM-seq" + differOver, hydrogenOMM + ", finite differences",
		[]string{hydrogenOMM}, 1.5, false},
	{"finite-differences-elsewhere", "hydrogen", "hydrogen, Sanger" + differOver,
		"Sanger's variant, finite differences", []string{sanger}, 1.5, false},
	{"well-finite-differences", "well", exactOver, wellOMM, []string{"finite differences, h = 0.01"}, 0.5, false},
	{"well-finite-differences", "well", exactOver, wellOMM, []string{"finite differences, h = 0.1"}, 0.5, false},
}

// variantSources returns the sources of [ratios] and of the claims on runs that run away.
func variantSources() (all []claims.Source) {
	systems := map[string]string{} // by claim
	for _, r := range ratios {
		systems[r.claim] = r.system
	}
	for _, claim := range slices.Sorted(maps.Keys(systems)) {
		all = append(all, fromVariants(claim, systems[claim], func(d VariantsData, e *claims.Evidence) error {
			var own []ratio
			for _, r := range ratios {
				if r.claim == claim {
					own = append(own, r)
				}
			}
			return d.measure(own, e)
		}))
	}
	return append(all,
		fromVariants("omm-seq-diverges-without-shift", "hydrogen", withoutShift),
		fromVariants("omm-seq-shift-repairs", "hydrogen", withShift),
		fromVariants("sanger-on-par-with-lora", "hydrogen", func(d VariantsData, e *claims.Evidence) error {
			e.Outcome = claims.Done // a remark does not depend on the scale
			_, err := d.rows(e, sanger, narrowSamples)
			e.Runs = ""
			return err
		}))
}

// fromVariants returns the source of a claim that rests on the variants of a system.
func fromVariants(claim, system string, measure func(VariantsData, *claims.Evidence) error) claims.Source {
	return claims.From(claim, BeyondOf(system), func(d VariantsData, e *claims.Evidence) error {
		return measure(d.Of(system), e)
	})
}

func (d VariantsData) measure(own []ratio, e *claims.Evidence) error {
	var named []string
	for _, r := range own {
		named = append(append(named, r.row), r.over...)
	}
	rows, err := d.rows(e, named...)
	if err != nil {
		return err
	}
	for _, r := range own {
		largest := 0.0
		for _, other := range r.over {
			largest = max(largest, rows[other].errorOrInf())
		}
		record := e.Printed
		if r.corrected {
			record = e.Corrected
		}
		record(r.what, rows[r.row].errorOrInf()/largest, r.bound) // ∞/∞ is NaN, which is within no bound
	}
	return nil
}

// rows finds rows by name, and notes their errors and numbers of runs.
func (d VariantsData) rows(e *claims.Evidence, names ...string) (map[string]VariantRow, error) {
	rows := map[string]VariantRow{}
	var counts []int
	for _, name := range names {
		if _, there := rows[name]; there {
			continue
		}
		r, err := d.Row(name)
		if err != nil {
			return nil, err
		}
		c := r.Result.Config
		rows[name], counts = r, append(counts, len(r.Result.Runs))
		e.Note("%s (k = %d, %s steps): mean relative error of the energies %s", name, c.K, say.Thousands(c.Train.Steps),
			r.energyError())
	}
	each, err := report.RunsEach(counts)
	e.Runs = "variants: " + strings.TrimSuffix(each, " each")
	return rows, err
}

// errorOrInf is the mean relative error of the energies, infinite if all runs diverged.
func (r VariantRow) errorOrInf() float64 {
	if r.Error == nil {
		return math.Inf(1)
	}
	return *r.Error
}

// A run with a loss or a norm beyond these ran away: the minimum is above −10⁴, and eigenfunctions have norm 1.
const lowestLoss, longestNorm = -1e6, 10

// ranAway reports whether a run diverged, or its last loss or a norm is out of bounds.
func (r VariantRow) ranAway(index int) bool {
	judged, history := r.Result.Runs[index], r.Result.History
	far := slices.ContainsFunc(judged.Norms, func(norm float64) bool { return norm > longestNorm })
	low := len(history) > 0 && index < len(history[len(history)-1].Loss) &&
		history[len(history)-1].Loss[index] < lowestLoss
	return far || low || judged.Diverged > 0
}

// withoutShift records the share of the runs of OMM-seq on −H that did not run away. The claim says "quickly", so the
// first steps of the paper's experiment count as the paper's scale.
func withoutShift(d VariantsData, e *claims.Evidence) error {
	e.Outcome = claims.Done
	all, away, err := d.away(e, "the same, OMM-seq, no shift")
	if err != nil {
		return err
	}
	e.Printed(fmt.Sprintf("share of the %d runs that did not run away", all), 1-float64(away)/float64(all), 0)
	return nil
}

// withShift records the share of the runs that ran away with a shift.
func withShift(d VariantsData, e *claims.Evidence) error {
	all, away, err := d.away(e, "OMM-seq, shift κ = a tenth of the scale", "the same, OMM-seq, shift κ = the scale")
	if err != nil {
		return err
	}
	e.Printed(fmt.Sprintf("share of the %d runs that ran away", all), float64(away)/float64(all), 0)
	return nil
}

// away counts the runs of the named rows, and how many of them ran away.
func (d VariantsData) away(e *claims.Evidence, names ...string) (all, away int, err error) {
	var runs []string
	for _, name := range names {
		r, err := d.Row(name)
		if err != nil {
			return 0, 0, err
		}
		c := r.Result.Config
		steps := "k = %d, %s steps"
		if paper := c.paper(); c.K == paper.K && c.Train.Steps < paper.Train.Steps {
			steps = "k = %d, first %s of " + say.Thousands(paper.Train.Steps) + " steps"
		}
		count := say.Count(len(r.Result.Runs), "run")
		runs = append(runs, count+" of "+fmt.Sprintf(steps, c.K, say.Thousands(c.Train.Steps)))
		loss := math.NaN()
		for _, point := range r.Result.History {
			if len(point.Loss) > 0 {
				loss = slices.Min([]float64(point.Loss))
			}
		}
		for i := range r.Result.Runs {
			if all++; r.ranAway(i) {
				away++
			}
		}
		e.Note("operator times %g%s: %d of %s finite, largest norm %.3g, lowest loss at the end %.2g, relative error "+
			"of the energies %s", c.Scale, run.If(c.Shift != 0, ", κ = %g", c.Shift), len(r.Result.Finished()), count,
			r.Norm, loss, r.energyError())
	}
	e.Runs = strings.Join(runs, "; ")
	return all, away, nil
}
