package rl

import (
	"fmt"
	"math"
	"slices"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/gridworld"
)

// spectrumModes is how many eigenvalues figure 1 draws, and the k of its experiments.
const spectrumModes = 11

// hardGap is the limit of a hard environment: its smallest gap between eigenvalues among the top 11 is below it. It
// gives the paper's set, GridMaze-26 and -32 and GridRoom-32 and -64 (caption of its figure 1); the next one,
// GridMaze-19, has the gap 1.1·10⁻⁴.
const hardGap = 1e-4

// Figure1 is the average cosine similarity in the twelve environments.
func Figure1() report.Entry {
	return report.Entry{Kind: report.Figure, Name: "fig1_laplacian_rl", Short: "fig1",
		About: "average cosine similarity per environment, and the top-11 spectra",
		Plan: func(p lab.Profile) ([]lab.Job, error) {
			bars, err := fig1Plan(p)
			if err != nil {
				return nil, err
			}
			return lab.NewJobs[*Result](experimentsOf(bars))
		}, Report: fig1Report, Partial: true, Data: mazes}
}

// Protocol says by which protocol a row of figure 1 or a part of Table 2 was trained.
type Protocol string

// The protocols.
const (
	PublicProtocol  Protocol = "public code" // [May] and [July]
	PrintedProtocol Protocol = "text"        // [Paper]
)

// fig1Method is one row of figure 1 in every environment.
type fig1Method struct {
	label    string
	protocol Protocol
	beyond   bool // not in the paper
	runs     int
	in       recipe
}

// The labels of figure 1's rows, which claims name.
const (
	labelSequential  = "OMM-seq"
	labelJoint       = "OMM-joint"
	labelALLO        = "ALLO"
	labelDifferences = "OMM-seq, differences"
)

// fig1Methods lists the rows. The paper has "four random runs" and "ALLO with 10 runs" (section 3.1).
func fig1Methods() []fig1Method {
	allPairs := func(e Experiment) Experiment { return e.Expecting(AllPairs) }
	return []fig1Method{
		{labelSequential, PublicProtocol, false, 4, byMay("omm_seq")},
		{labelJoint, PublicProtocol, false, 4, byMay("omm_jnt")},
		{labelALLO, PublicProtocol, false, 4, byMay("allo")},
		{labelSequential, PrintedProtocol, false, 4, byText("omm_seq", spectrumModes, asItIs)},
		{labelJoint, PrintedProtocol, false, 4, byText("omm_jnt", spectrumModes, asItIs)},
		{labelALLO, PrintedProtocol, false, 10, byText("allo", spectrumModes, asItIs)},
		{labelDifferences, PrintedProtocol, true, 4, byDifferences(spectrumModes, 0, TextWeights)},
		{"OMM-seq, all pairs", PrintedProtocol, true, 4, byText("omm_seq", spectrumModes, allPairs)},
	}
}

// The quick profile has fewRuns runs in environments of up to fewStates states, and one in the others.
const fewStates, fewRuns = 13, 2

// quickSteps gives the steps of one run of the quick profile, such that all of figure 1 takes three minutes on two
// cores. A step is the dearer the more states there are, so larger environments get fewer steps.
func quickSteps(states int) int {
	switch {
	case states <= 161:
		return 3_000
	case states <= 300:
		return 2_500
	case states <= 600:
		return 1_600
	}
	return 1_000
}

// fig1Bar is a bar and the experiment behind it.
type fig1Bar struct {
	fig1Method
	experiment Experiment
	run        bool // false where the profile leaves it out
}

// fig1Experiment returns the bar of a method in an environment.
func fig1Experiment(p lab.Profile, g *gridworld.Grid, m fig1Method) fig1Bar {
	e := m.in(g.Name, m.runs)
	switch p {
	case lab.Quick:
		e.Seeds = lab.Seeds(1)
		if g.N() <= fewStates {
			e.Seeds = lab.Seeds(fewRuns)
		}
		e = e.Here().WithSteps(quickSteps(g.N()))
	case lab.Smoke:
		return fig1Bar{m, e.smoke(2), g.Name == smokeEnvironments[m.protocol]}
	}
	return fig1Bar{m, e, true}
}

// smokeEnvironments has the one environment of the smoke profile for each protocol.
var smokeEnvironments = map[Protocol]string{PublicProtocol: "GridMaze-7", PrintedProtocol: "GridRoom-4"}

// fig1Plan returns the bars, environment after environment.
func fig1Plan(p lab.Profile) (bars []fig1Bar, err error) {
	for _, name := range gridworld.Names() {
		g, err := gridworld.Load(name)
		if err != nil {
			return nil, err
		}
		for _, m := range fig1Methods() {
			if m.protocol == PublicProtocol && !m.beyond || p != lab.Quick { // of which a first run has enough
				bars = append(bars, fig1Experiment(p, g, m))
			}
		}
	}
	return bars, nil
}

