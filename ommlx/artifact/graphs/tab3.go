package graphs

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// Table3 compares linear probes on functions learned by OMM, LoRA and Neural Eigenmaps on a graph, with and without
// Correct & Smooth.
func Table3() report.Exhibit {
	return report.OfRows(report.Exhibit{Kind: report.Table, Name: "tab3_ogbn_products", ShortName: "tab3",
		QuickName:   "tab3_debian_packages",
		Description: "node classification by learned eigenfunctions of a graph, with the paper's numbers and baselines",
		Partial:     true}, rows, row.experiment, drawTable3)
}

// Tab3Row compares the linear probes on one method's functions with the paper's. Accuracies are in per cent. Our
// deviations are over runs and repetitions of the probe, the paper's over 10 probes of one training.
type Tab3Row struct {
	Label     string `json:"label"`
	Method    string `json:"method"`
	Functions string `json:"functions"` // inputs of the probe, such as "embedding"
	// PaperDiverged marks a training that diverged in the paper.
	PaperDiverged bool `json:"paper_diverged,omitempty"`
	// Nodes marks a training with epochs of nodes, the other reading of the paper's epochs.
	Nodes    bool  `json:"epochs_of_nodes,omitempty"`
	Probe    Cell  `json:"probe"`
	Smoothed Cell  `json:"smoothed"` // after Correct & Smooth
	Unseen   *Cell `json:"unseen,omitempty"`
	// Captured is the sum of the largest eigenvalues of S in the span of the embedding, one for each class.
	Captured *float64 `json:"captured,omitempty"`
	Runs     int      `json:"runs"`
	Note     string   `json:"note,omitempty"`
}

// Cell is the paper's number and ours.
type Cell struct {
	Paper    *float64       `json:"paper,omitempty"`
	PaperStd *float64       `json:"paper_std,omitempty"`
	Ours     *float64       `json:"ours,omitempty"`
	OursStd  *float64       `json:"ours_std,omitempty"`
	Verdict  claims.Verdict `json:"verdict,omitempty"`
}

// Tab3Data is tables/tab3_ogbn_products.json, or tables/quick/tab3_debian_packages.json.
type Tab3Data struct {
	report.Head
	Graph   string    `json:"graph"` // name of the graph
	Rows    []Tab3Row `json:"rows"`
	Results []*Result `json:"results"`
}

func drawTable3(k report.Kept, planned []row, results []*Result) (report.Content, error) {
	p := k.Profile
	first := planned[0].experiment(p)
	data := Tab3Data{Head: k.Head, Graph: first.Graph, Results: results}
	data.Paper, data.Note = "Table 3, Section C.3", note(p, first, results)
	for i, r := range planned {
		data.Rows = append(data.Rows, r.lines(results[i])...)
	}
	return report.Content{Data: data, Text: data.Text()}, nil
}

// lines returns the table's rows for a result, which may be nil. The result on features includes label propagation,
// which has neither features nor functions.
func (r row) lines(result *Result) []Tab3Row {
	embedding := r.line("embedding", r.embedding, result, func(run Run) *Accuracies { return run.Embedding })
	switch {
	case r.method == Features:
		embedding.Functions = Features
		propagation := Tab3Row{Label: "label propagation", Method: "label_propagation", Functions: "none"}
		if result != nil {
			propagation.Runs = 1
			propagation.Probe.fill([]float64{result.Runs[0].Propagated}, false)
		}
		return []Tab3Row{embedding, propagation}
	case r.method == Eigenvectors || r.method == Optimum:
		embedding.Functions = r.method
		return []Tab3Row{embedding}
	case embedding.Note != "" && embedding.Probe.Ours == nil: // every training diverged
		embedding.Functions = "both"
		return []Tab3Row{embedding}
	}
	of := func(run Run) *Accuracies { return run.Representation }
	return []Tab3Row{r.line("representation", r.representation, result, of), embedding}
}

