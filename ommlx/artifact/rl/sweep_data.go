package rl

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/say"
)

// SweepData is figures/fig_allo_sweep.json: every number of the sweep.
type SweepData struct {
	report.FigureHead
	Barriers   []float64   `json:"b"` // the values that were tried
	Rates      []float64   `json:"alpha_barrier"`
	PaperBest  BarrierPair `json:"paper_best"`    // of the paper's sweep
	TunedFor11 BarrierPair `json:"tuned_for_k11"` // of Section C.1
	// Best has the highest mean over the environments; nil while no pair has a score in all of them. The rule by which
	// the paper compares pairs is not printed.
	Best         *BarrierPair       `json:"best,omitempty"`
	Cost         SweepCost          `json:"cost_of_tuning"`
	Environments []SweepEnvironment `json:"environments"`
}

// BarrierPair are ALLO's hyperparameters: the initial barrier coefficient b, and the rate α_barrier at which it grows.
type BarrierPair struct {
	Barrier float64 `json:"b,omitempty"`
	Rate    float64 `json:"alpha_barrier,omitempty"`
}

// retunedPair is the best pair of the paper's sweep, which is that of part (b) of Table 2.
var retunedPair = BarrierPair{1, 0.1}

// String writes the pair as "(1, 0.1)".
func (p BarrierPair) String() string { return fmt.Sprintf("(%g, %g)", p.Barrier, p.Rate) }

// Score is that of a pair in the environment; NaN where it was not run or diverged.
func (e SweepEnvironment) Score(pair BarrierPair) float64 {
	for _, c := range e.Cells {
		if c.BarrierPair == pair {
			return report.OrNaN(c.Average)
		}
	}
	return math.NaN()
}

// SweepCost is what was trained to find hyperparameters, before what they are for could be trained.
type SweepCost struct {
	ALLO Effort `json:"allo"`
	OMM  Effort `json:"omm"` // nothing: OMM has no such numbers
}

// Effort is a number of trainings and how long they took.
type Effort struct {
	Runs  int     `json:"runs"`
	Hours float64 `json:"hours"` // wall time, by their provenance
}

func (e *Effort) add(r *Result) {
	if r != nil {
		e.Runs, e.Hours = e.Runs+len(r.Runs), e.Hours+r.Provenance.Seconds/3600
	}
}

// SweepEnvironment is the sweep in one environment.
type SweepEnvironment struct {
	Name      string       `json:"name"`
	Generated bool         `json:"generated"`      // our own maze in the place of the official one
	Best      *BarrierPair `json:"best,omitempty"` // nil while no pair has a score
	OMM       SweepCell    `json:"omm_seq"`
	Cells     []SweepCell  `json:"cells"` // each b, and for each of them each α_barrier
}

// SweepCell is one run. Scores are those of [Run], nil where it was not done or diverged.
type SweepCell struct {
	BarrierPair
	NotRun  bool     `json:"not_run,omitempty"`
	Average *float64 `json:"average_cosine_similarity,omitempty"`
	OtherScores
	Diverged int     `json:"diverged_at_step,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"` // of training
	Key      string  `json:"key"`               // of the configuration
}

func newSweepCell(e Experiment, r *Result) SweepCell {
	c := SweepCell{BarrierPair: BarrierPair{e.Barrier, e.BarrierRate}, NotRun: r == nil, Key: lab.Key(e)}
	if r != nil {
		of := score(r)
		c.Average, c.OtherScores = of.Mean, of.OtherScores
		c.Diverged, c.Seconds = r.Runs[0].Diverged, r.Provenance.Seconds
	}
	return c
}

// finished tells whether the cell has a score.
func (c SweepCell) finished() bool { return !math.IsNaN(report.OrNaN(c.Average)) }

// best is the pair of the cell with the highest average cosine similarity, the first one of several; nil where none has
// a score.
func best(cells []SweepCell) *BarrierPair {
	ran := slices.DeleteFunc(slices.Clone(cells), func(c SweepCell) bool { return !c.finished() })
	if len(ran) == 0 {
		return nil
	}
	top := slices.MaxFunc(ran, func(a, b SweepCell) int { return cmp.Compare(*a.Average, *b.Average) })
	return &top.BarrierPair
}

// averages has for each pair the mean over the environments of the average cosine similarity; none for a pair that has
// no score in one of them.
func (d SweepData) averages() []SweepCell {
	if len(d.Environments) == 0 {
		return nil
	}
	cells := slices.Clone(d.Environments[0].Cells)
	for i := range cells {
		mean := 0.0
		for _, env := range d.Environments {
			mean += report.OrNaN(env.Cells[i].Average) / float64(len(d.Environments))
		}
		cells[i].Average, _ = report.Spread{Mean: mean}.Numbers()
	}
	return cells
}

// told is what the sweep says in words: its best pair, and what it took.
func (d SweepData) told() string {
	text, whole := "No pair has a score in every environment yet.", 0
	for _, c := range d.averages() {
		if c.finished() {
			whole++
		}
	}
	if d.Best != nil {
		text = fmt.Sprintf("Best pair by the mean over %s, of %d that have a score in each: %s; "+
			"the paper's: %s.", say.Count(len(d.Environments), "environment"), whole, d.Best, d.PaperBest)
	}
	planned := len(d.Environments) * len(d.Barriers) * len(d.Rates)
	return fmt.Sprintf("%s Tuning ALLO: %d runs of %d, %.2g h of training. Tuning OMM: %d runs.",
		text, d.Cost.ALLO.Runs, planned, d.Cost.ALLO.Hours, d.Cost.OMM.Runs)
}
