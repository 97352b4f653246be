package pde

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// comparison rests a claim on ratios of variants of one system, with a common bound. Of ratios with the same name the
// worst one counts.
type comparison struct {
	claim, system string
	bound         float64
	ratios        []ratio
}

// ratio is the mean relative error of the energies of one variant over the error of another one, or over the largest
// error of several.
type ratio struct {
	what, row string
	over      []string
	corrected bool // the ratio belongs to the corrected claim or its condition
}

// Names of measurements.
const (
	adamOver     = ": Adam's error of the energies over RMSProp's"
	maskOver     = ": error of the energies with the mask over that without"
	exactOver    = "error of the energies with exact derivatives over that with differences"
	differOver   = ": error of the energies with differences over that with exact derivatives"
	constantOver = "error of the energies with the mask's greatest value as a constant factor over that without"
	loraOver     = "LoRA-seq's error over the smaller of the other two"
)

// comparisons reads "not effective" and "essential" as twice the error, and "accurate" differences as at most 1.5 times
// the error.
var comparisons = []comparison{
	{"lora-beats-spin-neuralef", "hydrogen", 1, []ratio{
		{loraOver, oneSidedLoRA, []string{spin}, false},
		{loraOver, oneSidedLoRA, []string{neuralEF}, false}}},
	{"adam-beats-rmsprop", "hydrogen", 1, []ratio{
		{"hydrogen, Sanger, α = 0.99" + adamOver, sanger, []string{"Sanger's variant, " + rmsProp99}, false},
		{"hydrogen, LoRA-seq, α = 0.99" + adamOver, oneSidedLoRA, []string{"LoRA-seq, one-sided, " + rmsProp99}, false},
		{"hydrogen, Sanger, α = 0.999" + adamOver, sanger, []string{"Sanger's variant, " + rmsProp999}, false}}},
	{"oscillator-rmsprop", "oscillator", 0.5, []ratio{
		{"oscillator, OMM-seq, α = 0.99" + adamOver, oscillatorOMM, []string{rmsProp99}, false},
		{"oscillator, OMM-seq, α = 0.999" + adamOver, oscillatorOMM, []string{rmsProp999}, false}}},
	{"well-rmsprop", "well", 0.5, []ratio{
		{"well, OMM-seq, α = 0.99" + adamOver, wellOMM, []string{rmsProp99}, false},
		{"well, OMM-seq, α = 0.999" + adamOver, wellOMM, []string{rmsProp999}, true}}},
	{"inverse-unstable", "well", 0.5, []ratio{
		{"well: that error over the largest one with finite differences", wellOMM, wellDifferences, false},
		{"well: that error over the largest one with another optimiser or rate", wellOMM,
			[]string{rmsProp99, rmsProp999, slowRMSProp, fallingRate}, false}}},
	{"dirichlet-mask-essential", "oscillator", 0.5, []ratio{
		{"samples of standard deviation 2" + maskOver, oscillatorOMM, []string{"no mask"}, false},
		{wideSamples + maskOver, wideSamples, []string{wideSamples + ", no mask"}, false},
		{constantOver, "no mask, but its value at the centre as a factor", []string{"no mask"}, true}}},
	{"finite-differences-elsewhere", "hydrogen", 1.5, []ratio{
		{"hydrogen, OMM-seq" + differOver, hydrogenOMM + ", finite differences", []string{hydrogenOMM}, false},
		{"hydrogen, Sanger" + differOver, "Sanger's variant, finite differences", []string{sanger}, false}}},
	{"well-finite-differences", "well", 0.5, []ratio{
		{exactOver, wellOMM, wellDifferences[:1], false},
		{exactOver, wellOMM, wellDifferences[1:], false}}},
}

