package pde

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// HydrogenVariants is the table of what else was tried on hydrogen, beside figures 2 and 4.
func HydrogenVariants() report.Entry {
	return variantsEntry("hydrogen", "other methods, samples, finite differences and optimisers", hydrogenVariants)
}

// OscillatorVariants is the table of what else was tried on the harmonic oscillator, beside figures 5 and 6.
func OscillatorVariants() report.Entry {
	return variantsEntry("oscillator", "other scales, samples, batches, masks and optimisers", oscillatorVariants)
}

// WellVariants is the table of what else was tried in the infinite well, beside figures 7 and 8.
func WellVariants() report.Entry {
	return variantsEntry("well", "finite differences, other optimisers and spare functions", wellVariants)
}

// variantsEntry is the table of a system's variants; a smoke run tries two.
func variantsEntry(system, about string, variants func(run.Profile) []variant) report.Entry {
	e := report.Entry{Kind: report.Table, Name: system + "_variants", Short: system, About: system + ": " + about}
	plan := func(p run.Profile) (list []Experiment) {
		for _, v := range variants(p) {
			list = append(list, v.Experiment)
		}
		if p == run.Smoke {
			return list[:2]
		}
		return list
	}
	return report.Of(e, plan, func(l *run.Lab, results []*Result, origin report.Origin) error {
		data := VariantsData{Table: e.Name, System: system, Provenance: origin, Note: note(l.Profile) +
			" Means over all modes, ± 1 standard deviation over the runs. Nothing but what is named differs from the " +
			"first line, or the first of as many steps. At the minimum the norms of ψ are 1; those of LoRA are " +
			"√(scale·|E|)."}
		abouts := variants(l.Profile)
		for i, r := range results {
			data.Rows = append(data.Rows, newVariantRow(abouts[i].about, *r))
		}
		return report.WriteTable(l, data.Table, data, data.Text())
	})
}

// VariantRow is one training of the table.
type VariantRow struct {
	About string `json:"about"`
	// Error and Subspace are means over modes or eigenspaces, and over the runs that did not diverge, with the standard
	// deviation over those runs; nil where there are too few.
	Error       *float64 `json:"mean_relative_error_of_energies"`
	ErrorStd    *float64 `json:"error_std_over_runs,omitempty"`
	Subspace    *float64 `json:"mean_subspace_distance"`
	SubspaceStd *float64 `json:"subspace_std_over_runs,omitempty"`
	Norm        float64  `json:"largest_norm"` // of ψ, over modes and runs; 0: none could be computed
	Result      *Result  `json:"result"`       // without the picture
}

// VariantsData is the JSON of such a table, as tables/well_variants.json.
type VariantsData struct {
	Table      string        `json:"table"`
	System     string        `json:"system"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Rows       []VariantRow  `json:"rows"`
}

func newVariantRow(about string, r Result) (row VariantRow) {
	r.Picture = nil
	row.About, row.Result = about, &r
	for _, run := range r.Runs {
		for _, norm := range run.Norms {
			row.Norm = max(row.Norm, norm)
		}
	}
	row.Error, row.ErrorStd = overRuns(&r, func(run Run) []float64 { return run.Errors }).Numbers()
	row.Subspace, row.SubspaceStd = distanceOf(&r).Numbers()
	return row
}

// overRuns is the mean over modes, or eigenspaces, of what a run has for each, over the runs that did not diverge.
func overRuns(r *Result, of func(Run) []float64) report.Spread {
	return report.Over(r, func(run Run) float64 { return stat.Mean(of(run), nil) })
}

// distanceOf is the mean subspace distance over eigenspaces and runs, from 0 to 1.
func distanceOf(r *Result) report.Spread {
	return overRuns(r, func(run Run) []float64 { return run.Subspaces })
}

// Row returns the row with what it is about, as in [VariantRow.About]. The error lists what there is.
func (d VariantsData) Row(about string) (VariantRow, error) {
	var all []string
	for _, r := range d.Rows {
		if r.About == about {
			return r, nil
		}
		all = append(all, r.About)
	}
	return VariantRow{}, fmt.Errorf("no variant is called %q; there are: %s", about, strings.Join(all, "; "))
}

// Cells are what a table says of the row: error of the energies, subspace distance, and of how many runs the loss was
// no longer finite.
func (r VariantRow) Cells(digits int) []string {
	runs, finished := len(r.Result.Runs), len(r.Result.Finished())
	return []string{r.energyError().Text(digits), r.distance().Text(digits),
		fmt.Sprintf("%d of %d", runs-finished, runs)}
}

func (r VariantRow) energyError() report.Spread {
	return report.FromNumbers(r.Error, r.ErrorStd, len(r.Result.Finished()))
}

func (r VariantRow) distance() report.Spread {
	return report.FromNumbers(r.Subspace, r.SubspaceStd, len(r.Result.Finished()))
}

// Text is the table as it is written.
func (d VariantsData) Text() report.Text {
	t := report.Text{Title: "Schrödinger equations, " + d.System + ": what else was tried", Note: d.Note,
		Header: []string{"k", "Steps", "Variant", "Error of energies", "Subspace distance",
			"Largest norm", "Runs, not finite"}}
	for _, r := range d.Rows {
		c, finished := r.Result.Config, len(r.Result.Finished())
		t.Rows = append(t.Rows, []string{strconv.Itoa(c.K), strconv.Itoa(c.Train.Steps), r.About,
			r.energyError().String(), r.distance().String(), fmt.Sprintf("%.3g", r.Norm),
			fmt.Sprintf("%d, %d", len(r.Result.Runs), len(r.Result.Runs)-finished)})
	}
	return t
}
