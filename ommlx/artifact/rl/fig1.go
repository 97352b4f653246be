package rl

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
)

// spectrumModes is the k of figure 1's experiments and its number of eigenvalues.
const spectrumModes = 11

// hardInstances are the environments that the caption of figure 1 calls hard.
var hardInstances = []string{"GridMaze-26", "GridMaze-32", "GridRoom-32", "GridRoom-64"}

// Labels of figure 1's rows that claims use.
const (
	labelSequential  = "OMM-seq"
	labelJoint       = "OMM-joint"
	labelALLO        = "ALLO"
	labelDifferences = "OMM-seq, differences"
	labelAllPairs    = "OMM-seq, all pairs"
	labelRitz        = "OMM-seq, differences, Ritz step" // the same runs
)

// paperMethods are the methods in the paper's figure 1.
var paperMethods = []string{labelSequential, labelJoint, labelALLO}

// fig1Rows lists the rows, without an environment. The paper has "four random runs" and "ALLO with 10 runs" (section
// 3.1).
func fig1Rows() []row {
	text := func(method string) Experiment { return Paper("", method, spectrumModes, 1) }
	return []row{
		newRow(labelSequential, PublicProtocol, "", 4, May("", "omm_seq")),
		newRow(labelJoint, PublicProtocol, "", 4, May("", "omm_jnt")),
		newRow(labelALLO, PublicProtocol, "", 4, May("", "allo")),
		newRow(labelSequential, PrintedProtocol, "", 4, text("omm_seq")),
		newRow(labelJoint, PrintedProtocol, "", 4, text("omm_jnt")),
		newRow(labelALLO, PrintedProtocol, "", 10, text("allo")),
		newRow(labelDifferences, PrintedProtocol, beyondPart, 4, byDifferences(spectrumModes, 0)),
		newRow(labelAllPairs, PrintedProtocol, beyondPart, 4, text("omm_seq").Expecting(AllPairs)),
	}
}

// Figure1 is the average cosine similarity in the twelve environments.
func Figure1() report.Exhibit {
	return exhibit(report.Exhibit{Kind: report.Figure, Name: "fig1_laplacian_rl", ShortName: "fig1",
		Description: "average cosine similarity per environment, and the top-11 spectra",
		Caption: "How the methods fall behind where eigenvalues in the spectrum on the right lie close together, " +
			"and at the paper's scale whether our filled marks lie in the open ones of the authors' logged runs."},
		fig1Runs, planFig1, drawFig1)
}

// planFig1 returns the rows, environment by environment. The quick profile has the authors' settings only, with two
// runs in the smallest environments and one in the others; the smoke profile has two environments.
func planFig1(p run.Profile) (rows []row) {
	for _, g := range gridworld.All() {
		if p == run.Smoke && g.Name != "GridMaze-7" && g.Name != "GridRoom-4" {
			continue
		}
		runs := 1
		if g.N() <= 13 {
			runs = 2
		}
		for _, r := range fig1Rows() {
			if p != run.Quick || r.protocol == PublicProtocol {
				rows = append(rows, r.in(g.Name).under(p, runs, quickSteps(g.Name)))
			}
		}
	}
	return rows
}

// fig1Runs describes the paper's runs.
const fig1Runs = "80,000 steps; 4 runs OMM, 10 runs ALLO"

// Fig1Data is figures/fig1_laplacian_rl.json: every number in figure 1.
type Fig1Data struct {
	report.Head
	Environments []Fig1Environment `json:"environments"`
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name       string      `json:"name"`
	States     int         `json:"states"`
	Components int         `json:"components"` // connected parts, the multiplicity of the eigenvalue 0
	Spectrum   []float64   `json:"spectrum"`   // the smallest eigenvalues of I − P, ascending
	Gap        float64     `json:"gap"`        // the smallest gap between distinct eigenvalues
	Hard       bool        `json:"hard"`
	Bars       []Fig1Value `json:"bars"`
}

// Fig1Value is one row: mean and sample standard deviation over the runs that did not diverge.
type Fig1Value struct {
	Label    string   `json:"label"`
	Protocol Protocol `json:"protocol"`
	Beyond   bool     `json:"beyond_the_paper,omitempty"`
	// Theirs is the mean of the authors' logged runs, see [PublicRuns]; nil if none are known.
	Theirs    *float64 `json:"theirs,omitempty"`
	TheirRuns int      `json:"their_runs,omitempty"`
	NotRun    bool     `json:"not_run,omitempty"`
	MeanCosines
	Diverged int     `json:"diverged,omitempty"`
	Result   *Result `json:"result,omitempty"`
}

func drawFig1(rows []row, head report.Head) (report.Content, error) {
	data := Fig1Data{Head: head}
	data.Paper = "Figure 1, Section 3.1 and C.1. The paper prints no numbers for its bars."
	data.Note = report.Prose(data.Note, dataText, fig1Text,
		fmt.Sprintf("Right: the %d smallest eigenvalues.", spectrumModes))
	for _, rows := range byEnvironment(rows) {
		w, err := gridworld.LoadWorld(rows[0].experiment.Environment)
		if err != nil {
			return report.Content{}, err
		}
		env := Fig1Environment{Name: w.Grid.Name, States: w.Grid.N(), Components: w.Grid.Components(),
			Gap: w.GapAtTop(spectrumModes), Hard: slices.Contains(hardInstances, w.Grid.Name),
			Spectrum: laplacian(w, spectrumModes), Bars: fig1Bars(rows)}
		data.Environments = append(data.Environments, env)
	}
	return report.Content{Data: data, Drawing: data.drawing()}, nil
}

// laplacian returns the k smallest eigenvalues of I − P, ascending. Negative rounding errors become 0.
func laplacian(w *gridworld.World, k int) []float64 {
	return xslices.Map(w.Truth.Values[:k], func(mu float64) float64 { return max(0, 1-mu) })
}

// fig1Bars returns a value for each row, and one for the runs by differences after a Ritz step.
func fig1Bars(rows []row) (bars []Fig1Value) {
	for _, r := range rows {
		if r.label == labelDifferences {
			r.label, r.result = labelRitz, afterRitz(r.result)
			rows = append(slices.Clip(rows), r)
		}
	}
	for _, r := range rows {
		v := Fig1Value{Label: r.label, Protocol: r.protocol, Beyond: r.part == beyondPart, NotRun: r.result == nil,
			MeanCosines: meanCosines(r.result), Diverged: diverged(r.result), Result: r.result}
		if t := r.experiment.publicRuns(); t != nil {
			v.Theirs, v.TheirRuns = new(t.mean()), len(t.Runs)
		}
		bars = append(bars, v)
	}
	return bars
}

// drawing returns a panel for each protocol with rows, and one for the rows beyond the paper, which are the same in all
// environments.
func (d Fig1Data) drawing() draw.Fig1 {
	f := draw.Fig1{Note: report.Stamp(d.Note) + " OMM: shift of ½ by the authors' settings, of 1 as printed."}
	for _, e := range d.Environments {
		f.Environments = append(f.Environments, draw.Fig1Environment{Name: e.Name, Spectrum: e.Spectrum})
	}
	return d.points().drawing(f)
}

// Row returns the row of a method by a protocol, or a row with NotRun set.
func (e Fig1Environment) Row(p Protocol, label string) Fig1Value {
	for _, v := range e.Bars {
		if v.Protocol == p && v.Label == label {
			return v
		}
	}
	return Fig1Value{Label: label, Protocol: p, NotRun: true}
}
