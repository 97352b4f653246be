package pde

import (
	"fmt"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// waves is a system whose lowest states are learned, by one method or several, and the two figures that show them.
type waves struct {
	picture, numbers report.Entry            // the figures, without plan and report
	paper            string                  // where they are in the paper
	about            func(Experiment) string // method, system and factors, in words
	experiments      func(lab.Profile) []Experiment
}

// pictureEntry is the figure of the first modes beside the exact ones.
func (w waves) pictureEntry() report.Entry {
	return w.entry(w.picture, func(n Numbers) (draw.Drawing, error) { return newPictures(n) })
}

// numbersEntry is the figure of the errors of every mode.
func (w waves) numbersEntry() report.Entry {
	return w.entry(w.numbers, func(n Numbers) (draw.Drawing, error) { return newNumbers(n) })
}

func (w waves) entry(e report.Entry, drawing func(Numbers) (draw.Drawing, error)) report.Entry {
	e.Kind = report.Figure
	e.Plan = func(p lab.Profile) ([]lab.Job, error) { return lab.NewJobs(w.experiments(p)) }
	e.Report = func(l *lab.Lab) error {
		list := w.experiments(l.Profile)
		results, origin, err := report.Gather(l, list)
		if err != nil {
			return err
		}
		data, err := drawing(Numbers{Name: e.Name, Paper: w.paper, Note: w.note(l.Profile, results[0].Config),
			Provenance: origin, Results: results})
		if err != nil {
			return err
		}
		return report.WriteFigure(l, e.Name, data, data)
	}
	return e
}

func (w waves) note(p lab.Profile, e Experiment) string {
	return fmt.Sprintf("%s %s: k = %d, %d steps, batch %d, networks of %d units, %d run(s).",
		note(p), w.about(e), e.K, e.Train.Steps, e.Batch, e.Hidden[0], len(e.Seeds))
}
