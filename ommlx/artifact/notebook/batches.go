package notebook

import (
	"context"
	"errors"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

// OnBatches trains the functions of a walk by an objective whose moments come from batches of random states, in three
// runs, and returns the error of their span against the steps: the sine of the largest angle to the span of the exact
// functions, in the mean over the runs. The operator is a matrix on the states.
func OnBatches(name string, walk learn.Graph, operator, exact *mat.Dense, o ommlx.Objective, batch,
	steps int) draw.Series {
	_, k := exact.Dims()
	p := train.Problem{Seeds: []int64{1, 2, 3},
		Data: []*tensors.Tensor{train.Table(walk.Features), train.Table(operator)}}
	runs := len(p.Seeds)
	p.Params, p.State = walk.Functions.Init(p.Seeds), o.InitState(runs, k)
	p.Loss = func(in train.Inputs) (*graph.Node, []*graph.Node) {
		f := walk.Functions.Apply(in.Params, graph.BroadcastPrefix(in.Data[0], runs))
		drawn := graph.OneHot(in.Random.IntN(walk.Nodes, batch), walk.Nodes, f.DType())
		rows := func(f *graph.Node) *graph.Node { return graph.Einsum("rbs,rsk->rbk", drawn, f) }
		return o.Loss(ommlx.Batch{F: rows(f), TF: rows(graph.Einsum("st,rtk->rsk", in.Data[1], f))}, in.State)
	}
	at := valuesAt(walk.Functions, walk.Features, runs)
	eval := func(now train.Snapshot) (scores []float64, err error) {
		all, err := at(now)
		for _, f := range all {
			scores = append(scores, linalg.SineOfLargestAngle(f, exact))
		}
		return scores, err
	}
	config := train.Config{Steps: steps, EvalEvery: steps / 50, Optimiser: optim.Adam{LearningRate: 3e-3,
		Schedule: optim.Schedule{Decay: optim.Cosine, Steps: steps}}}
	result, err := train.Run(context.Background(), p, config,
		train.Options{Backend: Engine(), Progress: Progress(name), Eval: eval})
	if !errors.Is(err, train.ErrDiverged) { // a curve that ends is a result
		Check(err)
	}
	return Curve(name, result.History)
}
