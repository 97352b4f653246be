package rl

import (
	"fmt"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// sweepTransitions is the size of the data of the paper's sweep (appendix C.1).
const sweepTransitions = 1_000_000

// Sweep is the paper's sweep of ALLO's hyperparameters at k = 50, with OMM on the same data beside it.
func Sweep() report.Entry {
	return report.Entry{Kind: report.Figure, Name: "fig_allo_sweep", Short: "sweep",
		About: "k = 50: ALLO with every pair of b and alpha_barrier, and OMM, which has neither",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			return lab.NewJobs[*Result](sweepOf(p).plan())
		}, Report: sweepReport, Partial: true, Aside: true, Data: mazes}
}

// sweep is the grid of a sweep.
type sweep struct {
	environments    []string
	barriers, rates []float64 // values of b and of α_barrier
	profile         lab.Profile
}

// sweepQuickSteps is such that the quick sweep takes at most three minutes on two cores.
const sweepQuickSteps = 2_000

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
func (s sweep) plan() (list []Experiment) {
	for _, name := range s.environments {
		in := func(method string) Experiment {
			e := Paper(name, method, tab2Modes, 1)
			e.Transitions = sweepTransitions
			return e
		}
		for _, b := range s.barriers {
			for _, rate := range s.rates {
				e := in("allo")
				e.Barrier, e.BarrierRate = b, rate
				list = append(list, e.under(s.profile, sweepQuickSteps))
			}
		}
		list = append(list, in("omm_seq").under(s.profile, sweepQuickSteps))
	}
	return list
}

func sweepReport(l *lab.Lab) error {
	s := sweepOf(l.Profile)
	list := s.plan()
	results, origin, err := report.Gather[*Result](l, list)
	if err != nil {
		return err
	}
	data, err := s.data(list, results)
	if err != nil {
		return err
	}
	data.Provenance = origin
	data.Note = fmt.Sprintf("%s Here: k = %d, %s each, %s transitions. OMM: %s. %s", s.note(l.Profile), tab2Modes,
		extent(list), thousands(list[0].Transitions), Reproduces.describe(), data.told())
	if l.Profile == lab.Paper {
		data.Note += origin.Uncommitted()
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
		len(whole.barriers), len(whole.rates), len(whole.environments), thousands(paperSteps)))
}

// data puts the results, nil for what has none, into the places of the experiments that they are of.
func (s sweep) data(list []Experiment, results []*Result) (SweepData, error) {
	d := SweepData{Figure: Sweep().Name, Paper: "Appendix C.1, ALLO Hyperparameter Sweep. The paper prints the best " +
		"pair, and no other number of its sweep.", Barriers: s.barriers, Rates: s.rates,
		PaperBest: retunedPair, TunedFor11: BarrierPair{PaperBarrier, PaperBarrierRate}}
	for i, e := range list {
		cell, err := newSweepCell(e, results[i])
		if err != nil {
			return d, err
		}
		if i%s.runs() == 0 {
			d.Environments = append(d.Environments, SweepEnvironment{Name: e.Environment, Generated: e.Generated})
		}
		at := &d.Environments[len(d.Environments)-1]
		if e.isALLO() {
			at.Cells = append(at.Cells, cell)
			d.Cost.ALLO.add(results[i])
		} else {
			at.OMM = cell
		}
	}
	for i := range d.Environments {
		d.Environments[i].Best = best(d.Environments[i].Cells)
	}
	d.Best = best(d.averages())
	return d, nil
}
