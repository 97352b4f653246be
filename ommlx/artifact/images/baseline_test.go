package images

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/train"
)

// A linear probe reads digits from pixels, and hardly from those of digits and negatives, so what is learned is seen.
func TestPixelsTellDigitsButNotNegatives(t *testing.T) {
	b := graphtest.PureGo(t)
	found := map[string]float64{}
	for _, data := range []string{dataset.DigitsName, dataset.NegativesName} {
		e := Quick("omm", Projected).plain(Pixels).With(lab.Seeds(1))
		e.Data, e.Probe.Epochs = data, 10
		require.NoError(t, e.Validate())
		task := testkit.Must(e.Start(b))
		trained := testkit.Must(train.Run(t.Context(), task.Problem, task.Config, train.Options{Backend: b}))
		runs := testkit.Must(task.Judge(t.Context(), trained))
		found[data] = runs[0].Linear.Top1
		require.Greater(t, runs[0].Neighbours.Top1, 0.8, data)
	}
	require.Greater(t, found[dataset.DigitsName], 0.85)
	require.Less(t, found[dataset.NegativesName], 0.4)
}

// Components of the training images have variance 1 and no correlation; those of other images are in the same axes.
func TestComponentsAreWhite(t *testing.T) {
	e, d := Quick("omm", Projected), dataset.Digits()
	training, same := e.inputs(d, d.Train), e.inputs(d, d.Train)
	pixels := training
	require.NoError(t, components(3, pixels, &training, &same))
	require.Equal(t, 3, training.Dim)
	require.Equal(t, training, same)
	column := func(f probe.Features, c int) (x []float64) {
		for i := c; i < len(f.X); i += f.Dim {
			x = append(x, float64(f.X[i]))
		}
		return x
	}
	for c := range 3 {
		require.InDelta(t, 1, stat.Variance(column(training, c), nil), 1e-4)
		require.InDelta(t, 0, stat.Correlation(column(training, c), column(training, (c+1)%3), nil), 1e-4)
	}
}

// A frozen training leaves every parameter as it was drawn, and takes running statistics.
func TestAFrozenNetworkStaysAsItWasDrawn(t *testing.T) {
	e, b := tiny().With(lab.Seeds(1)).frozen(), graphtest.PureGo(t)
	e.Epochs = 2
	d := testkit.Must(e.read())
	p := testkit.Must(e.problem(d))
	before := e.backbone(1).Init(e.Seeds)
	trained := testkit.Must(train.Run(t.Context(), p, e.config(digitsImages), train.Options{Backend: b}))
	for i := range before {
		require.True(t, before[i].InDelta(trained.Params[i], 1e-20), i)
	}
	first := e.backbone(1).InitState(1)
	last := trained.State[len(trained.State)-len(first):]
	require.False(t, first[0].InDelta(last[0], 1e-6))
}

// The note says of each norm what follows from the interval of its difference from norm 1.
func TestTheNoteComparesNormsByIntervals(t *testing.T) {
	row := func(n Norm, alive float64, accuracies ...float64) Tab1Row {
		r := &Result{Config: Experiment{Method: "omm", Norm: n}}
		for _, a := range accuracies {
			r.Runs = append(r.Runs, Run{Linear: probe.Accuracy{Top1: a}})
		}
		return Tab1Row{Method: "omm", Encoding: Projected, Result: r, Alive: &alive}
	}
	text := ofNorms([]Tab1Row{row(Unit, 4, 0.5, 0.51, 0.52), row(Root, 20, 0.45, 0.5, 0.6),
		row(Free, 30, 0.7, 0.71, 0.72)})
	require.Contains(t, text, "to norm √k the linear probe changes by +0.7 ±")
	require.Contains(t, text, "which tells no difference, and modes alive from 4.0 to 20.0")
	require.Contains(t, text, "to norm free the linear probe changes by +20.0 ±")
	require.Contains(t, text, "which is a gain, and modes alive from 4.0 to 30.0")
}
