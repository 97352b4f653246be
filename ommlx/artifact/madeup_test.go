package artifact_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// madeUp is a complete experiment in one file: each run moves a number from its seed to Target.
type madeUp struct {
	Target float64      `json:"target"`
	Train  run.Training `json:"train"`
	Seeds  []int64      `json:"seeds"`
}

func newMadeUp(steps int) madeUp {
	return madeUp{Target: 3, Seeds: run.Seeds(2),
		Train: run.Training{Steps: steps, Adam: optim.Adam{LearningRate: 0.1}, EvalEvery: 10}}
}

func (e madeUp) Validate() error { return e.Train.Config().Validate() }

func (e madeUp) Label() string { return fmt.Sprintf("made up, target %g", e.Target) }
func (e madeUp) Cost() run.Cost { // a second for one seed; less per seed for several
	return run.Cost{Seconds: float64(1+len(e.Seeds)) / 2, Memory: 1 << 28}
}

func (e madeUp) Start(compute.Backend) (run.Prepared, error) {
	starts := make([]float32, len(e.Seeds))
	for i, s := range e.Seeds {
		starts[i] = float32(s)
	}
	return run.Prepared{
		Problem: train.Problem{
			Seeds:  e.Seeds,
			Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(starts, len(starts), 1)},
			Loss: func(in train.Inputs) (*Node, []*Node) {
				return ReduceSum(Square(AddScalar(in.Params[0], -e.Target)), -1), nil
			},
		},
		Config: e.Train.Config(),
		Runs:   run.Encoded(e.Runs),
		Eval:   e.Score,
		Close:  func() {},
	}, nil
}

func (e madeUp) Score(now train.Snapshot) ([]float64, error) { return values(now), e.note(now.Step) }

func (e madeUp) Runs(_ context.Context, trained *train.Result) (runs []value, err error) {
	for i, v := range values(trained.Snapshot) {
		runs = append(runs, value{e.Seeds[i], v})
	}
	return runs, nil
}

func (e madeUp) RunSeeds() []int64                 { return e.Seeds }
func (e madeUp) NewRun() run.Evaluated             { return new(value) }
func (e madeUp) With(seeds []int64) run.Experiment { return e.with(seeds...) }
func (e madeUp) with(seeds ...int64) madeUp {
	e.Seeds = seeds
	return e
}

func values(now train.Snapshot) (all []float64) {
	for _, v := range tensors.MustCopyFlatData[float32](now.Params[0]) {
		all = append(all, float64(v))
	}
	return all
}

// found is the result of a madeUp, and value one run.
type (
	found = run.Decoded[madeUp, value]
	value struct {
		Seed  int64   `json:"seed"`
		Found float64 `json:"found"`
	}
)

func (v value) Summary() run.Summary {
	return run.Summary{Seed: v.Seed, Text: fmt.Sprint(v.Found), Score: v.Found}
}

// foundBy returns the numbers that the runs of a result found.
func foundBy(f *found) (all []float64) {
	for _, run := range f.Runs {
		all = append(all, run.Found)
	}
	return all
}

// trained returns the result of an experiment, and trains it if necessary.
func trained(t *testing.T, l *run.Lab, e madeUp) *found {
	t.Helper()
	return papertest.Trained[madeUp, value](t, l, e)
}

// loaded returns the kept result of an experiment, and the seeds without one.
func loaded(t *testing.T, l *run.Lab, e madeUp) (*found, []int64) {
	t.Helper()
	r, missing := testkit.Must2(run.Load(l, e))
	return testkit.Must(run.Decode[madeUp, value]([]*run.Result{r}))[0], missing
}

// exhibit returns a table with the number of runs of each experiment.
func exhibit(list ...run.Experiment) report.Exhibit {
	return report.Exhibit{Kind: report.Table, Name: "tab9_made_up", ShortName: "tab9", Description: "a made-up table",
		Experiments: func(run.Profile) []run.Experiment { return list }, Draw: drawMadeUps}
}

func drawMadeUps(k report.Kept) (report.Content, error) {
	text := report.Text{Title: "Made up", Header: []string{"Runs"}}
	for _, r := range k.Results {
		runs := 0
		if r != nil {
			runs = len(r.Runs)
		}
		text.Rows = append(text.Rows, []string{fmt.Sprint(runs, " runs")})
	}
	return report.Content{Data: k.Head, Text: text}, nil
}

// TestExperimentInOneFile: the code above is all that a new experiment needs to be planned, run, interrupted, resumed,
// kept and reported.
func TestExperimentInOneFile(t *testing.T) {
	e := newMadeUp(2_000)
	l, exhibits := &run.Lab{Root: t.TempDir(), Profile: run.Quick, PureGo: true}, []report.Exhibit{exhibit(e)}
	open := func() int { return len(testkit.Must(l.Open(report.Planned(l.Profile, exhibits...)))) }
	require.Equal(t, 2, open())
	stopped, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, report.Make(stopped, l, exhibits), train.ErrInterrupted)
	require.NoError(t, report.Make(t.Context(), l, exhibits))
	require.Zero(t, open())
	table := testkit.Must(os.ReadFile(filepath.Join(l.Root, "tables", "quick", "tab9_made_up.md")))
	require.Contains(t, string(table), "| 2 runs |")
	kept, _ := loaded(t, l, e)
	require.InDeltaSlice(t, []float64{3, 3}, foundBy(kept), 1e-4)
}
