package bench

import (
	_ "embed"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/sparse"
	"omm-go/ommlx/train"
)

//go:embed testdata/torch_graph.py
var torchGraph string

// graphStep is a step of the experiment on graphs (paper, Section C.3) for torch_graph.py: it samples edges, evaluates
// the network at both ends, each with its own batch statistics, and minimises OMM on S + I by LARS.
type graphStep struct {
	graphs.Generation `json:"-"`

	Graph  string `json:"graph"` // folder of its arrays
	Batch  int    `json:"-"`     // edges
	Width  int    `json:"width"`
	Layers int    `json:"layers"`
	Hidden int    `json:"hidden"`
	Out    int    `json:"out"`
	// Rate is LARS's learning rate. The paper's 0.3 needs a warm-up.
	Rate float64 `json:"rate"`

	Check *graphPoint `json:"check"`
}

// graphPoint is the point at which a script evaluates loss, gradients and a step.
type graphPoint struct {
	Params  [][]float64 `json:"params"`  // one run
	Entries []int       `json:"entries"` // the edges of the batch
}

func (g graphStep) lars() optim.LARS {
	return optim.LARS{LearningRate: g.Rate, Trust: 1e-3, Unclipped: true}
}

func (g graphStep) problem(d *graphs.Dataset) train.Problem {
	edges := testkit.Must(graphs.NewEdgeTable(d.Adjacency))
	seeds := []int64{1}
	network := probe.Encoder{Backbone: probe.ResidualMLP{In: d.Features, Width: g.Width, Layers: g.Layers},
		Projector: &probe.Projector{In: g.Width, Hidden: g.Hidden, Layers: 1, Out: g.Out}}
	weights, statistics := network.Init(seeds)
	return train.Problem{
		Seeds:  seeds,
		Params: weights,
		State:  statistics,
		Data: []*tensors.Tensor{
			tensors.FromFlatDataAndDimensions(d.X, d.Nodes(), d.Features), edges.Offsets, edges.Neighbours,
		},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			first, second := graphs.SampleEdges(in.Data[1], in.Data[2],
				in.Random.Uniform(dtypes.Float64, g.Batch), edges.MeanDegree)
			at := func(e graphs.End) *Node { return operator.GatherRows(InsertAxes(in.Data[0], 0), e.Nodes) }
			f, next := network.Train(in.Params, in.State, at(first), at(second))
			loss, _ := ommlx.OMM{}.Loss(graphs.GraphEdges(f[0], f[1], first, second).Shift(1), nil)
			return loss, next
		},
	}
}

// PyTorch's loss, gradients and LARS step in float64 equal ours in float32, on the edges that our generator draws.
func TestParityOfTheStepOnAGraph(t *testing.T) {
	g := graphStep{Generation: graphs.Generation{Nodes: 1000, Degree: 8, Classes: 47, Features: 6}, Batch: 64, Width: 8,
		Layers: 5, Hidden: 10, Out: 4, Rate: 0.3}
	a := testkit.Must(graphs.Generate(g.Generation))
	g.Graph = t.TempDir()
	require.NoError(t, saveArrays(g.Graph, a))
	p := g.problem(a)
	g.Check = &graphPoint{Params: testkit.Numbers(p.Params), Entries: entries(t, g, a.Adjacency)}
	var answer struct {
		step
		Moved [][]float64
	}
	askPython(t, "PyTorch", torchGraph, g, &answer)
	first, biases := firstStep(t, p), 0
	require.InEpsilon(t, answer.Loss, first.Loss, 1e-5)
	for i, after := range testkit.Numbers(oneStep(t, p, g.lars()).Params) {
		moved := floats.SubTo(make([]float64, len(after)), g.Check.Params[i], after)
		size := floats.Norm(answer.Gradients[i], 2)
		if size < 1e-10 { // a bias removed by the normalisation after it
			biases++
			require.Less(t, floats.Norm(first.Gradients[i], 2), 1e-5)
			continue
		}
		require.Less(t, floats.Distance(answer.Gradients[i], first.Gradients[i], 2)/size, 1e-3, "parameter %d", i)
		require.Less(t, floats.Distance(answer.Moved[i], moved, 2)/floats.Norm(answer.Moved[i], 2), 1e-3,
			"parameter %d by LARS", i)
	}
	require.Equal(t, 1, biases)
}

// entries returns the first edges that a training of g draws, as positions in the list of neighbours.
func entries(t *testing.T, g graphStep, a sparse.Adjacency) (list []int) {
	t.Helper()
	for _, u := range firstDraw(t, func(state *Node) *Node {
		_, u := RandomUniform(state, shapes.Make(dtypes.Float64, g.Batch))
		return u
	}) {
		list = append(list, int(u*float64(len(a.Neighbours))))
	}
	return list
}
