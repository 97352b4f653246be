package images

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

func TestPaperProtocol(t *testing.T) {
	for encoding, sizes := range map[Encoding][2]int{Projected: {256, 2_048}, Top: {64, 0}} {
		e := Paper("omm", encoding, 1)
		assert.Equal(t, sizes, [2]int{e.K, e.Hidden})
		assert.Equal(t, 512, e.backbone().Features())
		assert.Equal(t, [2]int{256, 1_000}, [2]int{e.Batch, e.Epochs})
		assert.InDelta(t, 0.3, e.LARS.LearningRate, 0)
		assert.Zero(t, e.LARS.WeightDecay)
		assert.Equal(t, optim.Cosine, e.LARS.Schedule.Decay)
		assert.Equal(t, 195_000, e.config(50_000).Steps, "195 whole batches in each epoch")
		assert.Equal(t, 195_000, e.LARS.Schedule.Steps)
		assert.Equal(t, 1_950, e.LARS.Schedule.Warmup)
		assert.Equal(t, [2]int{256, 100}, [2]int{e.Probe.Batch, e.Probe.Epochs})
		assert.InDelta(t, 0.1, e.Probe.SGD.LearningRate, 0)
		assert.Equal(t, Unit, e.Norm)
		assert.True(t, e.atPaperScale())
		assert.False(t, Quick("omm", encoding).atPaperScale())
	}
}

func TestSimCLRHasBothProjectors(t *testing.T) {
	hidden := map[bool]int{}
	for _, r := range rows(run.Paper) {
		if r.Method == "simclr" {
			e := r.experiment(run.Paper)
			params, _ := representation.Encoder{Backbone: e.encoder().Projector}.Init([]int64{1})
			hidden[e.SoloLearn] = len(params)
		}
	}
	require.Equal(t, map[bool]int{false: 2*4 + 2, true: 2 + 2}, hidden, "matrices, biases and normalisation")
}

// The printed numbers appear in the paper in the same order, each half of the table in its own columns.
func TestRowsHaveThePrintedNumbers(t *testing.T) {
	var ours [][]float64
	for _, r := range rows(run.Paper) {
		switch {
		case r.PaperTop1 == nil:
		case r.Encoding == Projected:
			ours = append(ours, []float64{*r.PaperTop1, *r.PaperTop5})
		default: // rows without the projector are a prefix of those with it
			at := slices.IndexFunc(rows(run.Paper), func(with Tab1Row) bool { return with.Label == r.Label })
			ours[at] = append(ours[at], *r.PaperTop1, *r.PaperTop5)
		}
	}
	assert.Equal(t, testkit.PaperNumbers(t, `DirectCLR (top-64 dim.)`), ours)
}

func TestValidateNamesTheField(t *testing.T) {
	for field, change := range map[string]func(e *Experiment){
		"nosuch": func(e *Experiment) { e.Method = "nosuch" }, "norm": func(e *Experiment) { e.Norm = "2" },
		"allo": func(e *Experiment) { e.Method = "allo" },
		"data": func(e *Experiment) { e.Data = "mnist" }, "batch": func(e *Experiment) { e.Batch = 1 },
		"epochs": func(e *Experiment) { e.Epochs = 0 }, "width": func(e *Experiment) { e.Width = 0 },
		"k is 0": func(e *Experiment) { e.K = 0 }, "encoding": func(e *Experiment) { e.Encoding = "middle" },
		"k is 65":     func(e *Experiment) { e.Encoding, e.K = Top, 65 },
		"LARS":        func(e *Experiment) { e.LARS.LearningRate = -1 },
		"SGD":         func(e *Experiment) { e.Probe.SGD.LearningRate = -1 },
		"recipe.mean": func(e *Experiment) { e.Recipe.Mean, e.Recipe.Std = []float64{0.5}, []float64{0.3} },
		"hidden":      func(e *Experiment) { e.Hidden = 0 },
	} {
		e := Quick("omm", Projected)
		require.NoError(t, e.Validate())
		change(&e)
		assert.ErrorContains(t, e.Validate(), field)
	}
}

func TestBatchLargerThanData(t *testing.T) {
	e := Quick("omm", Projected)
	_, err := e.problem(&Set{Train: Images{Labels: make([]int, 50)}})
	require.ErrorContains(t, err, "50 training images")
	require.ErrorContains(t, err, "64")
}

func TestMissingData(t *testing.T) {
	t.Setenv(run.DataVariable, t.TempDir())
	t.Setenv("OMM_CACHE", t.TempDir())
	_, err := Paper("omm", Projected, 1).read()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "omm data get cifar100")
}
