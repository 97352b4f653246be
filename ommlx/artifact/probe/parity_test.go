package probe

import (
	_ "embed"
	"testing"

	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

//go:embed testdata/parity.py
var parityProgram string

// matrix are the features as rows of numbers.
func matrix(f Features) testkit.Array {
	a := testkit.NewArray(len(f.Labels), f.Dim)
	for i, x := range f.X {
		a.Data[i] = float64(x)
	}
	return a
}

// TestParityPyTorch: a linear probe that starts at the same parameters and sees the same batches ends at those of
// torch.optim.SGD and torch.nn.CrossEntropyLoss, and the votes of neighbours are as often right as they are with
// torch.topk.
func TestParityPyTorch(t *testing.T) {
	const seed = 5
	o := optim.SGD{LearningRate: 0.1, Momentum: 0.9, WeightDecay: 1e-3}
	l := Linear{Classes: 11, Batch: 32, Epochs: 4, Optimiser: o, Smoothing: 0.1}
	training, test := task(21, 300, 400, 16, l.Classes, 0.5)
	p := testkit.Must(l.Problem([]Features{training}, []int64{seed}))
	m := train.Minibatches{Samples: len(training.Labels), Batch: l.Batch}
	var batches [][]int
	for step := range l.Epochs * m.PerEpoch() {
		batches = append(batches, m.Of(seed, step))
	}
	data := func(more map[string]any) map[string]any {
		more["x"], more["labels"] = matrix(training), training.Labels
		more["test"], more["test_labels"] = matrix(test), test.Labels
		return more
	}
	probes := []KNN{{1, 0.07}, {20, 0.07}, {200, 0.07}, {999, 1}}
	var neighbours []any
	for _, k := range probes {
		neighbours = append(neighbours, data(map[string]any{"k": k.K, "temperature": k.Temperature}))
	}
	type answer struct {
		W, B   []float64
		Shares [2]float64
	}
	var reply struct {
		Torch  string
		Linear answer
		KNN    []answer
	}
	testkit.AskTorch(t, parityProgram, map[string]any{"knn": neighbours, "linear": data(map[string]any{
		"w": testkit.FromTensor(p.Params[0]).Run(0), "b": testkit.FromTensor(p.Params[1]).Run(0),
		"batches": batches, "rate": o.LearningRate, "momentum": o.Momentum,
		"decay": o.WeightDecay, "smoothing": l.Smoothing,
	})}, &reply)
	t.Logf("PyTorch %s", reply.Torch)

	got := mustRun(t, l, []Features{training}, []Features{test}, seed)
	assert.InDeltaSlice(t, reply.Linear.W, testkit.Flat(got.Training.Params[0]), 1e-5)
	assert.InDeltaSlice(t, reply.Linear.B, testkit.Flat(got.Training.Params[1]), 1e-5)
	accuracy := got.Accuracy[0][0]
	// One sample of 400 may lie so near to a border that float32 decides otherwise than float64.
	const one = 1.0 / 400
	assert.InDeltaSlice(t, reply.Linear.Shares[:], []float64{accuracy.Top1, accuracy.Top5}, 1.5*one)
	for i, k := range probes {
		accuracy := testkit.Must(k.Score(testkit.Backend(t), training, test))
		if k.K > 1 { // with one neighbour, four of the five answers are classes without a vote, in any order
			assert.InDelta(t, reply.KNN[i].Shares[1], accuracy.Top5, 1.5*one)
		}
		assert.InDelta(t, reply.KNN[i].Shares[0], accuracy.Top1, 1.5*one)
		t.Logf("%+v: %+v, PyTorch %v", k, accuracy, reply.KNN[i].Shares)
	}
}
