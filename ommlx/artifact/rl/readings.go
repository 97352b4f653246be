package rl

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// variant is one way to read the paper's protocol.
type variant struct {
	Reading
	Expectation Expectation
}

// textual is what the paper's text says: transitions, and a shift by I.
var textual = variant{Reading{0, 1}, Minibatch}

func readingsCompared() []variant {
	return []variant{
		textual,
		{Reading{0, 0}, Minibatch},
		{Reading{0.9, 1}, Minibatch},
		{Reading{0.9, 0}, Minibatch},
		{Reading{0.9, 0}, AllPairs},
		{Reading{0, 1}, Exact}, // the text with the exact P in every step
	}
}

// Readings compares readings of the protocol by Table 2 (c).
func Readings() report.Entry {
	return report.Entry{Kind: report.Table, Name: "choices_k50", Short: "choices",
		About: "k = 50: which pair law, shift and expectation reproduce the paper's Table 2",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			list, _ := readingsPlan(p)
			return lab.NewJobs[*Result](list)
		}, Report: readingsReport}
}

// readingsPlan returns OMM-seq with k = 50 under every reading of the protocol, and the note of the table. Even the
// quick profile trains for the paper's 80,000 steps, since that is what tells the readings apart; it leaves out
// environments and runs.
func readingsPlan(p lab.Profile) (list []Experiment, text string) {
	environments, runs := []string{"GridRoom-4"}, 1
	if p == lab.Paper {
		environments, runs = append(environments, "GridRoomSym-4", "GridMaze-17", "GridRoom-1"), 3
	}
	for _, name := range environments {
		for _, v := range readingsCompared() {
			e := Paper(name, "omm_seq", tab2Modes, runs)
			e.Gamma, e.Shift, e.Expectation = v.Gamma, v.Shift, v.Expectation
			if p == lab.Smoke {
				e = e.smoke(1)
			}
			list = append(list, e)
		}
	}
	if p == lab.Smoke {
		return list, note(p, "")
	}
	return list, fmt.Sprintf("OMM-seq, %s steps, %d run(s) each. "+
		"The paper's column is part (c) of its Table 2 (5 runs).", thousands(paperSteps), runs)
}

// ReadingRow is one training of the table.
type ReadingRow struct {
	Environment string      `json:"environment"`
	Reading     Reading     `json:"choice"`
	Expectation Expectation `json:"expectation"`
	First11     *float64    `json:"first_11"` // average over modes 1–11 and the runs; nil: all runs diverged
	All         *float64    `json:"all_50"`   // over all 50 modes and the runs; nil likewise
	Std         *float64    `json:"std,omitempty"`
	PaperMean   float64     `json:"paper_mean"` // part (c) of Table 2
	PaperStd    float64     `json:"paper_std"`
	Result      *Result     `json:"result"`
}

// ReadingsData is tables/choices_k50.json.
type ReadingsData struct {
	Table      string        `json:"table"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Rows       []ReadingRow  `json:"rows"`
}

func readingsReport(l *lab.Lab) error {
	list, text := readingsPlan(l.Profile)
	results, origin, err := report.Gather[*Result](l, list)
	if err != nil {
		return err
	}
	data := ReadingsData{Table: Readings().Name, Note: text, Provenance: origin}
	for _, r := range results {
		data.Rows = append(data.Rows, newReadingRow(r))
	}
	return report.WriteTable(l, data.Table, data, data.text())
}

func newReadingRow(r *Result) ReadingRow {
	c := r.Config
	row := ReadingRow{
		Environment: c.Environment, Reading: Reading{c.Gamma, c.Shift}, Expectation: c.Expectation, Result: r,
	}
	printed := tab2Parts()[2]
	column := slices.Index(tab2Environments(), row.Environment)
	row.PaperMean, row.PaperStd = printed.mean[column], printed.std[column]
	var first []float64
	for _, run := range r.finished() {
		first = append(first, stat.Mean(run.PerMode[:spectrumModes], nil))
	}
	row.First11, _ = report.SpreadOf(first).Numbers()
	row.All, row.Std = r.spread().Numbers()
	return row
}

// ours is the spread of our runs over all modes.
func (r ReadingRow) ours() report.Spread {
	return report.FromNumbers(r.All, r.Std, len(r.Result.finished()))
}

// name tells the reading in words.
func (r ReadingRow) name() string {
	how := map[Expectation]string{
		Minibatch: "", AllPairs: " (all pairs in every step)", Exact: " (exact P)",
	}[r.Expectation]
	return fmt.Sprintf("γ = %g, κ = %g%s", r.Reading.Gamma, r.Reading.Shift, how)
}

func (d ReadingsData) text() report.Text {
	t := report.Text{
		Title: "Which reading of the protocol reproduces Table 2 (c): average cosine similarity of a k = 50 run",
		Header: []string{"Environment", "γ", "Shift κ", "Expectation",
			"First 11 modes", "All 50 modes", "Paper, all 50"},
		Note: d.Note,
	}
	for _, r := range d.Rows {
		first := ""
		if r.First11 != nil {
			first = fmt.Sprintf("%.4f", *r.First11)
		}
		t.Rows = append(t.Rows, []string{r.Environment, fmt.Sprint(r.Reading.Gamma), fmt.Sprint(r.Reading.Shift),
			string(r.Expectation), first, r.ours().String(),
			report.Spread{Mean: r.PaperMean, Std: r.PaperStd}.String()})
	}
	return t
}
