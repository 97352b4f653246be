package pde

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// subject is a system whose lowest states are learned by one method or several, and shown in two figures.
type subject struct {
	name, title string // in file names, and in text
	paper       string // where the figures are in the paper
	system      string // in a sentence
	experiments func(run.Profile) []Experiment
	rows        string // of the picture of the functions
	shapes      string // what to look for in the picture of the functions
	errors      string // what to look for in the plots of the errors
}

var (
	hydrogen = subject{"hydrogen", "2D hydrogen", "Figures 2 and 4, Section 3.2 and appendix C.2.",
		"The 2D hydrogen atom", hydrogenExperiments,
		"eigenfunctions of Sanger's variant and LoRA-seq, aligned, and exact",
		"Mode 7, a ring around a nucleus, is the hardest: compare its centre in both methods with the exact one.",
		"Whether the band of one method lies below the other's in most modes, or whether they overlap."}
	oscillator = subject{"oscillator", "harmonic oscillator", "Figures 5 and 6, appendix C.2.",
		"the harmonic oscillator |x|²", single(oscillatorExperiment), inThreeRows,
		"Modes of one eigenspace are learned up to a rotation; the aligned row must look like the exact one.",
		"Whether errors grow with the mode, and how large they are in the last eigenspace."}
	well = subject{"well", "infinite well", "Figures 7 and 8, appendix C.2 (their captions say harmonic oscillator).",
		"the infinite well [-5, 5]²", single(wellExperiment), inThreeRows,
		"Lines where the sign changes are straight in the exact row; bent ones in the aligned row are errors.",
		"The last modes, whose eigenspace is cut by k, against all the others."}
)

const inThreeRows = "eigenfunctions as learned, aligned and exact"

func single(experiment func(run.Profile) Experiment) func(run.Profile) []Experiment {
	return func(p run.Profile) []Experiment { return []Experiment{experiment(p)} }
}

// Figure2 shows the learned eigenfunctions of hydrogen.
func Figure2() report.Entry { return hydrogen.picture("fig2") }

// Figure4 shows the errors for hydrogen.
func Figure4() report.Entry { return hydrogen.numbers("fig4") }

// Figure5 shows the learned eigenfunctions of the oscillator.
func Figure5() report.Entry { return oscillator.picture("fig5") }

// Figure6 shows the errors for the oscillator.
func Figure6() report.Entry { return oscillator.numbers("fig6") }

// Figure7 shows the learned eigenfunctions of the well.
func Figure7() report.Entry { return well.picture("fig7") }

// Figure8 shows the errors for the well.
func Figure8() report.Entry { return well.numbers("fig8") }

// picture is the figure of the first learned modes and the exact ones.
func (x subject) picture(short string) report.Entry {
	e := report.Entry{Kind: report.Figure, Name: short + "_" + x.name, Short: short, About: x.title + ": " + x.rows,
		Look: x.shapes}
	return report.Of[Experiment, Run](e, figure{x, e.Name, true})
}

// numbers is the figure of the errors of every mode.
func (x subject) numbers(short string) report.Entry {
	e := report.Entry{Kind: report.Figure, Name: short + "_" + x.name + "_numerical", Short: short,
		About: x.title + ": errors of energies and eigenfunctions per mode", Look: x.errors}
	return report.Of[Experiment, Run](e, figure{x, e.Name, false})
}

type figure struct {
	subject
	name     string
	pictures bool // pictures of functions instead of plots of errors
}

// Experiments implements [report.Exhibit].
func (f figure) Experiments(p run.Profile) []Experiment { return f.experiments(p) }

// Draw implements [report.Exhibit].
func (f figure) Draw(l *run.Lab, results []*Result, origin report.Origin) error {
	numbers := Numbers{Results: results, FigureHead: report.FigureHead{Figure: f.name, Paper: f.paper,
		Note: f.note(l.Profile, results), Provenance: origin}}
	drawing := newNumbers
	if f.pictures {
		drawing = newPictures
	}
	data, err := drawing(numbers)
	if err != nil {
		return err
	}
	return report.WriteFigure(l, f.name, data, data)
}

