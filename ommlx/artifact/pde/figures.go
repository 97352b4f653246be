package pde

import (
	"fmt"
	"strings"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/internal/say"
)

// waves is a system whose lowest states are learned, by one method or several, and which two figures show.
type waves struct {
	name, title string                  // in names of files, and in words
	paper       string                  // where they are in the paper
	about       func(Experiment) string // method, system and factors, in words
	experiments func(lab.Profile) []Experiment
	shapes      string // what to look at in the picture of the functions
	errors      string // and in that of the errors
}

var (
	hydrogen = waves{"hydrogen", "2D hydrogen", "Figures 2 and 4, Section 3.2 and appendix C.2.",
		func(e Experiment) string {
			return fmt.Sprintf("The 2D hydrogen atom, operator times %g, samples of standard deviation %g", e.Scale,
				e.Sigma)
		}, hydrogenExperiments,
		"Mode 7, a ring around a nucleus, is the hardest: compare its centre in both methods with the exact one.",
		"Whether a band of one method lies below that of the other in most modes, or whether they overlap."}
	oscillator = waves{"oscillator", "harmonic oscillator", "Figures 5 and 6, appendix C.2.",
		byInverse("the harmonic oscillator |x|²"), one(oscillatorExperiment),
		"Modes of one eigenspace are learned in a rotation of their own; the aligned row must look like the exact one.",
		"Whether errors grow with the mode, and how large those of the last eigenspace are."}
	well = waves{"well", "infinite well", "Figures 7 and 8, appendix C.2 (their captions say harmonic oscillator).",
		byInverse("the infinite well [-5, 5]²"), one(wellExperiment),
		"Lines where the sign changes are straight in the exact row; bent ones in the aligned row are errors.",
		"The last modes, whose eigenspace is cut by k, against all the others."}
)

// one is the list of a single experiment.
func one(experiment func(lab.Profile) Experiment) func(lab.Profile) []Experiment {
	return func(p lab.Profile) []Experiment { return []Experiment{experiment(p)} }
}

// byInverse tells of OMM-seq with the inverse-operator trick on a system.
func byInverse(system string) func(Experiment) string {
	return func(e Experiment) string {
		scale := lab.If(e.Scale != 1, ", operator times %g (the paper names no factor)", e.Scale)
		return "OMM-seq with the inverse-operator trick on " + system + scale
	}
}

// Figure2 shows what was learned of hydrogen.
func Figure2() report.Entry {
	return hydrogen.picture("fig2", "eigenfunctions of Sanger's variant and LoRA-seq, aligned, and exact")
}

// Figure4 shows how well.
func Figure4() report.Entry { return hydrogen.numbers("fig4") }

// Figure5 shows what was learned of the oscillator.
func Figure5() report.Entry {
	return oscillator.picture("fig5", "eigenfunctions as learned, aligned and exact")
}

// Figure6 shows how well.
func Figure6() report.Entry { return oscillator.numbers("fig6") }

// Figure7 shows what was learned of the well.
func Figure7() report.Entry {
	return well.picture("fig7", "eigenfunctions as learned, aligned and exact")
}

// Figure8 shows how well.
func Figure8() report.Entry { return well.numbers("fig8") }

// picture is the figure of the first modes beside the exact ones.
func (w waves) picture(short, about string) report.Entry {
	return w.entry(short, short+"_"+w.name, about, w.shapes, newPictures)
}

// numbers is the figure of the errors of every mode.
func (w waves) numbers(short string) report.Entry {
	return w.entry(short, short+"_"+w.name+"_numerical", "errors of energies and eigenfunctions per mode", w.errors,
		newNumbers)
}

func (w waves) entry(short, name, about, look string, drawing func(Numbers) (draw.Drawing, error)) report.Entry {
	e := report.Entry{Kind: report.Figure, Name: name, Short: short, About: w.title + ": " + about, Look: look}
	return report.Of(e, w.experiments, func(l *lab.Lab, results []*Result, origin report.Origin) error {
		head := report.FigureHead{Figure: name, Paper: w.paper, Note: w.note(l.Profile, results),
			Provenance: origin}
		data, err := drawing(Numbers{FigureHead: head, Results: results})
		if err != nil {
			return err
		}
		return report.WriteFigure(l, name, data, data)
	})
}

// note says what was run; its first sentence, which stands in the picture, tells of runs that are missing.
func (w waves) note(p lab.Profile, results []*Result) string {
	planned, some := map[string]int{}, false
	for _, e := range w.experiments(p) {
		planned[e.Method] = len(e.Seeds)
	}
	var runs []string
	for _, r := range results {
		method := r.Config.Method
		runs = append(runs, fmt.Sprintf("%d of %d runs of %s", len(r.Runs), planned[method], MethodName(method)))
		some = some || len(r.Runs) < planned[method]
	}
	e, first := results[0].Config, note(p)
	if some {
		first = strings.TrimSuffix(first, ".") + ", " + strings.Join(runs, ", ") + "."
	}
	return fmt.Sprintf("%s %s: k = %d, %s steps, batch %d, networks of %d units%s.", first, w.about(e), e.K,
		say.Thousands(e.Train.Steps), e.Batch, e.Hidden[0], lab.If(!some, ", %s", say.Count(len(e.Seeds), "run")))
}
