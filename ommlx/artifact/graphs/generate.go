package graphs

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"omm-go/ommlx/artifact/graphs/sparse"
)

// GeneratedName is the name of generated graphs in results and tables.
const GeneratedName = "generated graph"

// Generation describes a generated graph, for smoke runs, benchmarks and tests.
type Generation struct {
	Nodes    int    `json:"nodes"`    // at least 100
	Degree   int    `json:"degree"`   // mean number of edges of a node, duplicates included
	Classes  int    `json:"classes"`  // 2 to a tenth of the nodes
	Features int    `json:"features"` // at least 1
	Seed     uint64 `json:"seed"`
}

// Validate returns an error if a number is out of range.
func (g Generation) Validate() error {
	if g.Nodes < 100 || g.Degree < 1 || g.Classes < 2 || g.Classes > g.Nodes/10 || g.Features < 1 {
		return fmt.Errorf("graphs: generated graph of %d nodes, degree %d, %d classes, %d features; want at least "+
			"100, 1, 2 (to a tenth of the nodes), 1", g.Nodes, g.Degree, g.Classes, g.Features)
	}
	return nil
}

// Generate returns the graph of a Generation, or the error of [Generation.Validate].
//
// Node i is in community i mod C for C classes, and its label is the community's, or random for one node of five. Three
// of five edges are drawn within a community. Degrees fall with i by a power law with exponent 3. A feature is ± 0.25,
// by label, plus noise of variance 1. As with the best-selling products, the nodes with the highest degrees are for
// training: 8 %, and the next 2 % for validation.
func Generate(g Generation) (*Dataset, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(g.Seed, 1))
	d := &Dataset{Features: g.Features, Classes: g.Classes}
	means := make([]float64, g.Classes*g.Features) // by label, then by feature
	for i := range means {
		means[i] = 0.25 * float64(2*rng.IntN(2)-1)
	}
	for i := range g.Nodes {
		label := i % g.Classes
		if rng.Float64() < 0.2 {
			label = rng.IntN(g.Classes)
		}
		d.Labels = append(d.Labels, label)
		for _, mean := range means[label*g.Features:][:g.Features] {
			d.X = append(d.X, float32(mean+rng.NormFloat64()))
		}
	}
	training, validation := g.Nodes*8/100, g.Nodes*2/100
	d.Parts = slices.Concat(slices.Repeat([]Part{Training}, training), slices.Repeat([]Part{Validation}, validation),
		slices.Repeat([]Part{Test}, g.Nodes-training-validation))
	var ends []uint32
	for range g.Nodes * g.Degree / 2 {
		u, v := g.edge(rng)
		ends = append(ends, uint32(u), uint32(v))
	}
	d.Adjacency = sparse.FromEdges(g.Nodes, ends)
	return d, nil
}

// edge draws one end by degree, and the other in its community or anywhere.
func (g Generation) edge(rng *rand.Rand) (u, v int) {
	skewed := func(n int) int { // the density of n·x², x uniform in [0, 1): ∝ 1/√i
		x := rng.Float64()
		return int(float64(n) * x * x)
	}
	u, v = skewed(g.Nodes), skewed(g.Nodes)
	if rng.Float64() < 0.6 {
		class := u % g.Classes
		v = skewed((g.Nodes-class+g.Classes-1)/g.Classes)*g.Classes + class
	}
	return u, v
}
