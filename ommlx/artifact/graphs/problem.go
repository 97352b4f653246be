package graphs

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/train"
)

// problem is the training on a graph. The data are the features [N, d] and the visible edges for [SampleEdges]; the
// state is the running statistics. Both ends of a batch of edges are normalised together, as in the code of Neural
// Eigenmaps.
func (e Experiment) problem(s *view) (train.Problem, error) {
	objective, err := e.objective()
	if err != nil {
		return train.Problem{}, err
	}
	if o, is := objective.(NeuralEigenmaps); is {
		o.Scale = s.blockScale(e.Network.Block)
		objective = o
	}
	objective = ommlx.Shifted{Objective: objective, Kappa: e.Network.Shift}
	edges, err := NewEdgeTable(s.seen)
	if err != nil {
		return train.Problem{}, err
	}
	n, batch := e.encoder(s.Features), e.Network.Batch
	features := tensors.FromFlatDataAndDimensions(s.X, s.Nodes(), s.Features)
	p := train.Problem{Seeds: e.Seeds, Data: []*tensors.Tensor{features, edges.Offsets, edges.Neighbours}}
	p.Params, p.State = n.Init(e.Seeds)
	draws := dtypes.Float32
	if len(s.seen.Neighbours) > 1<<24 {
		draws = dtypes.Float64
	}
	p.Loss = func(in train.Inputs) (*Node, []*Node) {
		ends, weights := SampleEdges(in.Data[1], in.Data[2], in.Random.Uniform(draws, batch), edges.MeanDegree)
		views, next := n.Train(in.Params, in.State, Gather(in.Data[0], InsertAxes(ends, -1)))
		f := views[0]
		if e.Network.Normalised {
			f = Div(f, Sqrt(AddScalar(ReduceAndKeep(Square(f), ReduceMean, 1), 1e-12)))
		}
		loss, _ := objective.Loss(GraphEdges(f, weights), nil)
		if !e.Network.Summed && e.Method != eigenmaps {
			loss = DivScalar(loss, float64(e.K))
		}
		return loss, next
	}
	return p, nil
}