// line returns the row of one kind of functions.
func (r row) line(functions string, paper printed, result *Result, of func(Run) *Accuracies) Tab3Row {
	t := Tab3Row{Label: r.label, Method: r.method, Functions: functions, PaperDiverged: r.diverges, Nodes: r.nodes,
		Probe: paper.probe, Smoothed: paper.smoothed}
	if r.label == untrained {
		t.Method = "untrained"
	}
	if result == nil {
		return t
	}
	t.Runs, t.Note = len(result.Runs), diverged(result.Runs)
	var probe, smoothed, unseen, sums []float64
	for _, one := range result.Finished() {
		a := of(one)
		probe, smoothed, unseen = append(probe, a.Test...), append(smoothed, a.Smoothed...), append(unseen, a.Unseen...)
		if len(one.Ritz) > 0 {
			sums = append(sums, result.Config.captured(one.Ritz))
		}
	}
	atScale := result.Config.atPaperScale()
	t.Probe.fill(probe, atScale)
	t.Smoothed.fill(smoothed, atScale)
	if unseen != nil {
		t.Unseen = &Cell{}
		t.Unseen.fill(unseen, atScale)
	}
	t.Captured, _ = report.SpreadOf(sums).Numbers()
	return t
}

// diverged counts the runs that diverged in words, with their steps; "" without any.
func diverged(runs []Run) string {
	steps := xslices.Map(runs, func(one Run) int { return one.Diverged })
	if steps = slices.DeleteFunc(steps, func(step int) bool { return step == 0 }); len(steps) == 0 {
		return ""
	}
	first, last := slices.Min(steps), slices.Max(steps)
	at := fmt.Sprintf("step %d", first)
	if first < last {
		at = fmt.Sprintf("steps %d to %d", first, last)
	}
	return fmt.Sprintf("%d of %s diverged, at %s", len(steps), say.Count(len(runs), "run"), at)
}

// fill sets our accuracies, given as shares in [0, 1], and the verdict.
func (c *Cell) fill(shares []float64, atScale bool) {
	c.Ours, c.OursStd = report.SpreadOf(floats.ScaleTo(make([]float64, len(shares)), 100, shares)).Numbers()
	if c.Paper != nil {
		paper := report.Spread{Mean: *c.Paper / 100, Std: *c.PaperStd / 100, Runs: 10} // probes
		c.Verdict = claims.Agreement(report.SpreadOf(shares), paper, atScale)
	}
}

var (
	//go:embed tab3.md
	fixedNote string // the same under every profile
	//go:embed debian.md
	debianNote string
)

func note(p run.Profile, e Experiment, results []*Result) string {
	n, last := e.Network, debianNote
	if p == run.Paper {
		last = report.Rule(100)
	}
	return report.Prose(p.Note("another graph and a smaller network than the paper's"),
		fmt.Sprintf("Here: %s, a residual MLP of %d layers and width %d, %d steps of %d edges.", e.Graph, n.Layers,
			n.Width, n.Steps, n.Batch), report.NotRun(results), fixedNote, last)
}

// Text returns the table as text.
func (d Tab3Data) Text() report.Text {
	paper, ours := "Paper ("+ProductsName+")", "Ours ("+d.Graph+")"
	t := report.Text{Title: "Table 3: linear probe on " + d.Graph + ", accuracy in per cent, with the paper's on " +
		"ogbn-products", Note: d.Note,
		Header: []string{"Method", "Functions", paper, ours, paper + ", C&S", ours + ", C&S",
			"New nodes", "Captured", "Verdict", "Verdict, C&S"}}
	for _, r := range d.Rows {
		t.Rows = append(t.Rows, []string{r.Label, r.Functions, r.printed(r.Probe), cmp.Or(r.measured(r.Probe), r.Note),
			r.printed(r.Smoothed), r.measured(r.Smoothed), r.measured(*cmp.Or(r.Unseen, &Cell{})),
			report.Optional(2, r.Captured), string(r.Probe.Verdict), string(r.Smoothed.Verdict)})
	}
	return t
}

func (r Tab3Row) printed(c Cell) string {
	switch {
	case c.Paper != nil:
		return report.FromNumbers(c.Paper, c.PaperStd).Text(2)
	case r.PaperDiverged:
		return "diverged"
	}
	return ""
}

func (r Tab3Row) measured(c Cell) string {
	switch {
	case c.Ours != nil:
		return report.FromNumbers(c.Ours, c.OursStd).Text(1)
	case r.Runs == 0:
		return "not run"
	}
	return ""
}
