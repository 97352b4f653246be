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

// The labels of figure 1's rows, which claims name.
const (
	labelSequential  = "OMM-seq"
	labelJoint       = "OMM-joint"
	labelALLO        = "ALLO"
	labelDifferences = "OMM-seq, differences"
)

// fig1Variants lists the rows. The paper has "four random runs" and "ALLO with 10 runs" (section 3.1).
func fig1Variants() []variant {
	allPairs := func(e Experiment) Experiment { return e.Expecting(AllPairs) }
	return []variant{
		{labelSequential, PublicProtocol, false, 4, byMay("omm_seq"), ""},
		{labelJoint, PublicProtocol, false, 4, byMay("omm_jnt"), ""},
		{labelALLO, PublicProtocol, false, 4, byMay("allo"), ""},
		{labelSequential, PrintedProtocol, false, 4, byText("omm_seq", spectrumModes, asItIs), ""},
		{labelJoint, PrintedProtocol, false, 4, byText("omm_jnt", spectrumModes, asItIs), ""},
		{labelALLO, PrintedProtocol, false, 10, byText("allo", spectrumModes, asItIs), ""},
		{labelDifferences, PrintedProtocol, true, 4, byDifferences(spectrumModes, 0, TextWeights), ""},
		{"OMM-seq, all pairs", PrintedProtocol, true, 4, byText("omm_seq", spectrumModes, allPairs), ""},
	}
}

// Figure1 is the average cosine similarity in the twelve environments.
func Figure1() report.Entry {
	return entry(report.Entry{Kind: report.Figure, Name: "fig1_laplacian_rl", Short: "fig1",
		About: "average cosine similarity per environment, and the top-11 spectra",
		Look: "How the methods fall behind where eigenvalues in the spectrum on the right lie close together, " +
			"and whether our filled marks lie in the open ones of the public code."}, fig1Plan, fig1Report)
}

// The quick profile has fewRuns runs in environments of up to fewStates states, and one in the others.
const fewStates, fewRuns = 13, 2

// smokeEnvironments has the one environment of the smoke profile for each protocol.
var smokeEnvironments = map[Protocol]string{PublicProtocol: "GridMaze-7", PrintedProtocol: "GridRoom-4"}

// fig1Plan returns the rows, environment after environment. The quick profile, a first run, has those of the paper by
// the protocol of the public code.
func fig1Plan(p lab.Profile) (rows []row) {
	for _, name := range gridworld.Names() {
		runs := 1
		if states(name) <= fewStates {
			runs = fewRuns
		}
		for _, v := range fig1Variants() {
			if p == lab.Quick && (v.protocol != PublicProtocol || v.beyond) {
				continue
			}
			e := v.in(name, v.runs).under(p, runs, quickSteps(name), smokeRuns)
			rows = append(rows, row{v, e, p != lab.Smoke || name == smokeEnvironments[v.protocol]})
		}
	}
	return rows
}

// fig1Note says which profile the results are of.
func (s shown) fig1Note(p lab.Profile) string {
	return s.note(p, "4 runs OMM, 10 runs ALLO") + dataNote
}

func fig1Report(l *lab.Lab, s shown) error {
	data := Fig1Data{FigureHead: report.FigureHead{Figure: Figure1().Name, Note: s.fig1Note(l.Profile),
		Paper:      "Figure 1, Section 3.1 and C.1. The paper prints no numbers for its bars.",
		Provenance: s.origin}}
	for i, r := range s.rows {
		name := r.experiment.Environment
		if i == 0 || data.Environments[len(data.Environments)-1].Name != name {
			env, err := newFig1Environment(l.Profile, name)
			if err != nil {
				return err
			}
			data.Environments = append(data.Environments, env)
			if env.Negative > 0 {
				data.Note += fmt.Sprintf(" %s has %d negative among the 11 eigenvalues, "+
					"which OMM cannot learn without a shift.", name, env.Negative)
			}
		}
		env := &data.Environments[len(data.Environments)-1]
		env.Bars = append(env.Bars, newFig1Value(r, s.results[i]))
		if v := env.Bars[len(env.Bars)-1]; v.Diverged > 0 {
			data.Note += fmt.Sprintf(" Left out, since they diverged: %d of %s of %s on %s.", v.Diverged,
				report.Runs(len(v.Result.Runs)), v.name(), name)
		}
	}
	data.Note += fmt.Sprintf(" Right: the %d smallest eigenvalues of each environment, the first at the top; 0 stands "+
		"apart; × where it is hard.", spectrumModes)
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
		lambda, err := gridworld.GeometricEigenvalue(mu, ChosenReading.Gamma, episodeLength)
		if err != nil {
			return env, err
		}
		if lambda+ChosenReading.Shift < 0 {
			env.Negative++
		}
		env.Spectrum = append(env.Spectrum, math.Max(0, 1-mu)) // rounding leaves ±1e-16 for 0
	}
	return env, nil
}

func (d Fig1Data) drawing() draw.Fig1 {
	f := draw.Fig1{Note: report.Stamp(d.Note)}
	protocols := d.protocols()
	for _, p := range protocols {
		f.Panels = append(f.Panels, "the "+string(p)+"'s protocol")
	}
	for _, e := range d.Environments {
		out := draw.Fig1Environment{Name: e.Name, Generated: e.Generated, Hard: e.Hard, Spectrum: e.Spectrum,
			Rows: make([][]draw.Fig1Row, len(protocols))}
		for _, v := range e.Bars {
			row := draw.Fig1Row{Method: v.Label, Reference: v.Theirs, Beyond: v.Beyond, Diverged: v.Diverged}
			if v.Result != nil {
				row.Runs = averages(v.Result)
			}
			panel := slices.Index(protocols, v.Protocol)
			out.Rows[panel] = append(out.Rows[panel], row)
		}
		f.Environments = append(f.Environments, out)
	}
	return f
}
