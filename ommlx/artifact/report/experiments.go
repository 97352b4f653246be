package report

import "operator-omm/ommlx/artifact/lab"

// Of completes an entry with what it shows: the experiments of each profile, which are its jobs, and write, which gets
// their results as [Gather] does.
func Of[E lab.Experiment[E, R], R lab.Judged](e Entry, experiments func(lab.Profile) []E,
	write func(*lab.Lab, []*lab.Result[E, R], Origin) error) Entry {
	e.Plan = func(p lab.Profile) ([]lab.Job, error) { return lab.NewJobs(experiments(p)) }
	e.Report = func(l *lab.Lab) error {
		results, origin, err := Gather(l, experiments(l.Profile))
		if err != nil {
			return err
		}
		return write(l, results, origin)
	}
	return e
}

// FigureHead is what the JSON of a figure begins with, and that of a table but for its name.
type FigureHead struct {
	Figure     string `json:"figure"`
	Paper      string `json:"paper"` // where it is in the paper
	Note       string `json:"note"`
	Provenance Origin `json:"provenance"`
}

// Over is the spread of a number over the runs of a result that did not diverge.
func Over[E lab.Config, R lab.Judged](r *lab.Result[E, R], of func(R) float64) Spread {
	var all []float64
	for _, run := range r.Finished() {
		all = append(all, of(run))
	}
	return SpreadOf(all)
}
