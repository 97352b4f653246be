package rl

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
)

// Sweep is the paper's sweep of ALLO's hyperparameters at k = 50, with OMM on the same data for comparison.
func Sweep() report.Exhibit {
	return exhibit(report.Exhibit{Kind: report.Figure, Name: "fig_allo_sweep", ShortName: "sweep",
		Description: "ALLO with every pair of b and α_barrier at k = 50, and OMM, which has neither",
		Caption:     "How many pairs of a map score more than OMM, below the map, which needs no pair.",
		OnRequest:   true}, "28 pairs in 3 environments", planSweep, drawSweep)
}

// BarrierPair are ALLO's hyperparameters: the initial barrier coefficient b, and the rate α_barrier at which it grows.
type BarrierPair struct {
	Barrier float64 `json:"b,omitempty"`
	Rate    float64 `json:"alpha_barrier,omitempty"`
}

// tunedPair is tuned for k = 11 (Section C.1). retunedPair is the best pair of the paper's sweep and used in part (b)
// of Table 2.
var tunedPair, retunedPair = BarrierPair{2, 0.01}, BarrierPair{1, 0.1}

// String writes the pair as "(1, 0.1)".
func (p BarrierPair) String() string { return fmt.Sprintf("(%g, %g)", p.Barrier, p.Rate) }

// planSweep lists the rows, environment by environment: ALLO with each b and, for each b, each α_barrier, then OMM. The
// paper profile has the paper's grid.
func planSweep(p run.Profile) (rows []row) {
	environments, barriers := []string{"GridRoom-1", "GridRoom-16", "GridMaze-19"}, []float64{0.5, 1, 2, 10}
	rates := []float64{0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1}
	switch p {
	case run.Quick:
		environments, rates = []string{"GridMaze-19"}, []float64{0.01, 0.1, 1}
	case run.Smoke:
		environments, barriers, rates = []string{"GridRoom-16"}, []float64{1, 2}, []float64{0.01, 0.1}
	}
	add := func(e Experiment) {
		e.Transitions = 1_000_000
		rows = append(rows, row{experiment: e}.under(p, 1, quickTrialSteps/2))
	}
	for _, name := range environments {
		for _, b := range barriers {
			for _, rate := range rates {
				add(Paper(name, "allo", tab2Modes, 1).withPair(BarrierPair{b, rate}))
			}
		}
		add(Paper(name, "omm_seq", tab2Modes, 1))
	}
	return rows
}

// SweepData is figures/fig_allo_sweep.json: every number of the sweep.
type SweepData struct {
	report.Head
	Barriers   []float64   `json:"b"` // the values tried
	Rates      []float64   `json:"alpha_barrier"`
	PaperBest  BarrierPair `json:"paper_best"`    // of the paper's sweep
	TunedFor11 BarrierPair `json:"tuned_for_k11"` // of Section C.1
	// Best has the highest mean over the environments; nil if no pair has a score in all of them. The paper does not
	// print its rule for comparing pairs.
	Best *BarrierPair `json:"best,omitempty"`
	// Cost is the training needed to find hyperparameters.
	Cost struct {
		ALLO Effort `json:"allo"`
		OMM  Effort `json:"omm"` // zero: OMM has no such hyperparameters
	} `json:"cost_of_tuning"`
	Environments []SweepEnvironment `json:"environments"`
}

// Effort is a number of trainings and their duration.
type Effort struct {
	Runs  int     `json:"runs"`
	Hours float64 `json:"hours"` // wall time, from their provenance
}

// SweepEnvironment is the sweep in one environment.
type SweepEnvironment struct {
	Name  string       `json:"name"`
	Best  *BarrierPair `json:"best,omitempty"` // nil if no pair has a score
	OMM   SweepCell    `json:"omm_seq"`
	Cells []SweepCell  `json:"cells"` // for each b, each α_barrier
}

// SweepCell is one run. Its cosines are as in [Run], or nil if it was not run or diverged.
type SweepCell struct {
	BarrierPair
	NotRun  bool     `json:"not_run,omitempty"`
	Average *float64 `json:"average_cosine_similarity,omitempty"`
	OtherMeans
	Diverged int     `json:"diverged_at_step,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"` // of training
	Key      string  `json:"key"`               // of the configuration
}

func drawSweep(rows []row, head report.Head) (report.Content, error) {
	data := newSweepData(rows)
	data.Head = head
	data.Paper, data.Note = "Appendix C.1, ALLO Hyperparameter Sweep.", report.Prose(head.Note, sweepText)
	return report.Content{Data: data, Drawing: data.drawing()}, nil
}

