package artifact

import (
	"context"
	"fmt"
	"math"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/gridworld"
)

// spectrumModes is how many eigenvalues figure 1 draws, and the k of its experiments.
const spectrumModes = 11

// hardGap is the smallest gap between eigenvalues among the top 11 below which an environment counts as hard.
// It gives the paper's set, GridMaze-26 and -32 and GridRoom-32 and -64 (caption of its figure 1); the next
// one, GridMaze-19, has 1.1·10⁻⁴.
const hardGap = 1e-4

// fig1Bar is one method of figure 1.
type fig1Bar struct {
	label       string
	method      string
	expectation Expectation
	beyond      bool // not in the paper
	paperRuns   int  // "four random runs", "ALLO with 10 runs" (Section 3.1)
}

func fig1Bars() []fig1Bar {
	return []fig1Bar{
		{"OMM-seq", "omm_seq", Minibatch, false, 4},
		{"OMM-joint", "omm_jnt", Minibatch, false, 4},
		{"ALLO", "allo", Minibatch, false, 10},
		{"OMM-seq, all pairs", "omm_seq", AllPairs, true, 4},
	}
}

// fewStates is the size up to which the quick profile does all of the paper's runs.
const fewStates = 13

// quickSteps gives the steps of one run of the quick profile, chosen so that all of figure 1 takes at most ten
// minutes on two cores; the more states, the dearer a step and the fewer of them.
func quickSteps(states int) int {
	switch {
	case states <= 161:
		return 4_000
	case states <= 300:
		return 2_500
	case states <= 600:
		return 1_600
	}
	return 1_000
}

// fig1Experiment returns the experiment behind one bar, and false where the profile leaves it out.
func fig1Experiment(p Profile, g *gridworld.Grid, bar fig1Bar) (Laplacian, bool) {
	l := PaperLaplacian(g.Name, bar.method, spectrumModes, bar.paperRuns)
	l.Expectation, l.Generated = bar.expectation, g.Generated
	switch p {
	case Quick:
		if g.N() > fewStates {
			l.Seeds = seeds(1)
		}
		l = l.withSteps(quickSteps(g.N()))
	case Smoke:
		l.Seeds, l.Transitions, l.Batch, l.Hidden = seeds(2), 2_000, 64, []int{32, 32, 32}
		l = l.withSteps(40)
		return l, g.Name == "GridMaze-7" || g.Name == "GridRoom-4"
	}
	return l, true
}

// Fig1Data is figures/fig1_laplacian_rl.json: every number that figure 1 draws.
type Fig1Data struct {
	Figure       string            `json:"figure"`
	Paper        string            `json:"paper"`
	Note         string            `json:"note"`
	Provenance   Provenance        `json:"provenance"`
	Environments []Fig1Environment `json:"environments"`
}

// Fig1Environment is one environment of figure 1.
type Fig1Environment struct {
	Name       string    `json:"name"`
	States     int       `json:"states"`
	Generated  bool      `json:"generated"`  // our own maze in the place of the official one
	Components int       `json:"components"` // connected parts; more than 1 makes eigenvalue 0 degenerate
	Spectrum   []float64 `json:"spectrum"`   // the smallest eigenvalues of I − P, ascending
	Gap        float64   `json:"gap"`        // the smallest between them, degenerate ones apart
	Hard       bool      `json:"hard"`
	// Negative counts the modes among the top 11 whose eigenvalue in the decomposed operator is negative: OMM
	// drives them to zero instead of learning them, so that their score says nothing.
	Negative int         `json:"negative"`
	Bars     []Fig1Value `json:"bars"`
}

// Fig1Value is one bar: mean and sample standard deviation over the runs that did not diverge.
type Fig1Value struct {
	Label    string           `json:"label"`
	Beyond   bool             `json:"beyond_the_paper,omitempty"`
	NotRun   bool             `json:"not_run,omitempty"`
	Mean     *float64         `json:"mean,omitempty"`
	Std      *float64         `json:"std,omitempty"`
	Diverged int              `json:"diverged,omitempty"`
	Result   *LaplacianResult `json:"result,omitempty"`
}

func fig1(ctx context.Context, lab *Lab) error {
	data := Fig1Data{
		Figure: "fig1_laplacian_rl",
		Paper:  "Figure 1, Section 3.1 and C.1. The paper prints no numbers for its bars.",
		Note:   lab.Profile.describe() + " " + Reproduces.describe(),
	}
	var list []Laplacian
	type place struct{ environment, bar int }
	var places []place
	for i, name := range gridworld.Names() {
		lab.say("spectrum of %s", name)
		w, err := gridworld.LoadWorld(name)
		if err != nil {
			return err
		}
		env := Fig1Environment{Name: name, States: w.Grid.N(), Generated: w.Grid.Generated,
			Components: w.Grid.Components(), Gap: w.Truth.GapAtTop(spectrumModes)}
		env.Hard = env.Gap < hardGap
		for _, mu := range w.Truth.Values[:spectrumModes] {
			lambda, err := gridworld.GeometricEigenvalue(mu, Reproduces.Gamma, episodeLength)
			if err != nil {
				return err
			}
			if lambda+Reproduces.Shift < 0 {
				env.Negative++
			}
			env.Spectrum = append(env.Spectrum, math.Max(0, 1-mu)) // rounding leaves ±1e-16 for 0
		}
		for b, bar := range fig1Bars() {
			l, run := fig1Experiment(lab.Profile, w.Grid, bar)
			env.Bars = append(env.Bars, Fig1Value{Label: bar.label, Beyond: bar.beyond, NotRun: !run})
			if run {
				list, places = append(list, l), append(places, place{i, b})
			}
		}
		data.Environments = append(data.Environments, env)
		if env.Negative > 0 {
			data.Note += fmt.Sprintf(" %s has %d negative among the 11 eigenvalues, which OMM cannot learn without a shift.", name, env.Negative)
		}
	}
	results, err := lab.TrainAll(ctx, list)
	if err != nil {
		return err
	}
	seconds := 0.0
	for i, r := range results {
		bar := &data.Environments[places[i].environment].Bars[places[i].bar]
		if err := bar.fill(r); err != nil {
			return err
		}
		seconds += r.Provenance.Seconds
	}
	if data.Provenance, err = lab.provenance(seconds); err != nil {
		return err
	}
	return lab.figure("fig1_laplacian_rl", data, data.drawing())
}

func (v *Fig1Value) fill(r *LaplacianResult) error {
	finished, diverged := r.Averages()
	v.Result, v.Diverged = r, diverged
	if len(finished) == 0 {
		return nil
	}
	mean, std, err := draw.MeanStd(finished)
	if err != nil {
		return fmt.Errorf("bar %s: %w", v.Label, err)
	}
	v.Mean = &mean
	if len(finished) > 1 {
		v.Std = &std
	}
	return nil
}

func (d Fig1Data) drawing() draw.Fig1 {
	f := draw.Fig1{Note: d.Note}
	for _, e := range d.Environments {
		out := draw.Fig1Environment{Name: e.Name, Generated: e.Generated, Hard: e.Hard, Spectrum: e.Spectrum}
		for _, v := range e.Bars {
			bar := draw.Fig1Bar{Method: v.Label, Beyond: v.Beyond, NotRun: v.NotRun, Diverged: v.Diverged}
			if v.Result != nil {
				bar.Runs, _ = v.Result.Averages()
				bar.Steps = v.Result.Config.Train.Steps
			}
			out.Bars = append(out.Bars, bar)
		}
		f.Environments = append(f.Environments, out)
	}
	return f
}
