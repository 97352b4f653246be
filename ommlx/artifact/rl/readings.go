package rl

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// variant is one way to read the paper's protocol, where the text is silent or the code that it builds on does
// otherwise.
type variant struct {
	Reading
	Expectation Expectation
	Transitions int // 0: the paper's
	Length      int // transitions of an episode; 0: those of the code that the paper builds on
}

// textual is what the paper's text says: transitions, and a shift by I.
var textual = variant{Reading: Reading{0, 1, OverlapPairs}, Expectation: Minibatch}

// nearest is the variant that the bars of figure 1 and Table 2 have.
var nearest = variant{Reading: Reproduces, Expectation: Minibatch}

// readingsCompared lists the variants. The first is tried in more environments than the others.
func readingsCompared() []variant {
	list := []variant{nearest}
	for _, overlap := range []Overlap{OverlapPairs, OverlapStates} {
		for _, gamma := range []float64{0, 0.9} {
			for _, shift := range []float64{1, 0} {
				v := variant{Reading: Reading{gamma, shift, overlap}, Expectation: Minibatch}
				if v != nearest {
					list = append(list, v)
				}
			}
		}
	}
	fewer, longer := nearest, nearest
	fewer.Transitions, longer.Length = 1_000_000, 1_000
	return append(list,
		fewer, longer,
		variant{Reading: Reading{0.9, 1, OverlapState}, Expectation: Minibatch},
		variant{Reading: Reading{0.9, 1, OverlapEnds}, Expectation: Minibatch},
		variant{Reading: Reading{0.9, 1, OverlapPairs}, Expectation: AllPairs},
		variant{Reading: Reading{0.9, 0, OverlapPairs}, Expectation: AllPairs},
		variant{Reading: Reading{0, 1, OverlapPairs}, Expectation: Exact}, // the text with the exact P in every step
	)
}

// in returns OMM-seq with k = 50 in an environment, so read.
func (v variant) in(environment string, runs int) Experiment {
	e := Paper(environment, "omm_seq", tab2Modes, runs).As(v.Reading).Expecting(v.Expectation)
	e.Transitions, e.Length = cmp.Or(v.Transitions, e.Transitions), cmp.Or(v.Length, e.Length)
	return e
}

// Readings compares readings of the protocol by Table 2 (c).
func Readings() report.Entry {
	return report.Entry{Kind: report.Table, Name: "choices_k50", Short: "choices",
		About: "k = 50: which pair law, shift, batch for M[f], expectation and data come nearest to Table 2",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			list, _ := readingsPlan(p)
			return lab.NewJobs[*Result](list)
		}, Report: readingsReport, Partial: true}
}

// Nearest is the part of [Readings] that is tried in more environments than the others: the reading that comes nearest.
func Nearest() report.Entry {
	e := Readings()
	all := e.Plan
	e.Plan = func(p lab.Profile) ([]lab.Job, error) {
		jobs, err := all(p)
		if err != nil {
			return nil, err
		}
		few, more, _ := readingsScale(p)
		return jobs[:len(few)+len(more)], nil
	}
	return e
}

// readingsScale returns the environments of every reading, those of the first one beside them, and the runs of each.
func readingsScale(p lab.Profile) (few, more []string, runs int) {
	if p != lab.Paper {
		return []string{"GridRoom-4"}, nil, 1
	}
	return []string{"GridRoom-4", "GridMaze-17", "GridRoom-16"}, []string{"GridRoom-1", "GridMaze-19", "GridRoomSym-4"}, 2
}

// readingsPlan returns the trainings of every reading, and the note of the table. Even the quick profile trains for the
// paper's 80,000 steps, since that is what tells the readings apart; it leaves out environments and runs.
func readingsPlan(p lab.Profile) (list []Experiment, text string) {
	few, more, runs := readingsScale(p)
	for i, v := range readingsCompared() {
		environments := few
		if i == 0 {
			environments = slices.Concat(few, more)
		}
		for _, name := range environments {
			e := v.in(name, runs)
			if p == lab.Smoke {
				e = e.smoke(1)
			}
			list = append(list, e)
		}
	}
	if p == lab.Smoke {
		return list, p.Note("")
	}
	return list, fmt.Sprintf("OMM-seq, %s steps, at most %d run(s) each. The paper's column is part (c) of its Table 2 "+
		"(5 runs). %s", thousands(paperSteps), runs, report.Rule())
}

// ReadingRow is one training of the table.
type ReadingRow struct {
	Environment string           `json:"environment"`
	Reading     Reading          `json:"choice"`
	Expectation Expectation      `json:"expectation"`
	First11     *float64         `json:"first_11"` // average over modes 1–11 and the runs; nil: all runs diverged
	All         *float64         `json:"all_50"`   // over all 50 modes and the runs; nil likewise
	Std         *float64         `json:"std,omitempty"`
	Rotated     *float64         `json:"rotated,omitempty"` // as All, judged as the ALLO code does
	Ritz        *float64         `json:"ritz,omitempty"`    // as All, after a Ritz step
	PaperMean   float64          `json:"paper_mean"`        // part (c) of Table 2
	PaperStd    float64          `json:"paper_std"`
	Verdict     report.Agreement `json:"verdict"`
	Result      *Result          `json:"result"`
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
		if r != nil {
			data.Rows = append(data.Rows, newReadingRow(r))
		}
	}
	return report.WriteTable(l, data.Table, data, data.text())
}

func newReadingRow(r *Result) ReadingRow {
	c := r.Config
	row := ReadingRow{Environment: c.Environment, Reading: Reading{c.Gamma, c.Shift, c.Overlap},
		Expectation: c.Expectation, Result: r}
	paper := tab2Paper("c", row.Environment)
	row.PaperMean, row.PaperStd = paper.Mean, paper.Std
	row.First11, _ = r.over(func(run Run) (float64, bool) { return stat.Mean(run.PerMode[:spectrumModes], nil), true }).Numbers()
	row.All, row.Std = r.spread().Numbers()
	row.Rotated, _ = r.over(Run.rotated).Numbers()
	row.Ritz, _ = r.over(Run.ritz).Numbers()
	row.Verdict = r.spread().Against(paper, c.atPaperScale())
	return row
}

// ours is the spread of our runs over all modes.
func (r ReadingRow) ours() report.Spread {
	return report.FromNumbers(r.All, r.Std, len(r.Result.finished()))
}

// variant is the reading with all that it says of the data, which is 0 where it says what the paper does.
func (r ReadingRow) variant() variant {
	c, p := r.Result.Config, Paper(r.Environment, r.Result.Config.Method, r.Result.Config.K, 1)
	v := variant{Reading: r.Reading, Expectation: r.Expectation}
	if c.Transitions != p.Transitions {
		v.Transitions = c.Transitions
	}
	if c.Length != p.Length {
		v.Length = c.Length
	}
	return v
}

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
	return text
}

func (d ReadingsData) text() report.Text {
	t := report.Text{
		Title: "Which reading of the protocol comes nearest to Table 2 (c): average cosine similarity of a k = 50 run",
		Header: []string{"Environment", "Reading", "First 11 modes", "All 50 modes", "as the ALLO code judges",
			"after a Ritz step", "Paper, all 50", "Verdict"},
		Note: d.Note,
	}
	for _, r := range d.Rows {
		t.Rows = append(t.Rows, []string{r.Environment, r.variant().String(), optional(r.First11), r.ours().String(),
			optional(r.Rotated), optional(r.Ritz), tab2Paper("c", r.Environment).String(), string(r.Verdict)})
	}
	return t
}

// optional writes a number that may not be there.
func optional(x *float64) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%.4f", *x)
}
