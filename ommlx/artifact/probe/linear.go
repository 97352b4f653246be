package probe

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Linear is linear evaluation: a linear classifier on frozen features, trained on the cross-entropy of its softmax,
//
//	min over W, b of the mean over samples of −log softmax(W x + b)_y,
//
// by minibatches without replacement ([train.Minibatches]). The defaults are the paper's for images (Section C.3: SGD
// at rate 0.1, batch 256, 100 epochs; on graphs the rate is 0.01 with weight decay 1e-3).
//
// The paper builds on two code bases, which settle what its text leaves open. solo-learn (commit 9187ea3) has momentum
// 0.9 (solo/args/linear.py) and, in every configuration of linear evaluation (scripts/linear, which has none for
// CIFAR), a tenth of the rate from epochs 60 and 80 on; this is the default optimiser. Neural Eigenmaps (commit
// bc3bb6c, graph/main_products.py, README.md) has momentum 0.9, no weight decay on b, 10 epochs of warm-up, a cosine
// whose rate changes once in an epoch, and label smoothing 0.1, and reports the epoch that is best on the validation
// set. Both drop the last, incomplete batch of an epoch.
//
// One difference is deliberate: features are computed once from unchanged images, whereas solo-learn's classifier is
// trained on new random crops and reflections in each epoch (RandomResizedCrop with scale 0.08 to 1). So training a
// probe needs no pass of the network, and training and test features have the same distribution.
type Linear struct {
	Classes int // C
	Batch   int // 256 when zero
	Epochs  int // 100 when zero
	// Optimiser nil is SGD at rate 0.1 with momentum 0.9 and a tenth of the rate after 3/5 and after 4/5 of the steps.
	Optimiser optim.Optimiser
	// Smoothing ε mixes the labels with the uniform distribution, (1−ε) 1[c=y] + ε/C (Szegedy et al. 2016).
	Smoothing float64
}

func (l Linear) withDefaults() Linear {
	l.Batch, l.Epochs = cmp.Or(l.Batch, 256), cmp.Or(l.Epochs, 100)
	return l
}

// Validate returns an error that names the field that is out of range.
func (l Linear) Validate() error {
	l = l.withDefaults()
	if l.Classes < 2 || l.Batch < 1 || l.Epochs < 1 || !(l.Smoothing >= 0 && l.Smoothing < 1) {
		return fmt.Errorf("probe: classes %d, batch %d, epochs %d, smoothing %g; want at least 2, 1, 1, and [0, 1)",
			l.Classes, l.Batch, l.Epochs, l.Smoothing)
	}
	if l.Optimiser == nil {
		return nil
	}
	return l.Optimiser.Validate()
}

// Problem is the training of a classifier for each of P sets of features and each of S seeds, as R = P·S runs, set by
// set. All sets have the same shape. Runs with the same seed start with the same classifier and see the samples in the
// same order.
//
// The parameters are W [R, C, d] and b [R, C], initialised as PyTorch's Linear: uniform in ±1/√d. It returns an error
// if sets do not fit, or if a batch has more samples than a set.
func (l Linear) Problem(training []Features, seeds []int64) (train.Problem, error) {
	if err := check(training, l.Classes); err != nil {
		return train.Problem{}, err
	}
	samples, dim := len(training[0].Labels), training[0].Dim
	batches := train.Minibatches{Samples: samples, Batch: l.withDefaults().Batch}
	if err := batches.Validate(); err != nil {
		return train.Problem{}, fmt.Errorf("probe: %w", err)
	}
	labels := make([]int32, 0, len(training)*samples)
	for _, f := range training {
		for _, label := range f.Labels {
			labels = append(labels, int32(label))
		}
	}
	runs := slices.Repeat(seeds, len(training))
	return train.Problem{
		Seeds:  runs,
		Params: l.init(dim, runs),
		State:  batches.Start(runs),
		Data: []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(stacked(training, 0, samples), len(training)*samples, dim),
			tensors.FromFlatDataAndDimensions(labels, len(labels)),
		},
		Loss: l.loss(batches, runs, len(seeds)),
	}, nil
}

// Config is the configuration of Problem for a number of samples, with a point of the history after each epoch.
func (l Linear) Config(samples int) train.Config {
	l = l.withDefaults()
	perEpoch := train.Minibatches{Samples: samples, Batch: l.Batch}.PerEpoch()
	steps := l.Epochs * perEpoch
	if l.Optimiser == nil {
		sgd := optim.SGD{LearningRate: 0.1, Momentum: 0.9}
		if first, second := 3*steps/5, 4*steps/5; 0 < first && first < second {
			sgd.Schedule = optim.Schedule{Decay: optim.Tenths, Milestones: []int{first, second}}
		}
		l.Optimiser = sgd
	}
	return train.Config{Steps: steps, Optimiser: l.Optimiser, EvalEvery: perEpoch}
}

// init draws W and b of each run, which depend only on its seed.
func (l Linear) init(dim int, seeds []int64) []*tensors.Tensor {
	bound := 1 / math.Sqrt(float64(dim))
	var w, b []float32
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 0x11ea4)) // second word: a separate stream
		draw := func(n int) (flat []float32) {
			for range n {
				flat = append(flat, float32(bound*(2*rng.Float64()-1)))
			}
			return flat
		}
		w, b = append(w, draw(l.Classes*dim)...), append(b, draw(l.Classes)...)
	}
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(w, len(seeds), l.Classes, dim),
		tensors.FromFlatDataAndDimensions(b, len(seeds), l.Classes),
	}
}

// loss is the mean cross-entropy of a minibatch, [R]. Run r draws it with seeds[r]; perSet runs share a set of
// features. The state belongs to the minibatches. The data are the features of all sets, [P·N, d], and their labels,
// [P·N] int32.
func (l Linear) loss(batches train.Minibatches, seeds []int64, perSet int) train.LossFunc {
	return func(in train.Inputs) (*Node, []*Node) {
		features, labels := in.Data[0], in.Data[1]
		samples, next := batches.Take(seeds, in.State) // [R, B]
		begins := make([]int32, len(seeds))            // first row of the run's set
		for r := range begins {
			begins[r] = int32(r / perSet * batches.Samples)
		}
		begin := BroadcastToShape(InsertAxes(Const(samples.Graph(), begins), 1), samples.Shape())
		at := InsertAxes(Add(samples, begin), -1)
		x, y := Gather(features, at), Gather(labels, at)                              // [R, B, d], [R, B]
		logits := DotGeneral(x, []int{2}, []int{0}, in.Params[0], []int{2}, []int{0}) // [R, B, C]
		logits = Add(logits, BroadcastToShape(InsertAxes(in.Params[1], 1), logits.Shape()))
		return l.crossEntropy(logits, y), next
	}
}

// crossEntropy of logits [R, B, C] and labels [R, B] int32, the mean over the batch: [R].
func (l Linear) crossEntropy(logits, labels *Node) *Node {
	logP := LogSoftmax(logits, -1)
	classes := Iota(logits.Graph(), shapes.Make(dtypes.Int32, logits.Shape().Dimensions...), 2)
	own := Equal(classes, BroadcastToShape(InsertAxes(labels, -1), classes.Shape()))
	loss := Neg(ReduceMean(ReduceSum(Where(own, logP, ZerosLike(logP)), 2), 1))
	if l.Smoothing == 0 {
		return loss
	}
	uniform := Neg(ReduceMean(logP, 1, 2))
	return Add(MulScalar(loss, 1-l.Smoothing), MulScalar(uniform, l.Smoothing))
}