func newSweepData(rows []row) SweepData {
	d := SweepData{PaperBest: retunedPair, TunedFor11: tunedPair}
	for _, rows := range byEnvironment(rows) {
		env := SweepEnvironment{Name: rows[0].experiment.Environment}
		for _, r := range rows {
			means := meanCosines(r.result)
			cell := SweepCell{BarrierPair: r.experiment.pair(), NotRun: r.result == nil, Average: means.Mean,
				OtherMeans: means.OtherMeans, Key: run.Key(r.experiment)}
			if r.result != nil {
				cell.Diverged, cell.Seconds = r.result.Runs[0].Diverged, r.result.Provenance.Seconds
			}
			if !r.experiment.isALLO() {
				env.OMM = cell
				continue
			}
			d.Barriers, d.Rates = append(d.Barriers, cell.Barrier), append(d.Rates, cell.Rate)
			if env.Cells = append(env.Cells, cell); r.result != nil {
				d.Cost.ALLO.Runs++
				d.Cost.ALLO.Hours += cell.Seconds / 3600
			}
		}
		env.Best = best(env.Cells, env.Score)
		d.Environments = append(d.Environments, env)
	}
	d.Barriers, d.Rates = distinct(d.Barriers), distinct(d.Rates)
	d.Best = best(d.Environments[0].Cells, func(pair BarrierPair) (sum float64) {
		for _, env := range d.Environments {
			sum += env.Score(pair) // NaN if the pair lacks one
		}
		return sum
	})
	return d
}

func distinct(values []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}

// best returns the first pair with the highest score; nil if no pair has a score.
func best(cells []SweepCell, score func(BarrierPair) float64) (pair *BarrierPair) {
	highest := math.Inf(-1)
	for _, c := range cells {
		if s := score(c.BarrierPair); s > highest {
			pair, highest = &c.BarrierPair, s
		}
	}
	return pair
}

// Score returns the score of a pair in the environment; NaN if it was not run or diverged.
func (e SweepEnvironment) Score(pair BarrierPair) float64 {
	for _, c := range e.Cells {
		if c.BarrierPair == pair {
			return report.OrNaN(c.Average)
		}
	}
	return math.NaN()
}

// drawing returns a map for each environment.
func (d SweepData) drawing() draw.HeatMaps {
	f := draw.HeatMaps{Shares: true, Low: 0.5, Columns: len(d.Environments), Note: report.Stamp(d.Note) +
		" Average cosine similarity of ALLO at k = 50. Columns: initial barrier b. Rows: rate of the barrier."}
	blank := false
	for _, env := range d.Environments {
		f.Maps = append(f.Maps, d.drawn(env))
		blank = blank || slices.ContainsFunc(env.Cells, func(c SweepCell) bool { return c.Average == nil })
	}
	if blank {
		f.Note += " Grey: not run or diverged."
	}
	f.Maps[0].RowNames = xslices.Map(d.Rates, func(rate float64) string { return fmt.Sprintf("rate %v", rate) })
	return f
}

// drawn returns the map of an environment, with a column for each b and a row for each rate. The two pairs that the
// paper names are framed. The caption has the score of OMM, which needs no pair.
func (d SweepData) drawn(env SweepEnvironment) draw.HeatMap {
	m := draw.HeatMap{Numbers: true, Layout: draw.Layout{Name: env.Name}, Values: []float64{},
		Title:       fmt.Sprintf("b\n%s\nOMM-seq: %s", env.Name, report.Optional(3, env.OMM.Average)),
		ColumnNames: xslices.Map(d.Barriers, func(b float64) string { return fmt.Sprint(b) })}
	named := map[BarrierPair]string{d.PaperBest: "the paper's best pair", d.TunedFor11: "the pair tuned for k = 11"}
	for row := range d.Rates {
		cells := ""
		for column := range d.Barriers {
			c := env.Cells[column*len(d.Rates)+row]
			if name := named[c.BarrierPair]; name != "" {
				m.Frames = append(m.Frames, draw.MapFrame{Name: name, Row: row, Column: column})
			}
			if c.Average == nil {
				cells += string(draw.Wall)
			} else {
				cells, m.Values = cells+" ", append(m.Values, *c.Average)
			}
		}
		m.Layout.Rows = append(m.Layout.Rows, cells)
	}
	return m
}
