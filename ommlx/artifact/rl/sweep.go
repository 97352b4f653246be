package rl

import (
	"fmt"
	"slices"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/say"
)

// sweepTransitions is the size of the data of the paper's sweep (appendix C.1).
const sweepTransitions = 1_000_000

// Sweep is the paper's sweep of ALLO's hyperparameters at k = 50, with OMM on the same data beside it.
func Sweep() report.Entry {
	return entry(report.Entry{Kind: report.Figure, Name: "fig_allo_sweep", Short: "sweep",
		About: "k = 50: ALLO with every pair of b and α_barrier, and OMM, which has neither",
		Look:  "How many pairs of a map are darker than the one cell of OMM beside it, which needs no pair.",
		Aside: true}, func(p lab.Profile) []row { return sweepOf(p).plan() }, sweepReport)
}

// sweep is the grid of a sweep.
type sweep struct {
	environments    []string
	barriers, rates []float64 // values of b and of α_barrier
	profile         lab.Profile
}

// sweepOf returns the grid of a profile. Only that of the paper profile is the paper's.
func sweepOf(p lab.Profile) sweep {
	s := sweep{[]string{"GridRoom-1", "GridRoom-16", "GridMaze-19"}, []float64{0.5, 1, 2, 10},
		[]float64{0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1}, p}
	switch p {
	case lab.Quick:
		s.environments, s.rates = []string{"GridMaze-19"}, []float64{0.01, 0.1, 1}
	case lab.Smoke:
		s.environments, s.barriers, s.rates = []string{"GridRoom-16"}, []float64{1}, []float64{0.01, 0.1}
	}
	return s
}

// runs is the number of trainings in an environment: one for each pair, and OMM.
func (s sweep) runs() int { return len(s.barriers)*len(s.rates) + 1 }

// plan lists the experiments, environment after environment: ALLO with each b and, for each of them, each α_barrier,
// then OMM.
func (s sweep) plan() (rows []row) {
	for _, name := range s.environments {
		add := func(method string, pair BarrierPair) {
			e := Paper(name, method, tab2Modes, 1)
			e.Transitions, e.Barrier, e.BarrierRate = sweepTransitions, pair.Barrier, pair.Rate
			rows = append(rows, row{experiment: e.under(s.profile, 0, quickTrialSteps, 1), run: true})
		}
		for _, b := range s.barriers {
			for _, rate := range s.rates {
				add("allo", BarrierPair{b, rate})
			}
		}
		add("omm_seq", BarrierPair{})
	}
	return rows
}

func sweepReport(l *lab.Lab, found shown) error {
	s := sweepOf(l.Profile)
	data := s.data(found)
	list := experimentsOf(found.rows)
	reading := fmt.Sprintf("γ = %g, κ = %g, M[f] from two batches of states of its own", ChosenReading.Gamma,
		ChosenReading.Shift)
	data.Note = fmt.Sprintf("%s Here: k = %d, %s each, %s transitions. OMM: %s. %s", s.note(l.Profile), tab2Modes,
		extent(list), say.Thousands(list[0].Transitions), reading, data.told())
	if l.Profile == lab.Paper {
		data.Note += found.origin.Uncommitted()
	}
	return report.WriteFigure(l, data.Figure, data, data.drawing())
}

// note keeps a sweep of fewer pairs or steps from passing for the paper's.
func (s sweep) note(p lab.Profile) string {
	if p == lab.Paper {
		return "Paper profile: the paper's pairs and environments. The paper prints neither runs nor steps of its " +
			"sweep, and says that the training that follows takes more of both; the steps here are those of that."
	}
	whole := sweepOf(lab.Paper)
	return p.Note(fmt.Sprintf("fewer pairs, environments and steps than the paper's sweep (%d × %d pairs in %d "+
		"environments, %s steps), so that its order of pairs says little of the paper's",
		len(whole.barriers), len(whole.rates), len(whole.environments), say.Thousands(paperSteps)))
}

// data puts the results into the places of the experiments that they are of.
func (s sweep) data(found shown) SweepData {
	d := SweepData{FigureHead: report.FigureHead{Figure: Sweep().Name, Provenance: found.origin,
		Paper: "Appendix C.1, ALLO Hyperparameter Sweep. The paper prints the best pair, and no other number of its " +
			"sweep."},
		Barriers: s.barriers, Rates: s.rates, PaperBest: retunedPair,
		TunedFor11: BarrierPair{PaperBarrier, PaperBarrierRate}}
	for i, r := range found.rows {
		e := r.experiment
		cell := newSweepCell(e, found.results[i])
		if i%s.runs() == 0 {
			d.Environments = append(d.Environments, SweepEnvironment{Name: e.Environment, Generated: e.Generated})
		}
		at := &d.Environments[len(d.Environments)-1]
		if e.isALLO() {
			at.Cells = append(at.Cells, cell)
			d.Cost.ALLO.add(found.results[i])
		} else {
			at.OMM = cell
		}
	}
	for i := range d.Environments {
		d.Environments[i].Best = best(d.Environments[i].Cells)
	}
	d.Best = best(d.averages())
	return d
}

func (d SweepData) drawing() draw.Scores {
	f := draw.Scores{Note: report.Stamp(d.Note), XLabel: "rate of the barrier α_barrier",
		YLabel: "initial barrier b", Score: "average cosine similarity", Beside: labelSequential, Best: "best here"}
	for _, b := range d.Barriers {
		f.Y = append(f.Y, fmt.Sprint(b))
	}
	for _, rate := range d.Rates {
		f.X = append(f.X, fmt.Sprint(rate))
	}
	mark := func(label string, p BarrierPair) {
		if at := d.place(&p); at != nil {
			f.Marks = append(f.Marks, draw.ScoreMark{Label: label + " " + p.String(), Row: at.Row, Col: at.Col})
		}
	}
	mark("best pair of the paper", d.PaperBest)
	mark("pair tuned for k = 11", d.TunedFor11)
	for _, env := range d.Environments {
		m := draw.ScoreMap{Title: env.Name, Generated: env.Generated, Beside: env.OMM.drawing(),
			Best: d.place(env.Best)}
		for row := range slices.Chunk(env.Cells, len(d.Rates)) {
			var cells []draw.ScoreCell
			for _, c := range row {
				cells = append(cells, c.drawing())
			}
			m.Cells = append(m.Cells, cells)
		}
		f.Maps = append(f.Maps, m)
	}
	return f
}

// place is where a pair stands in the maps; nil where it is not in them.
func (d SweepData) place(p *BarrierPair) *draw.ScorePlace {
	if p == nil {
		return nil
	}
	row, col := slices.Index(d.Barriers, p.Barrier), slices.Index(d.Rates, p.Rate)
	if row < 0 || col < 0 {
		return nil
	}
	return &draw.ScorePlace{Row: row, Col: col}
}

// drawing is the score of a run that finished, or why there is none.
func (c SweepCell) drawing() draw.ScoreCell {
	switch {
	case c.finished():
		return draw.ScoreCell{Score: *c.Average}
	case c.Diverged > 0:
		return draw.ScoreCell{Empty: "diverged"}
	}
	return draw.ScoreCell{Empty: "not run"}
}
