package images

import (
	_ "embed"
	"fmt"
	"slices"

	"omm-go/ommlx/artifact/claims"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
)

// Table1 compares the linear probes of OMM's variants and SimCLR.
func Table1() report.Exhibit {
	return report.OfRows(report.Exhibit{Kind: report.Table, Name: "tab1_cifar100", ShortName: "tab1",
		QuickName:   "tab1_glyphs",
		Description: "linear probes on representations learned by OMM and SimCLR, with the paper's numbers",
		Partial:     true}, rows, Tab1Row.experiment, drawTable1)
}

var encodings = map[Encoding]string{Projected: "projector", Top: "DirectCLR"}

// Tab1Row is one row in one half of Table 1, with the paper's numbers and ours. Accuracies are in per cent.
type Tab1Row struct {
	Label     string         `json:"label"`
	Method    string         `json:"method"`
	Baseline  bool           `json:"baseline,omitempty"` // only the probe is learned
	Encoding  Encoding       `json:"encoding"`
	PaperTop1 *float64       `json:"paper_top1,omitempty"` // nil if the paper does not have the row
	PaperTop5 *float64       `json:"paper_top5,omitempty"`
	Top1      *float64       `json:"top1,omitempty"`
	Top1Std   *float64       `json:"top1_std,omitempty"`
	Top5      *float64       `json:"top5,omitempty"`
	Top5Std   *float64       `json:"top5_std,omitempty"`
	Verdict   claims.Verdict `json:"verdict,omitempty"`
	Result    *Result        `json:"result,omitempty"`

	free bool // features of any norm
	solo bool // with solo-learn's projector, in the paper profile only
}

// rows lists the rows of a profile without results: the paper's, in its order, then OMM of order 1 with features of any
// norm, for which tr M[f] is not fixed to 1, SimCLR with solo-learn's projector, and the baselines. The quick profile
// has all but solo-learn's projector, the smoke profile two rows.
func rows(p run.Profile) (all []Tab1Row) {
	for i, encoding := range []Encoding{Projected, Top} {
		for _, r := range []struct {
			label, method string
			numbers       [4]float64 // top-1 and top-5 with the projector, then without; 0: none
		}{
			{"OMM, p = 1", "omm", [4]float64{60.02, 87.13, 59.83, 86.65}},
			{"OMM-joint, p = 1", "omm_jnt", [4]float64{61.30, 85.22, 59.92, 85.13}},
			{"OMM-seq, p = 1", "omm_seq", [4]float64{59.91, 87.02, 52.96, 81.22}},
			{"OMM, p = 2", "omm2", [4]float64{63.92, 89.08, 61.27, 87.07}},
			{"OMM, p = 1 and 2", "omm12", [4]float64{64.77, 89.18, 63.99, 88.88}},
			{"SimCLR", "simclr", [4]float64{66.50, 89.28, 0, 0}},
		} {
			if n := r.numbers[2*i:]; n[0] > 0 {
				all = append(all, Tab1Row{Label: r.label, Method: r.method, Encoding: encoding, PaperTop1: &n[0],
					PaperTop5: &n[1], Verdict: claims.NotTested})
			}
		}
	}
	for _, r := range []Tab1Row{
		{Label: "OMM, p = 1, features of any norm", Method: "omm", free: true},
		{Label: "SimCLR, solo-learn's projector", Method: "simclr", solo: true},
		{Label: "network before training", Method: "omm", Baseline: true},
		{Label: "pixels", Method: Pixels, Baseline: true},
	} {
		r.Encoding = Projected
		all = append(all, r)
	}
	return slices.DeleteFunc(all, func(r Tab1Row) bool {
		smoke := r.Method == Pixels || r.Encoding == Projected && r.Method == "omm_seq"
		return p == run.Quick && r.solo || p == run.Smoke && !smoke
	})
}

