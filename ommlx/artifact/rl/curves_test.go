package rl

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/artifact/report"
	"operator-omm/ommlx/train"
)

// handMade is a bar with a result of 1,000 steps whose runs have these values, evaluated every 500 steps from 0 on.
// A run with a value that is not finite has diverged.
func handMade(runs ...[]float64) (fig1Bar, *Result) {
	r := of(Experiment{Environment: "E"}.WithSteps(1_000), make([]float64, len(runs))...)
	var histories [][]train.Point
	for i, values := range runs {
		var history []train.Point
		for at, v := range values {
			if math.IsNaN(v) {
				r.Runs[i].Diverged = 500 * at
				break
			}
			history = append(history, train.Point{Step: 500 * at, Value: train.PerRun{v}})
		}
		histories = append(histories, history)
	}
	r.History = lab.JoinHistories(histories)
	return fig1Bar{fig1Methods()[0], r.Config, true}, r
}

func TestACurveIsTheMeanOverTheRuns(t *testing.T) {
	c := newCurve(handMade([]float64{0.1, 0.4, 0.6}, []float64{0.3, 0.6, 0.6}))
	require.Equal(t, 2, c.Runs)
	require.Empty(t, c.Blank)
	require.Len(t, c.Points, 3)
	for i, want := range []float64{0.2, 0.5, 0.6} {
		require.Equal(t, 500*i, c.Points[i].Step)
		require.InDelta(t, want, c.Points[i].Mean, 1e-15)
	}
	require.InDelta(t, 0.2/math.Sqrt2, *c.Points[1].Std, 1e-15, "the sample deviation of 0.4 and 0.6")

	single := newCurve(handMade([]float64{0.1, 0.4, 0.6}))
	require.Len(t, single.Points, 3)
	require.Nil(t, single.Points[2].Std)
}

func TestACurveLeavesDivergedRunsOut(t *testing.T) {
	with := newCurve(handMade([]float64{0.1, 0.4, 0.6}, []float64{0.9, math.NaN()}, []float64{0.3, 0.6, 0.6}))
	without := newCurve(handMade([]float64{0.1, 0.4, 0.6}, []float64{0.3, 0.6, 0.6}))
	require.Equal(t, 1, with.Diverged)
	require.Equal(t, without.Points, with.Points, "also before it diverged")

	all := newCurve(handMade([]float64{0.9, math.NaN()}, []float64{0.8, 0.7, math.NaN()}))
	want := Curve{Method: labelSequential, Diverged: 2, Points: []CurvePoint{}, Blank: allLost}
	require.Equal(t, want, all)
}

// A run whose history is shorter than those of others ends the curve: a mean over the rest would be another one.
func TestACurveEndsWithItsShortestHistory(t *testing.T) {
	c := newCurve(handMade([]float64{0.1, 0.4, 0.6}, []float64{0.3, 0.6}))
	require.Len(t, c.Points, 2)
	bar, r := handMade([]float64{0.1, 0.4, 0.6}, []float64{0.3, 0.6, 0.6})
	r.History[1].Value = r.History[1].Value[:1] // damaged
	require.Len(t, newCurve(bar, r).Points, 2)
	r.History = nil
	require.Equal(t, noHistory, newCurve(bar, r).Blank)
}

func TestACurveOfNoRunSaysSo(t *testing.T) {
	bar, _ := handMade([]float64{0})
	require.Equal(t, notRunYet, newCurve(bar, nil).Blank)
	bar.run = false
	require.Equal(t, leftOut, newCurve(bar, nil).Blank)
}

func TestAPanelSaysWhatItLacks(t *testing.T) {
	there := Curve{Method: "a", Runs: 1, Points: []CurvePoint{{Step: 50, Mean: 0.5}}}
	missing, diverged := Curve{Method: "b", Blank: notRunYet}, Curve{Method: "c", Blank: allLost}
	env := CurvesEnvironment{Name: "E", Steps: 100, Curves: []Curve{there, missing, diverged}}
	require.Equal(t, []string{"b not run yet", "c diverged"}, env.panel(false).Remarks)
	require.InDelta(t, 100, env.panel(false).XMax, 0, "the whole training, also where a curve ends before")
	require.Equal(t, []string{"a without a time", "b not run yet", "c diverged"}, env.panel(true).Remarks)
	env.Curves = []Curve{missing, missing}
	require.Equal(t, []string{notRunYet}, env.panel(false).Remarks)
}

func TestTheNotesOfTheCurvesTellWhatIsLeftOut(t *testing.T) {
	d := CurvesData{Timed: lab.Provenance{Device: "EPYC", Cores: 2}, Environments: []CurvesEnvironment{
		{Name: "E", Curves: []Curve{{Method: labelALLO, Runs: 7, Diverged: 3}}},
		{Name: "F", Curves: []Curve{{Method: labelALLO, Runs: 4}}},
	}}
	steps, seconds := d.notes("About.")
	for _, note := range []string{steps, seconds} {
		require.Regexp(t, `^About\. `, note)
		require.Contains(t, note, "Diverged runs, left out: ALLO on E 3 of 10.")
	}
	require.Contains(t, seconds, "the methods taking turns, on EPYC, 2 cores.")
}

