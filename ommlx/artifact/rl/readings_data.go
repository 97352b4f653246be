package rl

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/optim"
)

// ReadingRow is one training of the table.
type ReadingRow struct {
	Environment string      `json:"environment"`
	Reading     Reading     `json:"choice"`
	Expectation Expectation `json:"expectation"`
	First11     *float64    `json:"first_11"` // average over modes 1–11 and the runs; nil: all runs diverged
	All         *float64    `json:"all"`      // over all k modes and the runs; nil likewise
	Std         *float64    `json:"std,omitempty"`
	OtherScores
	PaperMean float64          `json:"paper_mean,omitempty"` // part (c) of Table 2; 0 where k is not 50
	PaperStd  float64          `json:"paper_std,omitempty"`
	Verdict   report.Agreement `json:"verdict,omitempty"` // none where the paper prints no number
	Result    *Result          `json:"result"`
}

// ReadingsData is tables/choices_k50.json, or one of tables/beyond_k50.json and tables/beyond_k11.json.
type ReadingsData struct {
	Table      string        `json:"table"`
	Title      string        `json:"title"`
	Note       string        `json:"note"`
	Provenance report.Origin `json:"provenance"`
	Rows       []ReadingRow  `json:"rows"`
}

// Environments lists those that have a row, in the order of the rows.
func (d ReadingsData) Environments() (names []string) {
	for _, r := range d.Rows {
		if !slices.Contains(names, r.Environment) {
			names = append(names, r.Environment)
		}
	}
	return names
}

// Of returns the rows of an environment.
func (d ReadingsData) Of(environment string) (rows []ReadingRow) {
	for _, r := range d.Rows {
		if r.Environment == environment {
			rows = append(rows, r)
		}
	}
	return rows
}

// Nearest returns the row of an environment whose mean comes nearest to the printed one, and the zero row where there
// is none. A reading of which all runs diverged is near to nothing.
func (d ReadingsData) Nearest(environment string) (nearest ReadingRow) {
	least := math.Inf(1)
	for _, r := range d.Of(environment) {
		if r.All != nil && math.Abs(*r.All-r.PaperMean) < least {
			least, nearest = math.Abs(*r.All-r.PaperMean), r
		}
	}
	return nearest
}

// newReadingRow judges a result. It is at the paper's scale with the paper's steps: all else is what is compared.
func newReadingRow(r *Result) ReadingRow {
	c := r.Config
	row := ReadingRow{Environment: c.Environment, Reading: Reading{c.Gamma, c.Shift, c.Overlap},
		Expectation: c.Expectation, Result: r}
	var first []float64
	for _, run := range r.finished() {
		first = append(first, stat.Mean(run.PerMode[:spectrumModes], nil))
	}
	row.First11, _ = report.SpreadOf(first).Numbers()
	row.All, row.Std = r.spread().Numbers()
	row.OtherScores = r.otherScores()
	if c.K == tab2Modes {
		paper := tab2Paper("c", row.Environment)
		row.PaperMean, row.PaperStd = paper.Mean, paper.Std
		row.Verdict = r.against(paper, c.Train.Steps >= paperSteps)
	}
	return row
}

// Ours is the spread of our runs over all modes.
func (r ReadingRow) Ours() report.Spread {
	return report.FromNumbers(r.All, r.Std, len(r.Result.finished()))
}

// variant is the reading with all that goes with it, which is 0 where it is what the paper says.
func (r ReadingRow) variant() variant {
	c, p := r.Result.Config, Paper(r.Environment, r.Result.Config.Method, r.Result.Config.K, 1)
	v := variant{Reading: r.Reading, Expectation: r.Expectation}
	if c.Transitions != p.Transitions {
		v.Transitions = c.Transitions
	}
	if c.Length != p.Length {
		v.Length = c.Length
	}
	if c.Batch != p.Batch {
		v.Batch = c.Batch
	}
	if c.Train.Steps > p.Train.Steps {
		v.Steps = c.Train.Steps
	}
	v.Decay = c.Train.Adam.Schedule.Decay != optim.Constant
	return v
}

// Name tells the reading in words.
func (r ReadingRow) Name() string { return r.variant().String() }

// String tells the reading in words.
func (v variant) String() string {
	text := v.describe()
	switch v.Expectation {
	case AllPairs:
		text = v.law() + ", all pairs in every step"
	case Exact:
		text = v.law() + ", exact P"
	}
	if v.Transitions != 0 {
		text += fmt.Sprintf(", %s transitions", thousands(v.Transitions))
	}
	if v.Length != 0 {
		text += fmt.Sprintf(", episodes of %s", thousands(v.Length))
	}
	if v.Batch != 0 {
		text += fmt.Sprintf(", batch %s", thousands(v.Batch))
	}
	if v.Steps != 0 {
		text += fmt.Sprintf(", %s steps", thousands(v.Steps))
	}
	if v.Decay {
		text += ", learning rate falling to 0"
	}
	return text
}

// Text is the table as it is written.
func (d ReadingsData) Text() report.Text {
	if len(d.Rows) > 0 && d.Rows[0].Result.Config.K != tab2Modes {
		return d.unprinted()
	}
	t := report.Text{
		Title: d.Title,
		Header: slices.Concat([]string{"Environment", "Reading", "Runs", "First 11 modes", "All 50 modes"},
			otherHeader(), []string{"Paper, all 50", "Verdict"}),
		Note: d.Note,
	}
	for _, r := range d.Rows {
		t.Rows = append(t.Rows, slices.Concat(
			[]string{r.Environment, r.Name(), r.Result.tally(), optional(r.First11), r.Ours().Text(4)}, r.cells(),
			[]string{tab2Paper("c", r.Environment).String(), string(r.Verdict)}))
	}
	return t
}

// unprinted is the table where the paper prints no numbers.
func (d ReadingsData) unprinted() report.Text {
	t := report.Text{Title: d.Title, Note: d.Note,
		Header: append([]string{"Environment", "Reading", "Runs", "Average"}, otherHeader()...)}
	for _, r := range d.Rows {
		t.Rows = append(t.Rows,
			append([]string{r.Environment, r.Name(), r.Result.tally(), r.Ours().Text(4)}, r.cells()...))
	}
	return t
}