// note describes what was run. Its first sentence, which is in the picture, counts the runs if some are missing.
func (x subject) note(p run.Profile, results []*Result) string {
	e, scale := results[0].Config, note(p)
	counts, complete := make([]string, len(results)), true
	for i, planned := range x.experiments(p) {
		there, all := len(results[i].Runs), len(planned.Seeds)
		counts[i] = fmt.Sprintf("%d of %d runs of %s", there, all, MethodName(planned.Method))
		complete = complete && there == all
	}
	networks := fmt.Sprintf("k = %d, %s steps, batch %d, networks of %d units", e.K, say.Thousands(e.Train.Steps),
		e.Batch, e.Hidden[0])
	if complete {
		return fmt.Sprintf("%s %s: %s, %s.", scale, x.problem(e), networks, say.Count(len(e.Seeds), "run"))
	}
	return fmt.Sprintf("%s, %s. %s: %s.", strings.TrimSuffix(scale, "."), strings.Join(counts, ", "), x.problem(e),
		networks)
}

func (x subject) problem(e Experiment) string {
	switch {
	case !e.Inverse:
		return fmt.Sprintf("%s, operator times %g, samples of standard deviation %g", x.system, e.Scale, e.Sigma)
	case e.Scale == 1:
		return "OMM-seq with the inverse-operator trick on " + x.system
	}
	return fmt.Sprintf("OMM-seq with the inverse-operator trick on %s, operator times %g (the paper names no factor)",
		x.system, e.Scale)
}

// Pictures is the JSON of a figure of learned eigenfunctions: figures 2, 5 and 7 of the paper. Results contain only the
// functions that are drawn.
type Pictures struct{ Numbers }

// picturedModes is the largest number of modes in a picture, as in figures 5 and 7 of the paper.
const picturedModes = 15

func newPictures(n Numbers) (draw.Drawing, error) {
	p := Pictures{n}
	p.Note += " The maps show the first run. Each function is scaled to root mean square 1. The maps of a mode, one " +
		"above the other, share a colour scale that ends at ± their largest |value|."
	p.Results = nil
	for _, r := range n.Results {
		if len(r.Picture) == 0 {
			return nil, fmt.Errorf("%s: no functions of seed %d, which the figure shows; train that run",
				r.Config.Label(), picturedSeed)
		}
		_, spectrum, err := r.Config.lowest(r.Config.K)
		if err != nil {
			return nil, err
		}
		short := *r
		for _, space := range spectrum.Spaces { // only whole eigenspaces can be aligned
			if space.End >= picturedModes {
				short.Picture = r.Picture[:min(space.End, len(r.Picture))]
				break
			}
		}
		p.Results = append(p.Results, &short)
	}
	return &p, nil
}

// aligned returns the functions of the picture, rotated within eigenspaces onto the exact ones, and the exact ones.
func aligned(r *Result) (learned, truth [][]float64, err error) {
	k := len(r.Picture)
	known, spectrum, err := r.Config.lowest(k)
	if err != nil {
		return nil, nil, err
	}
	q, err := schrodinger.Grid(2, pictureSide, known.region(r.Config.K))
	if err != nil {
		return nil, nil, err
	}
	exact, err := spectrum.OnPoints(q.Points)
	if err != nil {
		return nil, nil, err
	}
	functions := mat.NewDense(len(q.Weights), k, nil)
	for i, values := range r.Picture {
		functions.SetCol(i, values)
	}
	rotated, target, err := spectral.Align(exact, functions, q.Weights, spectrum.Spaces)
	if err != nil {
		return nil, nil, err
	}
	for i := range k {
		learned = append(learned, digits(mat.Col(nil, i, rotated)))
		truth = append(truth, digits(mat.Col(nil, i, target)))
	}
	return learned, truth, nil
}

// Figure draws the first modes, as learned (for a single method), aligned and exact.
func (p *Pictures) Figure() (*draw.Figure, error) {
	modes := min(picturedModes, len(p.Results[0].Picture))
	rows := draw.Panels{Note: report.Stamp(p.Note)}
	var exact [][]float64
	for _, r := range p.Results {
		learned, truth, err := aligned(r)
		if err != nil {
			return nil, err
		}
		exact = truth
		name := MethodName(r.Config.Method)
		if len(p.Results) == 1 {
			rows.Rows = append(rows.Rows, draw.PanelRow{Label: name + ", as learned", Maps: r.Picture[:modes]})
		}
		rows.Rows = append(rows.Rows,
			draw.PanelRow{Label: name + ", aligned within eigenspaces", Maps: learned[:modes]})
	}
	rows.Rows = append(rows.Rows, draw.PanelRow{Label: "exact", Maps: exact[:modes]})
	for i := range modes {
		rows.Rows[0].Titles = append(rows.Rows[0].Titles, strconv.Itoa(i+1))
	}
	return rows.Figure()
}
