package artifact

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/gridworld"

	"gonum.org/v1/gonum/floats"
)

func itoa(n int) string { return strconv.Itoa(n) }

// choice is one way to read the paper's protocol.
type choice struct {
	Choice
	Expectation Expectation
	about       string
}

func choiceList() []choice {
	return []choice{
		{Choice{0, 1}, Minibatch, "the paper's text: transitions, shift by I"},
		{Choice{0, 0}, Minibatch, "transitions, no shift"},
		{Choice{0.9, 1}, Minibatch, "geometric pairs, shift by I"},
		{Choice{0.9, 0}, Minibatch, "geometric pairs, no shift"},
		{Choice{0.9, 0}, AllPairs, "as before, all sampled pairs in every step"},
		{Choice{0, 1}, Exact, "the paper's text with the exact P in every step"},
	}
}

// ChoiceRow is one training of the table.
type ChoiceRow struct {
	Environment string           `json:"environment"`
	Choice      Choice           `json:"choice"`
	Expectation Expectation      `json:"expectation"`
	First11     float64          `json:"first_11"` // average over modes 1–11 and the runs
	All         float64          `json:"all_50"`   // over all 50 modes and the runs
	Std         *float64         `json:"std,omitempty"`
	PaperMean   float64          `json:"paper_mean"` // part (c) of Table 2
	PaperStd    float64          `json:"paper_std"`
	Result      *LaplacianResult `json:"result"`
}

// ChoicesData is tables/choices_k50.json.
type ChoicesData struct {
	Table      string      `json:"table"`
	Note       string      `json:"note"`
	Provenance Provenance  `json:"provenance"`
	Rows       []ChoiceRow `json:"rows"`
}

// choices trains OMM-seq with k = 50 under every reading of the protocol. Even the quick profile trains for the paper's
// 80,000 steps, since that is what tells the readings apart; it leaves out environments and runs.
func choices(ctx context.Context, lab *Lab) error {
	environments, runs := []string{"GridRoom-4"}, 1
	if lab.Profile == Paper {
		environments, runs = append(environments, "GridRoomSym-4", "GridMaze-17", "GridRoom-1"), 3
	}
	data := ChoicesData{Table: "choices_k50", Note: fmt.Sprintf(
		"OMM-seq, 80,000 steps, %d run(s) each. The paper's column is part (c) of its Table 2 (5 runs).", runs)}
	var list []Laplacian
	for _, name := range environments {
		w, err := gridworld.LoadWorld(name)
		if err != nil {
			return err
		}
		for _, c := range choiceList() {
			l := PaperLaplacian(name, "omm_seq", tab2Modes, runs)
			l.Generated, l.Gamma, l.Shift, l.Expectation = w.Grid.Generated, c.Gamma, c.Shift, c.Expectation
			if lab.Profile == Smoke {
				l.Transitions, l.Batch, l.Hidden = 2_000, 64, []int{32, 32, 32}
				l = l.withSteps(40)
				data.Note = lab.Profile.describe()
			}
			list = append(list, l)
		}
	}
	results, err := lab.TrainAll(ctx, list)
	if err != nil {
		return err
	}
	seconds := 0.0
	for _, r := range results {
		row := ChoiceRow{Environment: r.Config.Environment, Choice: Choice{r.Config.Gamma, r.Config.Shift},
			Expectation: r.Config.Expectation, Result: r}
		column := slices.Index(tab2Environments(), row.Environment)
		row.PaperMean, row.PaperStd = tab2Parts()[2].mean[column], tab2Parts()[2].std[column]
		var all, first []float64
		for _, run := range r.Runs {
			if run.Diverged == 0 {
				all = append(all, run.Average)
				first = append(first, floats.Sum(run.PerMode[:spectrumModes])/spectrumModes)
			}
		}
		if len(all) > 0 {
			var std float64
			if row.All, std, err = draw.MeanStd(all); err != nil {
				return err
			}
			if len(all) > 1 {
				row.Std = &std
			}
			row.First11 = floats.Sum(first) / float64(len(first))
		}
		seconds += r.Provenance.Seconds
		data.Rows = append(data.Rows, row)
	}
	if data.Provenance, err = lab.provenance(seconds); err != nil {
		return err
	}
	return lab.table(data.Table, data, data.text())
}

func (d ChoicesData) text() tableText {
	t := tableText{Title: "Which reading of the protocol reproduces Table 2 (c): average cosine similarity of a k = 50 run",
		Header: []string{"Environment", "γ", "Shift κ", "Expectation", "First 11 modes", "All 50 modes", "Paper, all 50"}, Note: d.Note}
	for _, r := range d.Rows {
		ours := "all runs diverged"
		if finished, _ := r.Result.Averages(); len(finished) > 0 {
			ours = plusMinus(r.All, valueOrNaN(r.Std))
		}
		t.Rows = append(t.Rows, []string{r.Environment, fmt.Sprint(r.Choice.Gamma), fmt.Sprint(r.Choice.Shift),
			string(r.Expectation), fmt.Sprintf("%.4f", r.First11), ours, plusMinus(r.PaperMean, r.PaperStd)})
	}
	return t
}
