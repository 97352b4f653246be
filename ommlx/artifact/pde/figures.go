package pde

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
)

// subject is a system whose lowest states are shown in two figures.
type subject struct {
	title       string
	paper       string // where the figures are in the paper
	setting     string // in a note
	experiments func(run.Profile) []Experiment
}

var (
	hydrogen = subject{"2D hydrogen", "Figures 2 and 4, Section 3.2 and appendix C.2.",
		"The 2D hydrogen atom, with samples of standard deviation 16 as in the base code, where the paper prints " +
			"N(0, 16 I), a standard deviation of 4",
		func(p run.Profile) []Experiment { return oneRun(p, Hydrogen(p, "sanger"), Hydrogen(p, "lora_seq")) }}
	oscillator = subject{"harmonic oscillator", "Figures 5 and 6, appendix C.2.",
		"OMM-seq with the inverse-operator trick on the harmonic oscillator |x|²",
		func(p run.Profile) []Experiment { return oneRun(p, Oscillator(p)) }}
	well = subject{"infinite well", "Figures 7 and 8, appendix C.2 (their captions say harmonic oscillator).",
		"OMM-seq with the inverse-operator trick on the infinite well [−5, 5]²",
		func(p run.Profile) []Experiment { return oneRun(p, Well(p)) }}
)

const (
	inThreeRows = "eigenfunctions as learned, aligned and exact"
	perModes    = "errors of energies and eigenfunctions per mode"
)

// oneRun leaves one run in the quick figures: a second costs as much time and gives the same maps.
func oneRun(p run.Profile, list ...Experiment) []Experiment {
	if p == run.Quick {
		for i := range list {
			list[i].Seeds = run.Seeds(1)
		}
	}
	return list
}

// Figure2 shows the learned eigenfunctions of hydrogen.
func Figure2() report.Exhibit {
	return hydrogen.exhibit("fig2_hydrogen", hydrogen.experiments, newPictures,
		"eigenfunctions of Sanger's variant and LoRA-seq, aligned, and exact",
		"The energy below mode 1, which is a profile because its map has too few points, and the centre of mode 7, a "+
			"spot inside a ring, in both methods and in the exact functions.")
}

// Figure4 shows the errors for hydrogen.
func Figure4() report.Exhibit {
	return hydrogen.exhibit("fig4_hydrogen_numerical", hydrogen.experiments, newNumbers, perModes,
		"Whether the marks of one method lie below the other's in most modes, or whether they overlap.")
}

// Figure5 shows the learned eigenfunctions of the oscillator.
func Figure5() report.Exhibit {
	return oscillator.exhibit("fig5_oscillator", oscillator.experiments, newPictures, inThreeRows,
		"Modes of one eigenspace are learned up to a rotation; the aligned row must look like the exact one.")
}

// Figure6 shows the errors for the oscillator.
func Figure6() report.Exhibit {
	return oscillator.exhibit("fig6_oscillator_numerical", oscillator.experiments, newNumbers, perModes,
		"Whether errors grow with the mode, and how large they are in the last eigenspace.")
}

// Figure7 shows the learned eigenfunctions of the well.
func Figure7() report.Exhibit {
	return well.exhibit("fig7_well", wellWithFunctions, newPictures, inThreeRows,
		"Lines where the sign changes are straight in the exact row; bent ones in the aligned row are errors.")
}

// wellWithFunctions adds, at the paper's scale, a training whose functions are kept: two modes of the run of seed 1,
// the only one of the ten with functions, are wrong.
func wellWithFunctions(p run.Profile) []Experiment {
	list := well.experiments(p)
	if p == run.Paper {
		shown := list[0]
		shown.Seeds, shown.Picture = []int64{2}, true
		list = append(list, shown)
	}
	return list
}

// Figure8 shows the errors for the well.
func Figure8() report.Exhibit {
	return well.exhibit("fig8_well_numerical", well.experiments, newNumbers, perModes,
		"The last two modes, whose level is only 4 % below the next one, against all the others.")
}

// exhibit is a figure of the subject, whose data are from newNumbers or newPictures.
// Experiments after the subject's own are for the picture only.
func (x subject) exhibit(name string, experiments func(run.Profile) []Experiment,
	drawing func(Numbers) (draw.Drawing, error), description, caption string) report.Exhibit {
	short, _, _ := strings.Cut(name, "_")
	return report.OfRows(report.Exhibit{Kind: report.Figure, Name: name, ShortName: short,
		Description: x.title + ": " + description, Caption: caption,
	}, experiments, func(e Experiment, _ run.Profile) Experiment {
		return e
	}, func(k report.Kept, _ []Experiment, results []*Result) (report.Content, error) {
		k.Head.Paper, k.Head.Note = x.paper, x.note(k.Profile, results)
		data, err := drawing(Numbers{Head: k.Head, Results: results})
		return report.Content{Data: data, Drawing: data}, err
	})
}

