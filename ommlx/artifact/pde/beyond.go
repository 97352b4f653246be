package pde

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Beyond is the table of variants of the experiments of section 3.2.
func Beyond() report.Exhibit {
	return report.OfRows(report.Exhibit{Kind: report.Table, Name: "beyond_schrodinger", ShortName: "beyond_pde",
		Partial:     true,
		Description: "section 3.2 beyond the paper: methods, samples, masks, finite differences and optimisers",
	}, variantsUnder, func(v variant, _ run.Profile) Experiment { return v.experiment }, drawVaried)
}

//go:embed beyond.txt
var beyondText string // fixed sentences of the note

func drawVaried(k report.Kept, variants []variant, results []*Result) (report.Content, error) {
	d, p := VariantsData{Head: k.Head}, k.Profile
	d.Note = report.Prose(note(p, true), report.NotRun(results), beyondText)
	for i, v := range variants {
		if results[i] != nil {
			d.Rows = append(d.Rows, newVariantRow(v.about, *results[i]))
		}
	}
	return report.Content{Data: d, Text: d.Text()}, nil
}

// BeyondOf is [Beyond] for reading variants of one system, by default all; a file qualifies only if it has these.
func BeyondOf(system string, names ...string) report.Exhibit {
	e := Beyond()
	e.Suffices = func(text []byte) bool {
		var d VariantsData
		if json.Unmarshal(text, &d) != nil {
			return true // reading it returns the error
		}
		of, wanted := d.Of(system), names
		if wanted == nil {
			all := variants(system, d.Provenance.Drawn.Profile)
			wanted = xslices.Map(all, func(v variant) string { return v.about })
		}
		return !slices.ContainsFunc(wanted, func(name string) bool {
			_, err := of.Row(name)
			return err != nil
		})
	}
	return e
}

// VariantRow is one training of the table.
type VariantRow struct {
	System string `json:"system"`
	About  string `json:"about"`
	// Error and Subspace are means over modes or eigenspaces and over the runs that did not diverge. The standard
	// deviations are over the same runs. Both are nil if there are too few runs.
	Error       *float64 `json:"mean_relative_error_of_energies"`
	ErrorStd    *float64 `json:"error_std_over_runs,omitempty"`
	Subspace    *float64 `json:"mean_subspace_distance"`
	SubspaceStd *float64 `json:"subspace_std_over_runs,omitempty"`
	Norm        float64  `json:"largest_norm"` // of ψ, over modes and runs; 0 if no norm could be computed
	Result      *Result  `json:"result"`       // without the picture
}

// VariantsData is tables/beyond_schrodinger.json.
type VariantsData struct {
	report.Head
	Rows []VariantRow `json:"rows"`
}

func newVariantRow(about string, r Result) (row VariantRow) {
	r.Picture = nil
	row.System, row.About, row.Result = r.Config.System, about, &r
	for _, run := range r.Runs {
		row.Norm = slices.Max(append(run.Norms, row.Norm))
	}
	row.Error, row.ErrorStd = overRuns(&r, energyErrors).Numbers()
	row.Subspace, row.SubspaceStd = overRuns(&r, distances).Numbers()
	return row
}

// Of returns the rows of one system.
func (d VariantsData) Of(system string) VariantsData {
	d.Rows = slices.DeleteFunc(slices.Clone(d.Rows), func(r VariantRow) bool { return r.System != system })
	return d
}

// Row returns the row with the given [VariantRow.About]. The error lists the available ones.
func (d VariantsData) Row(about string) (VariantRow, error) {
	all := xslices.Map(d.Rows, func(r VariantRow) string { return r.About })
	if i := slices.Index(all, about); i >= 0 {
		return d.Rows[i], nil
	}
	return VariantRow{}, fmt.Errorf("pde: unknown variant %q; use one of: %s", about, strings.Join(all, "; "))
}

// Cells returns the error of the energies, the subspace distance and the number of runs that diverged.
func (r VariantRow) Cells(digits int) []string {
	runs, finished := len(r.Result.Runs), len(r.Result.Finished())
	return []string{overRuns(r.Result, energyErrors).Text(digits), overRuns(r.Result, distances).Text(digits),
		fmt.Sprintf("%d of %d", runs-finished, runs)}
}

// Text returns the table as text.
func (d VariantsData) Text() report.Text {
	t := report.Text{Title: "Section 3.2 beyond the paper: Schrödinger equations", Note: d.Note,
		Header: []string{"System", "k", "Steps", "Variant", "Error of energies", "Subspace distance",
			"Largest norm", "Runs, not finite"}}
	for _, r := range d.Rows {
		c, runs, finished := r.Result.Config, len(r.Result.Runs), len(r.Result.Finished())
		t.Rows = append(t.Rows, []string{r.System, fmt.Sprint(c.K), fmt.Sprint(c.Train.Steps), r.About,
			overRuns(r.Result, energyErrors).String(), overRuns(r.Result, distances).String(),
			fmt.Sprintf("%.3g", r.Norm), fmt.Sprintf("%d, %d", runs, runs-finished)})
	}
	return t
}
