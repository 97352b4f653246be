package graphs

import (
	"math"

	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mathext/prng"
)

// view is a graph with the edges of unseen nodes hidden.
type view struct {
	*Dataset
	seen                   Adjacency // edges between nodes that are not hidden
	training, test, unseen []int     // nodes; test excludes unseen
	all                    []int
}

// hideEdges hides the edges of a share of the test nodes, the same in every experiment.
func hideEdges(d *Dataset, share float64) *view {
	s := &view{Dataset: d, training: d.Of(Training), all: xslices.Iota(0, d.Nodes())}
	hidden, random := make([]bool, d.Nodes()), prng.NewSplitMix64(0)
	for i, part := range d.Parts {
		switch u := float64(random.Uint64()>>11) / (1 << 53); { // in [0, 1)
		case part != Test:
		case u < share:
			hidden[i], s.unseen = true, append(s.unseen, i)
		default:
			s.test = append(s.test, i)
		}
	}
	s.seen = d.Without(func(node int) bool { return hidden[node] })
	return s
}

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