// variantSources returns the sources of [comparisons], of the claims on divergence, and of remarks.
func variantSources() (all []claims.Source) {
	from := func(claim, system string, names []string, measure func(VariantsData, *claims.Evidence) error) {
		all = append(all, claims.From(claim, BeyondOf(system, names...),
			func(d VariantsData, e *claims.Evidence) error { return measure(d.Of(system), e) }))
	}
	for _, c := range comparisons {
		from(c.claim, c.system, named(c.ratios), func(d VariantsData, e *claims.Evidence) error {
			return d.compare(c, e)
		})
	}
	// Both claims are on the first steps: the paper says "quickly".
	from("omm-seq-diverges-without-shift", "hydrogen", []string{firstOMM},
		func(d VariantsData, e *claims.Evidence) error {
			e.Outcome = claims.Done // 200 steps are enough to diverge
			return d.count(e, "did not run away", false, firstOMM)
		})
	from("omm-seq-shift-repairs", "hydrogen", []string{firstShifted},
		func(d VariantsData, e *claims.Evidence) error { return d.count(e, "ran away", true, firstShifted) })
	remark := func(claim, system string, names ...string) {
		from(claim, system, names, func(d VariantsData, e *claims.Evidence) error {
			e.Outcome = claims.Done // a remark does not depend on the scale
			_, err := d.rows(e, names...)
			e.Runs = ""
			return err
		})
	}
	remark("omm-seq-shift-repairs", "hydrogen", firstSanger, firstShifted)
	remark("omm-seq-shift-repairs", "hydrogen", sanger, "OMM-seq, shift κ = a tenth of the scale")
	remark("sanger-on-par-with-lora", "hydrogen", sanger, narrowSamples)
	remark("hydrogen-samples", "hydrogen", tenThousand+"Sanger's variant", tenThousand+narrowSamples)
	remark("lora-beats-spin-neuralef", "hydrogen", "5,000 steps, Sanger's variant", "5,000 steps, "+spin,
		"5,000 steps, "+neuralEF)
	remark("adam-beats-rmsprop", "hydrogen", tenThousand+"Sanger's variant",
		tenThousand+"Sanger's variant, "+rmsProp99, tenThousand+"Sanger's variant, "+rmsProp999)
	remark("finite-differences-elsewhere", "hydrogen", "5,000 steps, Sanger's variant",
		"5,000 steps, Sanger's variant, finite differences")
	remark("inverse-unstable", "oscillator", oscillatorOMM, notScaled, wideSamples, "a quarter of the batch")
	remark("oscillator-figs", "oscillator", oscillatorOMM, wideSamples)
	return all
}

// named lists the variants of ratios.
func named(ratios []ratio) (names []string) {
	for _, r := range ratios {
		names = append(append(names, r.row), r.over...)
	}
	return names
}

// compare records the ratios. A row without a finished run has an infinite error.
func (d VariantsData) compare(c comparison, e *claims.Evidence) error {
	rows, err := d.rows(e, named(c.ratios)...)
	if err != nil {
		return err
	}
	errorOf := func(name string) float64 { return *cmp.Or(rows[name].Error, new(math.Inf(1))) }
	for _, r := range c.ratios {
		record := e.Printed
		if r.corrected {
			record = e.Corrected
		}
		largest := slices.Max(xslices.Map(r.over, errorOf))
		record(r.what, errorOf(r.row)/largest, c.bound) // ∞/∞ is NaN, which is within no bound
	}
	return nil
}

// rows finds rows by name, and notes their errors and numbers of runs.
func (d VariantsData) rows(e *claims.Evidence, names ...string) (map[string]VariantRow, error) {
	rows := map[string]VariantRow{}
	var results []*Result
	for _, name := range names {
		if _, there := rows[name]; there {
			continue
		}
		r, err := d.Row(name)
		if err != nil {
			return nil, err
		}
		c := r.Result.Config
		rows[name], results = r, append(results, r.Result)
		e.Note("%s (k = %d, %s steps): mean relative error of the energies %s", name, c.K, say.Thousands(c.Train.Steps),
			overRuns(r.Result, energyErrors))
	}
	e.Runs = "variants: " + runsOf(results)
	return rows, nil
}

// A run with a loss or a norm beyond these ran away: the minimum is above −10⁴, and eigenfunctions have norm 1.
const lowestLoss, longestNorm = -1e6, 10

// ranAway reports whether a run diverged, or its last loss or a norm is out of bounds.
func (r VariantRow) ranAway(index int) bool {
	one, history := r.Result.Runs[index], r.Result.History
	return one.Diverged > 0 || slices.Max(one.Norms) > longestNorm ||
		len(history) > 0 && history[len(history)-1].Loss[index] < lowestLoss
}

// count records the share of the runs of a row that ran away, or that did not. what says which.
func (d VariantsData) count(e *claims.Evidence, what string, ranAway bool, name string) error {
	r, err := d.Row(name)
	if err != nil {
		return err
	}
	c, n, counted := r.Result.Config, len(r.Result.Runs), 0
	for i := range n {
		if r.ranAway(i) == ranAway {
			counted++
		}
	}
	e.Printed(fmt.Sprintf("share of the %d runs that %s", n, what), float64(counted)/float64(n), 0)
	e.Note("operator times %g, κ = %g: %d of %s finite, largest norm %.3g, relative error of the energies %s",
		c.Scale, c.Shift, len(r.Result.Finished()), say.Count(n, "run"), r.Norm, overRuns(r.Result, energyErrors))
	e.Runs = fmt.Sprintf("%s of k = %d, %s of %s steps", say.Count(n, "run"), c.K, say.Thousands(c.Train.Steps),
		say.Thousands(Hydrogen(run.Paper, c.Method).Train.Steps))
	return nil
}
