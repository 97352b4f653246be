package pde

import (
	"cmp"
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

// Figure2 shows the learned eigenfunctions of hydrogen.
func Figure2() report.Exhibit { return hydrogen.ofFunctions() }

// Figure4 shows the errors for hydrogen.
func Figure4() report.Exhibit { return hydrogen.ofErrors() }

// Figure5 shows the learned eigenfunctions of the oscillator.
func Figure5() report.Exhibit { return oscillator.ofFunctions() }

// Figure6 shows the errors for the oscillator.
func Figure6() report.Exhibit { return oscillator.ofErrors() }

// Figure7 shows the learned eigenfunctions of the well.
func Figure7() report.Exhibit { return well.ofFunctions() }

// Figure8 shows the errors for the well.
func Figure8() report.Exhibit { return well.ofErrors() }

// ofErrors is the figure of errors per mode.
func (s system) ofErrors() report.Exhibit { return s.exhibit(s.errors, s.experiments, newNumbers) }

// ofFunctions is the figure of learned functions. At the paper's scale it may need one more training, which keeps the
// functions that are drawn.
func (s system) ofFunctions() report.Exhibit {
	return s.exhibit(s.functions, func(p run.Profile) []Experiment {
		list := s.experiments(p)
		if s.drawn > 0 && p == run.Paper {
			e := list[0]
			e.Seeds, e.Picture = []int64{s.drawn}, true
			list = append(list, e)
		}
		return list
	}, newPictures)
}

// exhibit is a figure with the content of the experiments' results. Its note describes what was run; the first
// sentence, which is in the picture, counts the runs.
func (s system) exhibit(f figure, experiments func(run.Profile) []Experiment,
	content func(Numbers) (report.Content, error)) report.Exhibit {
	short, _, _ := strings.Cut(f.name, "_")
	return report.OfRows(report.Exhibit{Kind: report.Figure, Name: f.name, ShortName: short,
		Description: s.title + ": " + f.description, Caption: f.caption,
	}, experiments, func(e Experiment, _ run.Profile) Experiment {
		return e
	}, func(k report.Kept, _ []Experiment, results []*Result) (report.Content, error) {
		isHydrogen := s.name == "hydrogen"
		counts := strings.TrimSuffix(note(k.Profile, isHydrogen), ".")
		for i, planned := range s.experiments(k.Profile) {
			runs := say.Count(len(results[i].Runs), "run")
			if isHydrogen { // the paper prints no number of runs for the others
				runs = fmt.Sprintf("%d of %d runs", len(results[i].Runs), len(planned.Seeds))
			}
			counts += fmt.Sprintf(", %s of %s", runs, MethodName(planned.Method))
		}
		e := results[0].Config
		k.Head.Paper = s.paper
		k.Head.Note = fmt.Sprintf("%s. %s: operator times %g, k = %d, %s steps, batch %d, networks of %d units.",
			counts, s.setting, e.Scale, e.K, say.Thousands(e.Train.Steps), e.Batch, e.Hidden[0])
		return content(Numbers{Head: k.Head, Results: results})
	})
}

// note is the sentence under a figure or table that states the profile. Hydrogen's samples are not the paper's; see
// [Hydrogen].
func note(p run.Profile, hydrogen bool) string {
	if hydrogen && p == run.Paper {
		return "Paper profile: the paper's protocol except for hydrogen's samples."
	}
	return p.Note("smaller networks and batches, fewer runs and steps, " +
		"for some systems fewer modes than in the paper's protocol")
}

// MethodName is the paper's name of a method, by its id; others keep their ids.
func MethodName(id string) string {
	return cmp.Or(map[string]string{"omm": "OMM", "omm_seq": "OMM-seq", "omm_jnt": "OMM-joint", "sanger": "Sanger",
		"lora": "LoRA", "lora_seq": "LoRA-seq", "lora_jnt": "LoRA-joint", "allo": "ALLO", "spin": "SpIN",
		"neuralef": "NeuralEF"}[id], id)
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

func newNumbers(n Numbers) (report.Content, error) {
	config := n.Results[0].Config
	_, lowest, err := config.lowest(config.K)
	if err != nil {
		return report.Content{}, err
	}
	n.Exact = lowest.Energies()
	n.Note += " Each mark is one run."
	n.Results = xslices.Map(n.Results, func(r *Result) *Result {
		short := *r
		short.Picture = nil
		return &short
	})
	row, err := n.row()
	return report.Content{Data: n, Drawing: row}, err
}

// row has a plot for each metric, with a logarithmic axis and a series for each run that did not diverge: a mark for
// each mode. It returns an error if all runs of a method diverged.
func (n Numbers) row() (draw.CurvesRow, error) {
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
