package bench

import (
	_ "embed"
	"encoding/binary"
	"os"
	"path/filepath"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

//go:embed torch_graph.py
var torchGraph string

// graphStep is a step of the experiment on graphs (paper, Section C.3): it samples edges, evaluates the network at both
// ends, each with its own batch statistics, and minimises OMM on S + I by LARS.
type graphStep struct {
	graphs.Generation `json:"-"`

	Graph  string `json:"graph"` // folder of its arrays
	Batch  int    `json:"batch"` // edges
	Width  int    `json:"width"`
	Layers int    `json:"layers"`
	Hidden int    `json:"hidden"`
	Out    int    `json:"out"`
	// Rate is LARS's learning rate. The paper's 0.3 needs a warm-up.
	Rate float64 `json:"rate"`

	Check *graphPoint `json:"check,omitempty"` // for tests; nothing is timed
}

// graphPoint is the point at which a script evaluates loss, gradients and a step.
type graphPoint struct {
	Params  [][]float64 `json:"params"`  // one run
	Entries []int       `json:"entries"` // the edges of the batch
}

func (g graphStep) lars() optim.LARS {
	return optim.LARS{LearningRate: g.Rate, Trust: 1e-3, Unclipped: true}
}

func (g graphStep) problem(d *graphs.Dataset) (train.Problem, error) {
	edges, err := graphs.NewEdgeTable(d.Adjacency)
	if err != nil {
		return train.Problem{}, err
	}
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
	}, nil
}

// generated returns a graph and a folder with its arrays for numpy.fromfile, which the caller removes.
func generated(g graphs.Generation) (d *graphs.Dataset, dir string, err error) {
	if d, err = graphs.Generate(g); err != nil {
		return nil, "", err
	}
	if dir, err = os.MkdirTemp("", "omm-bench"); err == nil {
		err = saveArrays(dir, d)
	}
	return d, dir, err
}

func saveArrays(dir string, d *graphs.Dataset) error {
	arrays := map[string]any{"offsets.u64": d.Offsets, "neighbours.u32": d.Neighbours, "features.f32": d.X}
	for name, array := range arrays {
		content, err := binary.Append(nil, binary.LittleEndian, array)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// graph compares the step with PyTorch's. Target: PyTorch's time.
func (s *session) graph() error {
	torch := s.script("PyTorch", torchGraph)
	const steps = 10
	g := graphStep{Generation: graphs.Generation{Degree: 20, Seed: 1}, Batch: 1024, Width: 128, Layers: 5, Hidden: 256,
		Out: 64, Rate: 1e-3}
	if s.small {
		g = graphStep{Generation: graphs.Generation{Nodes: 1000, Degree: 6, Features: 3}, Batch: 16, Width: 4,
			Layers: 3, Hidden: 5, Out: 2, Rate: 1e-3}
	}
	d, dir, err := generated(g.Generation)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	g.Graph = dir
	p, err := g.problem(d)
	if err != nil {
		return err
	}
	return s.train("step", p, g.lars(), steps, contender{"PyTorch eager", 1, torch.round(s.steps(steps), g)})
}
