package probe

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx/train"
)

// loss is the mean cross-entropy of a step's minibatch, [R], of seeds[r] for run r; perSet runs share a set of
// features. The state is that of the minibatches. The data are the features of all sets, [P·N, d], and their labels,
// [P·N] int32.
func (l Linear) loss(batches train.Minibatches, seeds []int64, perSet int) train.LossFunc {
	return func(in train.Inputs) (*Node, []*Node) {
		features, labels := in.Data[0], in.Data[1]
		samples, next := batches.Take(seeds, in.State) // [R, B]
		begins := make([]int32, len(seeds))            // where the run's set does
		for r := range begins {
			begins[r] = int32(r / perSet * batches.Samples)
		}
		begin := BroadcastToShape(InsertAxes(Const(samples.Graph(), begins), 1), samples.Shape())
		at := InsertAxes(Add(samples, begin), -1)
		x, y := Gather(features, at), Gather(labels, at)                              // [R, B, d], [R, B]
		logits := DotGeneral(x, []int{2}, []int{0}, in.Params[0], []int{2}, []int{0}) // [R, B, C]
		logits = Add(logits, BroadcastToShape(InsertAxes(in.Params[1], 1), logits.Shape()))
		in.Watch("logits", logits)
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