// readCurves reads what the figure wrote under the smoke profile.
func readCurves(t *testing.T, l *lab.Lab) (d CurvesData) {
	text, err := os.ReadFile(filepath.Join(l.Root, ".omm", "smoke", Curves().File(lab.Quick)))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &d))
	return d
}

// Every job of the figure is one of figure 1, whose other jobs go beyond the paper.
func TestTheLearningCurvesTakeNoTrainingOfTheirOwn(t *testing.T) {
	for _, p := range lab.Profiles() {
		jobs, err := Figure1().Jobs(p)
		require.NoError(t, err)
		var paper []string
		for _, j := range jobs {
			if !strings.Contains(j.Label, string(AllPairs)) {
				paper = append(paper, j.Key)
			}
		}
		jobs, err = Curves().Jobs(p)
		require.NoError(t, err)
		var curves []string
		for _, j := range jobs {
			curves = append(curves, j.Key)
		}
		require.NotEmpty(t, curves)
		require.Equal(t, paper, curves)
	}
}

// A smoke run writes every file. The curves end at the results, and the notes tell no more than there is.
func TestTheLearningCurvesAndFiguresOfASmokeRun(t *testing.T) {
	ctx := context.Background()
	place, out := newTestLab(t)
	plan, err := curvesPlan(lab.Smoke)
	require.NoError(t, err)
	one := experimentsOf(plan)[0]
	_, err = lab.Run(ctx, place, one.with(one.Seeds[0]))
	require.NoError(t, err)
	kept := &lab.Lab{Root: place.Root, Profile: lab.Smoke, KeptOnly: true}
	require.NoError(t, report.Make(ctx, kept, []report.Entry{Curves()}))
	part := readCurves(t, place)
	require.Contains(t, part.Note, "Here: 1 run(s) of 40 steps. Not run yet: 5 of 6.")
	require.Contains(t, part.Note, "OMM-seq and ALLO have no environment yet in which both were run to the end")
	require.Empty(t, part.Environments[0].Duels)
	require.Equal(t, notRunYet, part.Environments[0].curve(labelALLO).Blank)

	require.NoError(t, report.Make(ctx, place, []report.Entry{Curves()}))
	base := filepath.Join(place.Root, ".omm", "smoke", "figures", "fig_learning_curves")
	for _, ending := range []string{".png", ".svg", ".pdf", ".json", "_seconds.png", "_seconds.svg", "_seconds.pdf"} {
		require.FileExists(t, base+ending)
	}
	require.Contains(t, out.String(), base+".{png,svg,pdf,json}\n")
	require.Contains(t, out.String(), base+"_seconds.{png,svg,pdf}\n")

	d := readCurves(t, place)
	for _, note := range []string{d.Note, d.SecondsNote} {
		require.Contains(t, note, "the numbers mean nothing")
		require.Contains(t, note, "Here: 2 run(s) of 40 steps.")
		require.NotContains(t, note, "yet")
		require.NotContains(t, note, "iverged")
	}
	require.Contains(t, d.Note, d.Records[0].String())
	results, err := lab.Need[*Result](place, experimentsOf(plan))
	require.NoError(t, err)
	for i, r := range perBar(plan, results) {
		env := d.Environments[i/3]
		c := env.Curves[i%3]
		if r == nil {
			require.Equal(t, leftOut, c.Blank)
			continue
		}
		require.Equal(t, plan[i].label, c.Method)
		last := c.Points[len(c.Points)-1]
		require.Equal(t, env.Steps, last.Step)
		require.InDelta(t, r.spread().Mean, last.Mean, 1e-12)
		require.InDelta(t, r.spread().Std, *last.Std, 1e-12)
		require.Nil(t, c.SecondsPerStep, "a smoke run's step is not the paper's")
	}
	for _, r := range d.Records {
		require.Equal(t, 2, r.End.all(), "of the two environments of the profile")
	}
	figuresAreWritten(t, place, out)
}

// The notes of figure 1 and of the curves have no letter that a PDF cannot show.
func TestTheReadingCanBeDrawn(t *testing.T) {
	f := draw.Fig1{Note: fig1Note(lab.Paper, nil), Panels: []string{"the printed protocol"}}
	f.Environments = []draw.Fig1Environment{{Name: "E", Spectrum: []float64{0, 1},
		Rows: [][]draw.Fig1Row{{{Method: labelALLO, NotRun: true}}}}}
	fig, err := f.Figure()
	require.NoError(t, err)
	_, err = draw.PDF(fig)
	require.NoError(t, err)
}
