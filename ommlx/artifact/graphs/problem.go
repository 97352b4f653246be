package graphs

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/train"
)

// encoder is the network of an experiment.
func (e Experiment) encoder(features int) net.Encoder {
	p := e.projector()
	return net.Encoder{Backbone: e.backbone(features), Projector: &p}
}

// objective is that of the experiment on a graph.
func (e Experiment) objective(s *sight) (ommlx.Objective, error) {
	o, err := ommlx.Lookup(e.Method)
	if e.eigenmaps() {
		o = ommlx.NeuralEigenmaps{Alpha: e.Network.Alpha, Scale: s.blockScale(e.Network.Block)}
	}
	return ommlx.Shifted{Objective: o, Kappa: e.Network.Shift}, err
}

// problem is the training on a graph: data are the features [N, d] and the seen edges as [operator.SampleEdges] takes
// them; the state is the running statistics.
//
// Both ends of the edges of a batch are normalised together, as in the code of Neural Eigenmaps.
func (e Experiment) problem(s *sight) (train.Problem, error) {
	objective, err := e.objective(s)
	if err != nil {
		return train.Problem{}, err
	}
	edges, err := operator.NewEdgeTable(s.seen)
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
		first, second := operator.SampleEdges(in.Data[1], in.Data[2], in.Random.Uniform(draws, batch),
			edges.MeanDegree)
		nodes := Concatenate([]*Node{first.Nodes, second.Nodes}, 1)
		x := Gather(in.Data[0], InsertAxes(nodes, -1))
		views, next := n.Train(in.Params, in.State, x)
		f := views[0]
		if e.Network.Normalised {
			f = Div(f, Sqrt(AddScalar(ReduceAndKeep(Square(f), ReduceMean, 1), 1e-12)))
		}
		in.Watch("functions", f)
		loss, _ := objective.Loss(operator.GraphEdges(Slice(f, AxisRange(), AxisRange(0, batch)),
			Slice(f, AxisRange(), AxisRange(batch)), first, second), nil)
		if !e.Network.Summed && !e.eigenmaps() {
			loss = DivScalar(loss, float64(e.K))
		}
		return loss, next
	}
	return p, nil
}
