package rl

import (
	"slices"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
)

// Curves is figure 1 over the time of training: who is ahead when? Its results are those of figure 1, so it takes no
// training of its own. It leaves out what goes beyond the paper: all pairs at once are no method but another way to
// estimate the moments, and its steps are not those of a minibatch.
func Curves() report.Entry {
	return report.Entry{Kind: report.Figure, Name: "fig_learning_curves", Short: "curves",
		About: "average cosine similarity of figure 1's runs after each number of steps and seconds",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			bars, err := curvesPlan(p)
			if err != nil {
				return nil, err
			}
			return lab.NewJobs[*Result](experimentsOf(bars))
		}, Report: curvesReport, Partial: true, Data: mazes}
}

// curvesPlan returns the bars of figure 1 that are the paper's, environment after environment.
func curvesPlan(p lab.Profile) ([]fig1Bar, error) {
	bars, err := fig1Plan(p)
	return slices.DeleteFunc(bars, func(b fig1Bar) bool { return b.beyond }), err
}

// curvesReport writes two pictures, over steps and over seconds, and one JSON with the numbers of both.
func curvesReport(l *lab.Lab) error {
	bars, err := curvesPlan(l.Profile)
	if err != nil {
		return err
	}
	results, origin, err := report.Gather[*Result](l, experimentsOf(bars))
	if err != nil {
		return err
	}
	times, err := readStepTimes()
	if err != nil {
		return err
	}
	data := newCurvesData(bars, perBar(bars, results), times)
	data.Figure, data.Provenance = Curves().Name, origin
	data.Paper = "Not in the paper, which prints no learning curves; of the runs behind its figure 1."
	data.Note, data.SecondsNote = data.notes(fig1Note(l.Profile, results))
	if err := report.WriteFigure(l, data.Figure, data, data.drawing(false)); err != nil {
		return err
	}
	return report.WritePicture(l, data.Figure+"_seconds", data.drawing(true))
}