func experimentsOf(bars []fig1Bar) (list []Experiment) {
	for _, b := range bars {
		if b.run {
			list = append(list, b.experiment)
		}
	}
	return list
}

// perBar returns the result of each bar, nil where there is none, of the results of [experimentsOf].
func perBar(bars []fig1Bar, results []*Result) []*Result {
	list := make([]*Result, len(bars))
	for i, b := range bars {
		if b.run {
			list[i], results = results[0], results[1:]
		}
	}
	return list
}

// fig1Note says which profile the results are of; a result is nil where there is none yet.
func fig1Note(p lab.Profile, results []*Result) string {
	return note(p, "4 runs OMM, 10 runs ALLO", results) + dataNote
}

func fig1Report(l *lab.Lab) error {
	bars, err := fig1Plan(l.Profile)
	if err != nil {
		return err
	}
	results, origin, err := report.Gather[*Result](l, experimentsOf(bars))
	if err != nil {
		return err
	}
	data := Fig1Data{
		Figure:     Figure1().Name,
		Paper:      "Figure 1, Section 3.1 and C.1. The paper prints no numbers for its bars.",
		Note:       fig1Note(l.Profile, results),
		Provenance: origin,
	}
	results = perBar(bars, results)
	methods := len(bars) / len(gridworld.Names())
	for _, name := range gridworld.Names() {
		env, err := newFig1Environment(l.Profile, name)
		if err != nil {
			return err
		}
		for i, b := range bars[:methods] {
			value := Fig1Value{Label: b.label, Protocol: b.protocol, Beyond: b.beyond, NotRun: results[i] == nil}
			if t, ok := b.experiment.theirs(); ok {
				mean := t.mean()
				value.Theirs, value.TheirRuns = &mean, len(t.Runs)
			}
			if !value.NotRun {
				value.fill(results[i])
			}
			env.Bars = append(env.Bars, value)
		}
		bars, results = bars[methods:], results[methods:]
		data.Environments = append(data.Environments, env)
		if env.Negative > 0 {
			data.Note += fmt.Sprintf(" %s has %d negative among the 11 eigenvalues, "+
				"which OMM cannot learn without a shift.", name, env.Negative)
		}
	}
	if err := report.WriteFigure(l, data.Figure, data, data.drawing()); err != nil {
		return err
	}
	return report.WriteText(l, data.Figure, data.Scores())
}

// newFig1Environment is an environment without its bars: that of the paper, or under another profile that of this
// machine.
func newFig1Environment(p lab.Profile, name string) (env Fig1Environment, err error) {
	generated, facts := p != lab.Paper && generated(name), gridworld.Facts{}
	if generated {
		w, err := gridworld.LoadWorld(name)
		if err != nil {
			return env, err
		}
		facts = w.Facts()
	} else if facts, err = gridworld.Official(name); err != nil {
		return env, err
	}
	env = Fig1Environment{Name: name, States: facts.States, Generated: generated, Components: facts.Components,
		Gap: facts.Gap()}
	env.Hard = env.Gap < hardGap
	for _, mu := range facts.Top {
		lambda, err := gridworld.GeometricEigenvalue(mu, Reproduces.Gamma, episodeLength)
		if err != nil {
			return env, err
		}
		if lambda+Reproduces.Shift < 0 {
			env.Negative++
		}
		env.Spectrum = append(env.Spectrum, math.Max(0, 1-mu)) // rounding leaves ±1e-16 for 0
	}
	return env, nil
}

func (d Fig1Data) drawing() draw.Fig1 {
	f := draw.Fig1{Note: d.Note}
	protocols := d.protocols()
	for _, p := range protocols {
		f.Panels = append(f.Panels, "the "+string(p)+"'s protocol")
	}
	for _, e := range d.Environments {
		out := draw.Fig1Environment{Name: e.Name, Generated: e.Generated, Hard: e.Hard, Spectrum: e.Spectrum,
			Rows: make([][]draw.Fig1Row, len(protocols))}
		for _, v := range e.Bars {
			row := draw.Fig1Row{Method: v.Label, Reference: v.Theirs, Beyond: v.Beyond, NotRun: v.NotRun,
				Diverged: v.Diverged}
			if v.Result != nil {
				row.Runs, _ = v.Result.Averages()
				row.Steps = v.Result.Config.Train.Steps
			}
			panel := slices.Index(protocols, v.Protocol)
			out.Rows[panel] = append(out.Rows[panel], row)
		}
		f.Environments = append(f.Environments, out)
	}
	return f
}
