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
	// Signless makes a graph whose classes need both features and edges: the features of a node have a random sign, so
	// no linear function of them separates the classes, and only one of four edges is within a community.
	Signless bool `json:"signless,omitempty"`
}

// bounded is a field of a Generation with its default and bounds.
type bounded struct {
	name             string
	field            *int
	usual, low, high int
}

func (g *Generation) numbers() []bounded {
	return []bounded{{"nodes", &g.Nodes, 100_000, 1_000, 10_000_000}, {"degree", &g.Degree, 50, 1, 1_000},
		{"classes", &g.Classes, 47, 2, 1_000}, {"features", &g.Features, 100, 1, 10_000}}
}

// WithDefaults fills zero fields: 100,000 nodes and, as in ogbn-products, 50 edges of a node, 47 classes and 100
// features.
func (g Generation) WithDefaults() Generation {
	for _, n := range g.numbers() {
		*n.field = cmp.Or(*n.field, n.usual)
	}
	return g
}

// Validate returns an error if a number is out of range.
func (g Generation) Validate() error {
	g = g.WithDefaults()
	for _, n := range g.numbers() {
		if *n.field < n.low || *n.field > n.high {
			return fmt.Errorf("generated graph: %s %d out of range [%d, %d]", n.name, *n.field, n.low, n.high)
		}
	}
	return nil
}

// Shares of the nodes for training and validation, in thousandths.
const (
	trainShare = 80
	validShare = 20
)

// recipe is the distribution of a generated graph, in thousandths.
type recipe struct {
	within uint32 // share of the edges drawn within a community
	mixed  uint32 // share of the nodes whose label is drawn from all classes
	signal int    // a feature has mean ± signal
}

func (g Generation) recipe() recipe {
	if g.Signless {
		return recipe{within: 250, mixed: 100, signal: 450}
	}
	return recipe{within: 600, mixed: 200, signal: 250}
}

// Generate returns the graph of a Generation, called [GeneratedName], for machines without ogbn-products.
//
// Each class has a community, all of the same size; six of ten edges are drawn within one. Four of five nodes have the
// label of their community, and the others a random one. Degrees follow a power law with exponent 3. A feature is
// ±0.25, by label, plus noise of variance 1. If the graph is Signless, one of four edges is drawn within a community,
// nine of ten nodes have its label, and a feature is ±0.45 by community, times a random sign of the node, plus the same
// noise. As with the best-selling products, the nodes with the highest degrees are for training.
//
// The arithmetic uses integers, so the same Generation gives the same bits on every machine. It returns the errors of
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

// stride returns a number coprime to the number of nodes, near its golden section.
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

// id maps ranks, along which degrees decrease, to scattered node ids; rank is its inverse.
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

func (g Generation) community(node int) int { return g.rank(node) % g.Classes }

// label returns the label of a node, a pure function of seed and node.
func (g Generation) label(node int) int {
	rng := rand.New(rand.NewPCG(g.Seed, 1<<32+uint64(node)))
	if rng.Uint32N(1000) < g.recipe().mixed {
		return int(rng.Uint32N(uint32(g.Classes)))
	}
	return g.community(node)
}

// edge draws one end by degree, and the other in its community or anywhere.
func (g Generation) edge(rng *rand.Rand) (one, other int) {
	u := skewed(rng, g.Nodes)
	v := skewed(rng, g.Nodes)
	if rng.Uint32N(1000) < g.recipe().within {
		class := u % g.Classes
		v = skewed(rng, (g.Nodes-class+g.Classes-1)/g.Classes)*g.Classes + class
	}
	return g.id(u), g.id(v)
}

func (g Generation) features(rng *rand.Rand, node, label int, row []float32) {
	class, flipped := label, false
	if g.Signless {
		class, flipped = g.community(node), rng.Uint64()&1 == 1
	}
	signal := g.recipe().signal
	for f := range row {
		// Noise is the sum of four uniform numbers of variance 1/4 each, in thousandths.
		const span = 1732 // √12/2 of a thousandth
		x := -4 * span / 2
		for range 4 {
			x += int(rng.Uint32N(span + 1))
		}
		if sign(g.Seed, class, f) != flipped {
			x += signal
		} else {
			x -= signal
		}
		row[f] = float32(x) / 1000
	}
}

// sign is a fair coin for a class and a feature (the finaliser of SplitMix64).
func sign(seed uint64, class, feature int) bool {
	x := seed ^ uint64(class)<<32 ^ uint64(feature)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x^x>>31)&1 == 1
}