// note describes what was run. Its first sentence, which is in the picture, counts the runs.
func (x subject) note(p run.Profile, results []*Result) string {
	e := results[0].Config
	isHydrogen := e.System == "hydrogen"
	counts := strings.TrimSuffix(note(p, isHydrogen), ".")
	for i, planned := range x.experiments(p) {
		runs := say.Count(len(results[i].Runs), "run")
		if isHydrogen { // the paper prints no number of runs for the others
			runs = fmt.Sprintf("%d of %d runs", len(results[i].Runs), len(planned.Seeds))
		}
		counts += fmt.Sprintf(", %s of %s", runs, MethodName(planned.Method))
	}
	return fmt.Sprintf("%s. %s: operator times %g, k = %d, %s steps, batch %d, networks of %d units.", counts,
		x.setting, e.Scale, e.K, say.Thousands(e.Train.Steps), e.Batch, e.Hidden[0])
}

// Numbers is the JSON of a figure of errors per mode: figures 4, 6 and 8 of the paper.
type Numbers struct {
	report.Head
	Exact   []float64 `json:"exact_energies,omitempty"`
	Results []*Result `json:"results"` // without the pictures
}

// metric is one of the errors that figures 4, 6 and 8 show.
type metric struct {
	name  string // in a sentence
	title string // over a plot
	axis  string // along the horizontal axis
	of    func(Run) []float64
}

func energyErrors(r Run) []float64 { return r.Errors }
func angles(r Run) []float64       { return r.Angles }
func distances(r Run) []float64    { return r.Subspaces }

var metrics = []metric{
	{"relative error of the energy", "relative error of the energy", "mode", energyErrors},
	{"angle distance", "angle distance (radians)", "mode", angles},
	{"subspace distance", "subspace distance", "eigenspace", distances},
}

func newNumbers(n Numbers) (draw.Drawing, error) {
	config := n.Results[0].Config
	_, lowest, err := config.lowest(config.K)
	n.Exact = lowest.Energies()
	n.Note += " Each mark is one run."
	n.Results = slices.Clone(n.Results)
	for i, r := range n.Results {
		short := *r
		short.Picture, n.Results[i] = nil, &short
	}
	return &n, err
}

// Figure draws every run that did not diverge, with a mark for each mode. It returns an error if all runs of a method
// diverged.
func (n *Numbers) Figure() (*draw.Figure, error) {
	row, err := n.row()
	if err != nil {
		return nil, err
	}
	return row.Figure()
}

// row has a plot for each metric, with a series for each run and a logarithmic axis.
func (n *Numbers) row() (draw.CurvesRow, error) {
	row := draw.CurvesRow{Note: report.Stamp(n.Note)}
	if slices.ContainsFunc(n.Results, func(r *Result) bool { return len(r.Finished()) > 2 }) {
		row.Note += " Each mark is one run; dashed lines are medians."
	}
	for _, m := range metrics {
		plot := draw.Curves{Title: m.title, XLabel: m.axis, LogY: true}
		var medians []draw.Series
		for i, r := range n.Results {
			if len(r.Finished()) == 0 {
				return row, fmt.Errorf("pde: %s: all runs diverged", r.Config.Label())
			}
			shift := 0.3 * (float64(i) - float64(len(n.Results)-1)/2) // apart, so that no mark hides another
			name := fmt.Sprintf("%s, %s", MethodName(r.Config.Method), say.Count(len(r.Finished()), "run"))
			for _, run := range r.Finished() {
				marks := draw.Series{Name: name, Marks: true}
				for j, v := range m.of(run) {
					marks.Add(float64(j+1)+shift, v)
				}
				plot.Series = append(plot.Series, marks)
			}
			if runs := r.Finished(); len(runs) > 2 {
				medians = append(medians, median(name, shift, runs, m.of))
			}
		}
		plot.Series = append(plot.Series, medians...)
		row.Plots = append(row.Plots, plot)
	}
	return row, nil
}

// median returns a line through the medians over runs.
func median(name string, shift float64, runs []Run, of func(Run) []float64) draw.Series {
	line := draw.Series{Name: name, Dashed: true}
	for j := range of(runs[0]) {
		all := xslices.Map(runs, func(run Run) float64 { return of(run)[j] })
		slices.Sort(all)
		line.Add(float64(j+1)+shift, stat.Quantile(0.5, stat.LinInterp, all, nil))
	}
	return line
}
