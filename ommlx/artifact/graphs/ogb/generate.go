package ogb

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
)

// GeneratedName is the name of generated graphs in results and tables.
const GeneratedName = "generated graph"

// Generation describes a generated graph.
type Generation struct {
	Nodes    int    `json:"nodes"`    // 1,000 to 10,000,000
	Degree   int    `json:"degree"`   // mean number of edges of a node, duplicates included
	Classes  int    `json:"classes"`  // 2 to 1,000
	Features int    `json:"features"` // 1 to 10,000
	Seed     uint64 `json:"seed"`
	// Signless makes a graph on which neither features nor edges say much alone: the features of a node have a random
	// sign, so that no linear function of them tells the classes, and one of four edges is within a community.
	Signless bool `json:"signless,omitempty"`
}

// bounded is a number of a graph, what stands for 0, and its bounds.
type bounded struct {
	name             string
	field            *int
	usual, low, high int
}

func (g *Generation) numbers() []bounded {
	return []bounded{{"nodes", &g.Nodes, 100_000, 1_000, 10_000_000}, {"edges of a node", &g.Degree, 50, 1, 1_000},
		{"classes", &g.Classes, 47, 2, 1_000}, {"features", &g.Features, 100, 1, 10_000}}
}

// WithDefaults fills zero fields: 100,000 nodes, and what ogbn-products has, 50 edges of a node, 47 classes and 100
// features.
func (g Generation) WithDefaults() Generation {
	for _, n := range g.numbers() {
		*n.field = cmp.Or(*n.field, n.usual)
	}
	return g
}

// Validate returns an error that names the number that is out of range.
func (g Generation) Validate() error {
	g = g.WithDefaults()
	for _, n := range g.numbers() {
		if *n.field < n.low || *n.field > n.high {
			return fmt.Errorf("a generated graph has %d to %d %s, not %d", n.low, n.high, n.name, *n.field)
		}
	}
	return nil
}

// Shares of the nodes to train on, which have the highest degrees, and to validate on, in thousandths.
const (
	trainShare = 80
	validShare = 20
)

// recipe is what a generated graph is made of, in thousandths.
type recipe struct {
	within    uint32 // share of the edges between nodes of one community
	strangers uint32 // share of the nodes whose label is drawn from all classes
	signal    int    // a feature's mean is this, or less than 0 by as much
}

func (g Generation) recipe() recipe {
	if g.Signless {
		return recipe{within: 250, strangers: 100, signal: 450}
	}
	return recipe{within: 600, strangers: 200, signal: 250}
}

// Generate returns the graph of a Generation, called [GeneratedName], for machines without ogbn-products.
//
// There is a community for each class, all of the same size; six of ten edges are drawn within one. Four of five nodes
// have the label of their community, the others any. Degrees follow a power law with exponent 3. A feature is ±0.25, by
// label, and noise of variance 1. If the graph is Signless, one of four edges is within a community, nine of ten nodes
// have its label, and a feature is ±0.45 by community, times a sign that each node draws, and the same noise. The nodes
// of the highest degrees are for training, like the best-selling products.
//
// The arithmetic is of whole numbers, so that the same Generation gives the same bits everywhere. Errors are those of
// [Generation.Validate].
func Generate(g Generation) (*Graph, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	g = g.WithDefaults()
	graph := &Graph{Name: GeneratedName, Features: g.Features, Classes: g.Classes, Labels: make([]uint16, g.Nodes),
		Parts: make([]Part, g.Nodes), X: make([]float32, g.Nodes*g.Features)}
	train, valid := g.Nodes*trainShare/1000, g.Nodes*validShare/1000
	rng := rand.New(rand.NewPCG(g.Seed, 2))
	for i := range g.Nodes {
		label, part := g.label(i), Test
		g.features(rng, i, label, graph.X[i*g.Features:(i+1)*g.Features])
		if i < train {
			part = Training
		} else if i < train+valid {
			part = Validation
		}
		graph.Labels[i], graph.Parts[g.id(i)] = uint16(label), part
	}
	rng = rand.New(rand.NewPCG(g.Seed, 1))
	ends := make([]uint32, 0, g.Nodes*g.Degree)
	for range g.Nodes * g.Degree / 2 {
		u, v := g.edge(rng)
		ends = append(ends, uint32(u), uint32(v))
	}
	graph.join(g.Nodes, ends)
	return graph, nil
}

// stride is a number that has no divisor with the number of nodes in common, near the golden section of it.
func (g Generation) stride() int {
	coprime := func(a, b int) bool {
		for b > 0 {
			a, b = b, a%b
		}
		return a == 1
	}
	s := g.Nodes * 618 / 1000
	for !coprime(s, g.Nodes) {
		s++
	}
	return s
}

// id scatters ranks, by which degrees fall, over the numbers of nodes; rank undoes it.
func (g Generation) id(rank int) int { return int(uint64(rank) * uint64(g.stride()) % uint64(g.Nodes)) }

func (g Generation) rank(id int) int {
	inverse := new(big.Int).ModInverse(big.NewInt(int64(g.stride())), big.NewInt(int64(g.Nodes)))
	return int(uint64(id) * inverse.Uint64() % uint64(g.Nodes))
}

// skewed draws from 0 … n−1 with the density of n·x², x uniform in [0, 1): ∝ 1/√i.
func skewed(rng *rand.Rand, n int) int {
	x := rng.Uint64()
	square, _ := bits.Mul64(x, x)
	i, _ := bits.Mul64(square, uint64(n))
	return int(i)
}

// community of a node.
func (g Generation) community(node int) int { return g.rank(node) % g.Classes }

// label of a node, a pure function of it.
func (g Generation) label(node int) int {
	rng := rand.New(rand.NewPCG(g.Seed, 1<<32+uint64(node)))
	if rng.Uint32N(1000) < g.recipe().strangers {
		return int(rng.Uint32N(uint32(g.Classes)))
	}
	return g.community(node)
}

// edge draws one end by its degree, and the other one in its community or anywhere.
func (g Generation) edge(rng *rand.Rand) (one, other int) {
	u := skewed(rng, g.Nodes)
	v := skewed(rng, g.Nodes)
	if rng.Uint32N(1000) < g.recipe().within {
		class := u % g.Classes
		v = skewed(rng, (g.Nodes-class+g.Classes-1)/g.Classes)*g.Classes + class
	}
	return g.id(u), g.id(v)
}

// features draws the features of a node with this label.
func (g Generation) features(rng *rand.Rand, node, label int, row []float32) {
	class, turned := label, false
	if g.Signless {
		class, turned = g.community(node), rng.Uint64()&1 == 1
	}
	signal := g.recipe().signal
	for f := range row {
		// The sum of four uniform numbers of variance 1/4 each, in thousandths.
		const span = 1732 // √12/2 of a thousandth
		x := -4 * span / 2
		for range 4 {
			x += int(rng.Uint32N(span + 1))
		}
		if sign(g.Seed, class, f) != turned {
			x += signal
		} else {
			x -= signal
		}
		row[f] = float32(x) / 1000
	}
}

// sign is a coin for a class and a feature (the finaliser of SplitMix64).
func sign(seed uint64, class, feature int) bool {
	x := seed ^ uint64(class)<<32 ^ uint64(feature)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x^x>>31)&1 == 1
}
