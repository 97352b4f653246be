package rl

import (
	"fmt"
	"slices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// tab2Modes is the k of Table 2.
const tab2Modes = 50

// tab2Environments returns the columns of Table 2. GridMaze-7 and -9 have fewer than 50 modes.
func tab2Environments() []string {
	return []string{"GridMaze-17", "GridMaze-19", "GridMaze-26", "GridMaze-32", "GridRoom-1",
		"GridRoom-4", "GridRoom-16", "GridRoom-32", "GridRoom-64", "GridRoomSym-4"}
}

// paperParts are the parts of Table 2, paperRuns the paper's numbers of runs.
var paperParts, paperRuns = []string{"a", "b", "c"}, map[string]int{"a": 4, "b": 3, "c": 5}

// Variants of parts by the authors' settings, which no claim on that part counts.
const (
	partLow  = "a, script with α = 0.01"
	partWarm = "c, warm-up"
	partSame = "c, recipe of k = 11"
)

// tab2Print has the numbers printed in each part of Table 2: mean and standard deviation over the runs of the average
// cosine similarity, for each of tab2Environments.
var tab2Print = map[string][2][]float64{
	"a": {{0.8150, 0.7616, 0.4361, 0.3340, 0.8081, 0.6414, 0.6692, 0.4837, 0.3420, 0.6297},
		{0.0234, 0.0277, 0.0361, 0.0303, 0.0077, 0.0190, 0.0153, 0.0451, 0.0164, 0.0321}},
	"b": {{0.9798, 0.9669, 0.8233, 0.7359, 0.9088, 0.8681, 0.8885, 0.7452, 0.7417, 0.7880},
		{0.0022, 0.0001, 0.0165, 0.0176, 0.0328, 0.0004, 0.0127, 0.0093, 0.0473, 0.0241}},
	"c": {{0.9435, 0.9594, 0.8226, 0.6536, 0.9532, 0.8697, 0.9191, 0.7433, 0.6985, 0.8107},
		{0.0111, 0.0128, 0.0150, 0.0370, 0.0090, 0.0045, 0.0015, 0.0219, 0.0350, 0.0041}},
}

// tab2Printed returns the printed mean and deviation of part "a", "b" or "c" in an environment.
func tab2Printed(part, environment string) (mean, std float64) {
	p, at := tab2Print[part], slices.Index(tab2Environments(), environment)
	return p[0][at], p[1][at]
}

// tab2Rows lists, without an environment, the paper's parts by the authors' settings and as printed, variants of
// them, and one part beyond the paper.
func tab2Rows() []row {
	allo, low := Paper("", "allo", tab2Modes, 1), July("", "allo")
	low.BarrierRate = 0.01
	return []row{
		newRow("(a) ALLO, tuned for k = 11", PublicProtocol, "a", 3, July("", "allo")),
		newRow("(a) ALLO, al_script.sh (barrier rate 0.01)", PublicProtocol, partLow, 1, low),
		newRow("(b) ALLO, re-tuned", PublicProtocol, "b", 3, July("", "allo").withPair(retunedPair)),
		newRow("(c) OMM-seq", PublicProtocol, "c", 3, July("", "omm_seq")),
		newRow("(c) OMM-seq, warm-up", PublicProtocol, partWarm, 2, julyWarm()),
		newRow("(c) OMM-seq, recipe of k = 11", PublicProtocol, partSame, 1, mayOf("", "omm_seq", tab2Modes)),
		newRow("(a) ALLO, tuned for k = 11", PrintedProtocol, "a", 4, allo),
		newRow("(b) ALLO, re-tuned", PrintedProtocol, "b", 3, allo.withPair(retunedPair)),
		newRow("(c) OMM-seq", PrintedProtocol, "c", 5, Paper("", "omm_seq", tab2Modes, 1)),
		newRow(labelDifferences, PrintedProtocol, beyondPart, 2, byDifferences(tab2Modes, 0)),
	}
}

// Table2 compares ALLO and OMM at k = 50.
func Table2() report.Exhibit {
	return exhibit(report.Exhibit{Kind: report.Table, Name: "tab2_ablation_k50", ShortName: "tab2",
		Description: "ALLO tuned for k = 11, ALLO re-tuned and OMM at k = 50, with the paper's numbers"},
		"80,000 steps; 4 runs of (a), 3 of (b), 5 of (c)", planTab2, drawTab2)
}

// planTab2 returns the rows, part by part. The quick profile has the paper's parts by the authors' settings, the smoke
// profile every row in one environment.
func planTab2(p run.Profile) (rows []row) {
	for _, r := range tab2Rows() {
		for _, name := range tab2Environments() {
			papers := r.protocol == PublicProtocol && slices.Contains(paperParts, r.part)
			if p == run.Paper || p == run.Quick && papers ||
				p == run.Smoke && name == "GridRoom-4" {
				rows = append(rows, r.in(name).under(p, 1, quickSteps(name)/2))
			}
		}
	}
	return rows
}

func drawTab2(rows []row, head report.Head) (report.Content, error) {
	head.Paper, head.Note = "Table 2 and appendix C.1", report.Prose(head.Note, dataText, tab2Text)
	data := Tab2Data{Head: head, Cells: tab2Cells(rows)}
	return report.Content{Data: data, Text: data.Text()}, nil
}

// Tab2Cell is one printed number of Table 2 and our result.
type Tab2Cell struct {
	Part        string   `json:"part"` // see [row]
	Name        string   `json:"name"`
	Protocol    Protocol `json:"protocol"`
	Environment string   `json:"environment"`
	PaperMean   float64  `json:"paper_mean"`
	PaperStd    float64  `json:"paper_std"`
	MeanCosines
	Result *Result `json:"result,omitempty"`
}

// printed returns the printed part with which a part is compared: (c) for one beyond the paper.
func printed(part string) string {
	if part == beyondPart {
		return "c"
	}
	return part[:1]
}

// tab2Cells returns the cells of rows.
func tab2Cells(rows []row) (cells []Tab2Cell) {
	for _, r := range rows {
		environment := r.experiment.Environment
		mean, std := tab2Printed(printed(r.part), environment)
		cells = append(cells, Tab2Cell{Part: r.part, Name: r.label, Protocol: r.protocol, Environment: environment,
			PaperMean: mean, PaperStd: std, MeanCosines: meanCosines(r.result), Result: r.result})
	}
	return cells
}

// Tab2Data is tables/tab2_ablation_k50.json.
type Tab2Data struct {
	report.Head
	Cells []Tab2Cell `json:"cells"`
}

// Text returns the table as text. The metric of ALLO's code is the one that the paper used.
func (d Tab2Data) Text() report.Text {
	t := report.Text{Title: "Table 2: average cosine similarity at k = 50, printed and ours", Note: d.Note,
		Header: []string{"Part", "Protocol", "Environment", fmt.Sprintf("Paper (%s steps)", say.Thousands(paperSteps)),
			"Ours, by ALLO's metric", "Runs", "Steps", "Ours, strict cosine", "after a Ritz step",
			"eigenfunctions of the data"}}
	for _, c := range d.Cells {
		ours, runs, steps := "not run", "", ""
		if c.Result != nil {
			ours = report.SpreadOf(averages(c.Result, Run.rotated)).Text(4)
			runs, steps = tally(c.Result), fmt.Sprint(c.Result.Config.Train.Steps)
		}
		t.Rows = append(t.Rows, []string{c.Name, string(c.Protocol), c.Environment,
			fmt.Sprintf("%.4f ± %.4f", c.PaperMean, c.PaperStd), ours, runs, steps, report.Optional(4, c.Mean),
			report.Optional(4, c.Ritz), report.Optional(4, c.Data)})
	}
	return t
}
