package representation

import (
	"context"
	"fmt"
	"math"
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// Probe is linear evaluation: a linear classifier on frozen features, trained on the cross-entropy of its softmax,
//
//	min over W, b of the mean over samples of −log softmax(W x + b)_y,
//
// by minibatches without replacement ([Minibatches]). Like both code bases that the paper builds on, it drops
// the last, incomplete batch of an epoch. solo-learn (commit 9187ea3) has momentum 0.9 (solo/args/linear.py) and a
// tenth of the rate from epochs 60 and 80 on (scripts/linear). Neural Eigenmaps (commit bc3bb6c,
// graph/main_products.py, README.md) has momentum 0.9, no weight decay on b, 10 epochs of warm-up, a cosine whose rate
// changes once in an epoch, and label smoothing 0.1, and reports the epoch that is best on the validation set.
//
// Features are computed once from unchanged images, whereas solo-learn trains its classifier on new random crops and
// reflections in each epoch. So training a probe needs no pass of the network, and training and test features have the
// same distribution.
type Probe struct {
	Batch  int       `json:"batch"`
	Epochs int       `json:"epochs"`
	SGD    optim.SGD `json:"sgd"`
	// Smoothing ε mixes the labels with the uniform distribution, (1−ε) 1[c=y] + ε/C (Szegedy et al. 2016).
	Smoothing float64 `json:"smoothing,omitempty"`
}

// Validate returns an error that lists the fields if one is out of range.
func (p Probe) Validate() error {
	if p.Batch < 1 || p.Epochs < 1 || !(p.Smoothing >= 0 && p.Smoothing < 1) {
		return fmt.Errorf("linear probe: batch %d, epochs %d, smoothing %g; want at least 1, 1, and [0, 1)", p.Batch,
			p.Epochs, p.Smoothing)
	}
	return p.SGD.Validate()
}

// Problem is the training of a classifier of C classes for each of P sets of features and each of S seeds, as R = P·S
// runs, set by set. All sets have the same shape. Runs with the same seed start equal and see the samples in the same
// order.
//
// The parameters are W [R, C, d] and b [R, C], initialised as in PyTorch: uniform in ±1/√d. The data are the features
// of all sets, [P·N, d], and their labels, [P·N] int32. The history has a point after each epoch. A batch with more
// samples than a set is an error.
func (p Probe) Problem(training []Features, classes int, seeds []int64) (t train.Problem, c train.Config, err error) {
	samples, dim := len(training[0].Labels), training[0].Dim
	batches := Minibatches{Samples: samples, Batch: p.Batch}
	if err := batches.Validate(); err != nil {
		return t, c, fmt.Errorf("linear probe: %w", err)
	}
	var x []float32
	var labels, begins []int32 // begins has the first row of each run's set
	for i, f := range training {
		x = append(x, f.X...)
		for _, label := range f.Labels {
			labels = append(labels, int32(label))
		}
		begins = append(begins, slices.Repeat([]int32{int32(i * samples)}, len(seeds))...)
	}
	runs := slices.Repeat(seeds, len(training))
	const stream = 0x11ea4
	bound := 1 / math.Sqrt(float64(dim))
	weights := []tensorx.Weight{tensorx.Uniform(bound, classes, dim), tensorx.Uniform(bound, classes)}
	c = train.Config{Steps: p.Epochs * batches.PerEpoch(), Optimiser: p.SGD, EvalEvery: batches.PerEpoch()}
	return train.Problem{
		Seeds:  runs,
		Params: tensorx.Draw(weights, runs, stream),
		State:  batches.Start(runs),
		Data: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, len(labels), dim),
			tensors.FromFlatDataAndDimensions(labels, len(labels))},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			samples, next := batches.Take(runs, in.State) // [R, B]
			begin := BroadcastToShape(InsertAxes(Const(samples.Graph(), begins), 1), samples.Shape())
			at := InsertAxes(Add(samples, begin), -1)
			x, y := Gather(in.Data[0], at), Gather(in.Data[1], at) // [R, B, d], [R, B]
			logits := tensorx.PerRun(x, in.Params[0])              // [R, B, C]
			logits = Add(logits, BroadcastToShape(InsertAxes(in.Params[1], 1), logits.Shape()))
			return p.crossEntropy(logits, y), next
		},
	}, c, nil
}

// crossEntropy of logits [R, B, C] and labels [R, B] int32, the mean over the batch: [R].
func (p Probe) crossEntropy(logits, labels *Node) *Node {
	classes := logits.Shape().Dim(2)
	target := OneHot(labels, classes, logits.DType())
	if p.Smoothing > 0 {
		target = AddScalar(MulScalar(target, 1-p.Smoothing), p.Smoothing/float64(classes))
	}
	return Neg(ReduceMean(ReduceSum(Mul(target, LogSoftmax(logits, -1)), 2), 1))
}

// Train trains a classifier for each set of training features and each seed, all in one program. It returns the errors
// of [train.Run].
func (p Probe) Train(ctx context.Context, training []Features, classes int, seeds []int64,
	o train.Options) (*train.Result, error) {
	problem, config, err := p.Problem(training, classes, seeds)
	if err != nil {
		return nil, err
	}
	return train.Run(ctx, problem, config, o)
}

// Accuracies returns the accuracy of the classifiers of a [Probe.Problem] on the test features, for each set and each
// seed. A run that diverged is scored at its last finite step.
func Accuracies(trained train.Snapshot, test []Features) [][]Accuracy {
	classifiers, all := Classifiers(trained), make([][]Accuracy, len(test))
	for r, logits := range classifiers {
		set := r * len(test) / len(classifiers)
		z := logits(test[set].Dense()).RawMatrix().Data
		all[set] = append(all[set], AccuracyOf(z, test[set].Labels))
	}
	return all
}

// Classifiers returns the classifier x ↦ W x + b of each run of a [Probe.Problem], in float64 on the host. It maps the
// features of samples, N×d, to their logits, N×C.
func Classifiers(trained train.Snapshot) (all []func(x *mat.Dense) *mat.Dense) {
	biases := tensorx.Matrices(trained.Params[1])[0]
	for r, w := range tensorx.Matrices(trained.Params[0]) {
		all = append(all, func(x *mat.Dense) *mat.Dense {
			logits := linalg.Product(x, w.T())
			for i := range logits.RawMatrix().Rows {
				floats.Add(logits.RawRowView(i), biases.RawRowView(r))
			}
			return logits
		})
	}
	return all
}
