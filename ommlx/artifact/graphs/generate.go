package graphs

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
	Nodes    int    `json:"nodes"`    // at least 1,000
	Degree   int    `json:"degree"`   // mean number of edges of a node, duplicates included
	Classes  int    `json:"classes"`  // 2 to 1,000
	Features int    `json:"features"` // at least 1
	Seed     uint64 `json:"seed"`
}

// WithDefaults fills zero fields: 100,000 nodes and, as in ogbn-products, 50 edges of a node, 47 classes and 100
// features.
func (g Generation) WithDefaults() Generation {
	g.Nodes, g.Degree = cmp.Or(g.Nodes, 100_000), cmp.Or(g.Degree, 50)
	g.Classes, g.Features = cmp.Or(g.Classes, 47), cmp.Or(g.Features, 100)
	return g
}

// Validate returns an error if a number is out of range.
func (g Generation) Validate() error {
	g = g.WithDefaults()
	if g.Nodes < 1_000 || g.Degree < 1 || g.Classes < 2 || g.Classes > 1_000 || g.Features < 1 {
		return fmt.Errorf("graphs: %d nodes, degree %d, %d classes, %d features; want at least 1000, 1, 2 (to 1000), 1",
			g.Nodes, g.Degree, g.Classes, g.Features)
	}
	return nil
}

// The distribution of a generated graph, in thousandths.
const (
	within      = 600 // share of the edges drawn within a community
	mixedLabels = 200 // share of the nodes whose label is drawn from all classes
	signal      = 250 // a feature has mean ± this
)

// Generate returns the graph of a Generation, called [GeneratedName].
//
// Each class has a community, all of the same size. Three of five edges are drawn within a community, and one of five
// nodes has a random label instead of the community's. Degrees follow a power law with exponent 3. A feature is ± 0.25,
// by label, plus noise of variance 1. As with the best-selling products, the nodes with the highest degrees are for
// training: 8 %, and the next 2 % for validation.
//
// The arithmetic uses integers, so the same Generation gives the same bits on every machine. It returns the errors of
// [Generation.Validate].
func Generate(g Generation) (*Dataset, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	g = g.WithDefaults()
	d := &Dataset{Name: GeneratedName, Features: g.Features, Classes: g.Classes, Labels: make([]int, g.Nodes),
		Parts: make([]Part, g.Nodes), X: make([]float32, g.Nodes*g.Features)}
	ids := g.ids()
	for rank, id := range ids {
		d.Parts[id] = Test
		if rank < g.Nodes*8/100 {
			d.Parts[id] = Training
		} else if rank < g.Nodes*8/100+g.Nodes*2/100 {
			d.Parts[id] = Validation
		}
	}
	rng := rand.New(rand.NewPCG(g.Seed, 2))
	for i, community := range g.communities(ids) {
		d.Labels[i] = community
		own := rand.New(rand.NewPCG(g.Seed, 1<<32+uint64(i))) // the label depends only on the seed and the node
		if own.Uint32N(1000) < mixedLabels {
			d.Labels[i] = int(own.Uint32N(uint32(g.Classes)))
		}
		g.features(rng, d.Labels[i], d.X[i*g.Features:(i+1)*g.Features])
	}
	rng = rand.New(rand.NewPCG(g.Seed, 1))
	ends := make([]uint32, 0, g.Nodes*g.Degree)
	for range g.Nodes * g.Degree / 2 {
		u, v := g.edge(rng)
		ends = append(ends, uint32(ids[u]), uint32(ids[v]))
	}
	d.join(g.Nodes, ends)
	return d, nil
}

// ids lists the nodes by rank, along which degrees decrease. They are scattered: a stride near the golden section of
// their number, coprime to it, separates two that follow each other.
func (g Generation) ids() []int {
	n, stride := big.NewInt(int64(g.Nodes)), g.Nodes*618/1000
	for new(big.Int).GCD(nil, nil, big.NewInt(int64(stride)), n).Cmp(big.NewInt(1)) != 0 {
		stride++
	}
	ids := make([]int, g.Nodes)
	for rank := range ids {
		ids[rank] = rank * stride % g.Nodes
	}
	return ids
}

// communities lists the community of each node; the first ranks have communities 0, 1, …
func (g Generation) communities(ids []int) []int {
	all := make([]int, g.Nodes)
	for rank, id := range ids {
		all[id] = rank % g.Classes
	}
	return all
}

// edge draws the rank of one end by degree, and of the other in its community or anywhere.
func (g Generation) edge(rng *rand.Rand) (u, v int) {
	u, v = skewed(rng, g.Nodes), skewed(rng, g.Nodes)
	if rng.Uint32N(1000) < within {
		class := u % g.Classes
		v = skewed(rng, (g.Nodes-class+g.Classes-1)/g.Classes)*g.Classes + class
	}
	return u, v
}

// skewed draws from 0 … n−1 with the density of n·x², x uniform in [0, 1): ∝ 1/√i.
func skewed(rng *rand.Rand, n int) int {
	x := rng.Uint64()
	square, _ := bits.Mul64(x, x)
	i, _ := bits.Mul64(square, uint64(n))
	return int(i)
}

// features draws the features of a node. Noise is the sum of four uniform numbers of variance 1/4 each.
func (g Generation) features(rng *rand.Rand, class int, row []float32) {
	const span = 1732 // √12/2, in thousandths
	for f := range row {
		x := -4 * span / 2
		for range 4 {
			x += int(rng.Uint32N(span + 1))
		}
		if sign(g.Seed, class, f) {
			x += signal
		} else {
			x -= signal
		}
		row[f] = float32(x) / 1000
	}
}

// sign is a fair coin for a class and a feature (the finaliser of SplitMix64).
func sign(seed uint64, class, feature int) bool {
	return mixed(seed^uint64(class)<<32^uint64(feature)*golden)&1 == 1
}

// golden and mixed are the increment and the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
const golden = 0x9e3779b97f4a7c15

func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