func (r Tab1Row) experiment(p run.Profile) Experiment {
	e := Quick(r.Method, r.Encoding)
	switch {
	case p == run.Quick && r.PaperTop1 != nil:
		e.Seeds = run.Seeds(quickRuns(r.Method, r.Encoding))
	case p == run.Smoke:
		e = e.smoke()
	case p == run.Paper && r.PaperTop1 == nil:
		e = Paper(r.Method, r.Encoding, 3)
	case p == run.Paper:
		e = Paper(r.Method, r.Encoding, 1)
	}
	switch e.SoloLearn = r.solo; {
	case !e.learns():
		return e.plain()
	case r.Baseline:
		return e.frozen()
	case r.free:
		return e.free()
	}
	return e
}

// Tab1Data is tables/tab1_cifar100.json, or tables/quick/tab1_glyphs.json.
type Tab1Data struct {
	report.Head
	Data string    `json:"data"` // name of the data set
	Rows []Tab1Row `json:"rows"`
}

func drawTable1(k report.Kept, planned []Tab1Row, results []*Result) (report.Content, error) {
	p := k.Profile
	first := planned[0].experiment(p)
	data := Tab1Data{Head: k.Head, Data: first.Data}
	data.Paper, data.Note = "Table 1, Sections 3.3 and C.3", note(p, first, results)
	for i, r := range planned {
		data.Rows = append(data.Rows, r.withResult(results[i]))
	}
	return report.Content{Data: data, Text: data.Text()}, nil
}

func percent(r *Result, of func(Run) float64) report.Spread {
	return report.Over(r, func(run Run) float64 { return 100 * of(run) })
}

func top1(run Run) float64 { return run.Linear.Top1 }
func top5(run Run) float64 { return run.Linear.Top5 }

func (r Tab1Row) withResult(result *Result) Tab1Row {
	if r.Result = result; result == nil {
		return r
	}
	if r.PaperTop1 != nil {
		ours := report.Over(result, top1)
		r.Verdict = claims.Agreement(ours, printed(*r.PaperTop1), result.Config.atPaperScale())
	}
	r.Top1, r.Top1Std = percent(result, top1).Numbers()
	r.Top5, r.Top5Std = percent(result, top5).Numbers()
	return r
}

var (
	//go:embed tab1.md
	fixedNote string // the same under every profile
	//go:embed glyphs.md
	glyphsNote string
)

func note(p run.Profile, e Experiment, results []*Result) string {
	last := glyphsNote
	if p == run.Paper {
		last = report.Rule(100)
	}
	return report.Prose(p.Note("other images and a smaller network than the paper's"),
		fmt.Sprintf("Here: %s, ResNet-%d of width %d, %d epochs, batches of %d images.", e.Data, 2+8*e.Blocks, e.Width,
			e.Epochs, e.Batch), report.NotRun(results), fixedNote, last)
}

// Text returns the table as text.
func (d Tab1Data) Text() report.Text {
	paper := "Paper (" + CIFAR100Name + ") top-"
	ours := "Ours (" + d.Data + ") top-"
	t := report.Text{Note: d.Note,
		Title: "Table 1: linear probe on " + d.Data + ", accuracy in per cent, with the paper's on CIFAR-100",
		Header: []string{"Method", "Features", paper + "1", ours + "1", paper + "5", ours + "5", "Runs",
			"Verdict"}}
	for _, r := range d.Rows {
		features := encodings[r.Encoding]
		if r.Method == Pixels {
			features = "none"
		}
		cells := []string{r.Label, features, report.Optional(2, r.PaperTop1), "not run",
			report.Optional(2, r.PaperTop5), "", "", string(r.Verdict)}
		if r.Result != nil {
			cells[3], cells[5] = percent(r.Result, top1).Text(1), percent(r.Result, top5).Text(1)
			cells[6] = fmt.Sprint(len(r.Result.Runs))
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Rows = append(t.Rows, []string{"SimCLR", encodings[Top], "N/A", "N/A", "N/A", "N/A", "", ""})
	return t
}
