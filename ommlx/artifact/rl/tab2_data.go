package rl

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/report"
)

// Tab2Cell is one number of Table 2 beside ours.
type Tab2Cell struct {
	Part        string   `json:"part"` // "a", "b", "c", or "beyond"
	Name        string   `json:"name"`
	Protocol    Protocol `json:"protocol"`
	Environment string   `json:"environment"`
	PaperMean   float64  `json:"paper_mean"`
	PaperStd    float64  `json:"paper_std"`
	Mean        *float64 `json:"mean,omitempty"`
	Std         *float64 `json:"std,omitempty"`
	OtherScores
	Result *Result `json:"result,omitempty"`

	place int // of its experiment in the plan; −1 for none
}

// Tab2Data is tables/tab2_ablation_k50.json.
type Tab2Data struct {
	Table      string        `json:"table"`
	Paper      string        `json:"paper"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Cells      []Tab2Cell    `json:"cells"`
}

func (c *Tab2Cell) fill(r *Result) {
	c.Result = r
	c.Mean, c.Std = r.spread().Numbers()
	c.OtherScores = r.otherScores()
}

// Ours is the spread of our runs.
func (c Tab2Cell) Ours() report.Spread {
	runs := 0
	if c.Result != nil {
		runs = len(c.Result.finished())
	}
	return report.FromNumbers(c.Mean, c.Std, runs)
}

// Paper is the printed mean with its deviation.
func (c Tab2Cell) Paper() report.Spread { return report.Spread{Mean: c.PaperMean, Std: c.PaperStd} }

// Part returns the cells of a part by a protocol, an environment each.
func (d Tab2Data) Part(part string, p Protocol) (cells []Tab2Cell) {
	for _, c := range d.Cells {
		if c.Part == part && c.Protocol == p {
			cells = append(cells, c)
		}
	}
	return cells
}

// Apart is how far a part is from the print: the mean over the environments that were run of ours less the printed
// mean, and half of its 95% interval. One comparison of a part stands for its ten cells, whose printed ± is over runs
// of one seed and so does not tell how far another seed is.
type Apart struct {
	Environments       int
	Ours, Printed      float64 // means over those environments
	Difference, Within float64
}

// Apart compares a part with the print. Runs that all diverged have learned nothing and count 0.
func (d Tab2Data) Apart(part string, p Protocol) (a Apart) {
	var ours, printed, differences []float64
	for _, c := range d.Part(part, p) {
		if c.Result == nil {
			continue
		}
		mean := 0.0
		if c.Mean != nil {
			mean = *c.Mean
		}
		ours, printed = append(ours, mean), append(printed, c.PaperMean)
		differences = append(differences, mean-c.PaperMean)
	}
	a = Apart{Environments: len(ours), Ours: stat.Mean(ours, nil), Printed: stat.Mean(printed, nil)}
	a.Difference, a.Within, _ = report.SpreadOf(differences).Minus(report.Spread{Runs: len(differences)})
	return a
}

// told has a sentence for each part of which there are runs at the paper's scale.
func (d Tab2Data) told() (text string) {
	for _, p := range tab2Parts() {
		cells := d.Part(p.part, p.protocol)
		if !slices.ContainsFunc(cells,
			func(c Tab2Cell) bool { return c.Result != nil && c.Result.Config.atPaperScale() }) {
			continue
		}
		a := d.Apart(p.part, p.protocol)
		within := ""
		if !math.IsInf(a.Within, 1) {
			within = fmt.Sprintf(" ± %.3f", a.Within)
		}
		text += fmt.Sprintf(" %s by the %s: ours %.3f, printed %.3f, %+.3f%s over %d environments (95%% interval).",
			p.name(), p.protocol, a.Ours, a.Printed, a.Difference, within, a.Environments)
	}
	return text
}

// Text is the table as it is written.
func (d Tab2Data) Text() report.Text {
	t := report.Text{Title: "Table 2: average cosine similarity at k = 50, the paper's beside ours",
		Header: append([]string{"Part", "Protocol", "Environment", "Paper", "Ours", "Runs", "Steps", "Ours − paper"},
			otherHeader()...), Note: d.Note}
	for _, c := range d.Cells {
		ours, runs, steps, apart := "not run", "", "", ""
		if c.Result != nil {
			ours, runs = c.Ours().Text(4), c.Result.tally()
			steps = fmt.Sprint(c.Result.Config.Train.Steps)
		}
		if c.Mean != nil {
			apart = fmt.Sprintf("%+.3f", *c.Mean-c.PaperMean)
		}
		t.Rows = append(t.Rows, append([]string{c.Name, string(c.Protocol), c.Environment, c.Paper().Text(4), ours,
			runs, steps, apart}, c.cells()...))
	}
	return t
}
