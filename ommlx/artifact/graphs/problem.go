package graphs

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/sparse"
	"omm-go/ommlx/train"
)

func (e Experiment) encoder(features int) probe.Encoder {
	p := e.projector()
	return probe.Encoder{Backbone: e.backbone(features), Projector: &p}
}

// problem is the training on a graph. The data are the features [N, d] and the visible edges for [SampleEdges]; the
// state is the running statistics. Both ends of a batch of edges are normalised together, as in the code of Neural
// Eigenmaps.
func (e Experiment) problem(s *view) (train.Problem, error) {
	objective, err := e.objective()
	if err != nil {
		return train.Problem{}, err
	}
	if e.eigenmaps() {
		objective = NeuralEigenmaps{Alpha: e.Network.Alpha, Scale: s.blockScale(e.Network.Block)}
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
		first, second := SampleEdges(in.Data[1], in.Data[2], in.Random.Uniform(draws, batch),
			edges.MeanDegree)
		nodes := Concatenate([]*Node{first.Nodes, second.Nodes}, 1)
		x := Gather(in.Data[0], InsertAxes(nodes, -1))
		views, next := n.Train(in.Params, in.State, x)
		f := views[0]
		if e.Network.Normalised {
			f = Div(f, Sqrt(AddScalar(ReduceAndKeep(Square(f), ReduceMean, 1), 1e-12)))
		}
		loss, _ := objective.Loss(GraphEdges(Slice(f, AxisRange(), AxisRange(0, batch)),
			Slice(f, AxisRange(), AxisRange(batch)), first, second), nil)
		if !e.Network.Summed && !e.eigenmaps() {
			loss = DivScalar(loss, float64(e.K))
		}
		return loss, next
	}
	return p, nil
}

// view is a graph with the edges of unseen nodes hidden.
type view struct {
	*Dataset
	seen                   sparse.Adjacency // edges between nodes that are not hidden
	training, test, unseen []int            // nodes; test excludes unseen
	all, labels            []int            // all nodes and their labels
}

func (e Experiment) open() (*Dataset, error) {
	if e.Generation != nil {
		return Generate(*e.Generation)
	}
	d, _, err := Open(e.Graph)
	return d, err
}

// hideEdges hides the edges of a share of the test nodes, which is the same in every experiment.
func hideEdges(g *Dataset, share float64) *view {
	s := &view{Dataset: g, seen: g.Adjacency, training: g.Of(Training)}
	hidden := make([]bool, g.Nodes())
	for _, i := range g.Of(Test) {
		if hidden[i] = hash(i) < share; hidden[i] {
			s.unseen = append(s.unseen, i)
		} else {
			s.test = append(s.test, i)
		}
	}
	for i, label := range g.Labels {
		s.all, s.labels = append(s.all, i), append(s.labels, int(label))
	}
	if len(s.unseen) == 0 {
		return s
	}
	s.seen = sparse.Adjacency{Offsets: make([]uint64, g.Nodes()+1)}
	for i := range g.Nodes() {
		for _, j := range g.Row(i) {
			if !hidden[i] && !hidden[j] {
				s.seen.Neighbours = append(s.seen.Neighbours, j)
			}
		}
		s.seen.Offsets[i+1] = uint64(len(s.seen.Neighbours))
	}
	return s
}

// hash maps a node to a pseudorandom number in [0, 1).
func hash(node int) float64 { return float64(mixed(uint64(node+1)*golden)>>11) / (1 << 53) }

// blockScale is the scale of [NeuralEigenmaps] in its published code: t = 10 times the sum of a block of S over its
// mean number of nodes (thudzj/NEigenmaps at commit 008a379, graph/main_products.py). A block has b × b random nodes,
// and only nodes with an edge in it count. With q = b/N, a block has on average the share q² of the sum of S, and a
// node of degree d in the block counts with probability 1 − (1 − q)^d.
func (s *view) blockScale(b int) float64 {
	const t = 10
	n := float64(s.Nodes())
	q := min(float64(b)/n, 1)
	sum, nodes := 0.0, 0.0
	for i := range s.Nodes() {
		own := float64(s.seen.Degree(i))
		nodes += q * (1 - math.Pow(1-q, own))
		for _, j := range s.seen.Row(i) {
			sum += q * q / math.Sqrt(own*float64(s.seen.Degree(int(j))))
		}
	}
	return t * sum / nodes
}
