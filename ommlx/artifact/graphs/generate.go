package graphs

import (
	"math/rand/v2"
	"slices"
)

// Generation describes a generated graph, for benchmarks, tests and a notebook. No table uses one.
type Generation struct {
	Nodes    int // at least 100
	Degree   int // mean number of edges of a node, duplicates included
	Classes  int // 2 to a tenth of the nodes
	Features int // at least 1
	Seed     uint64
}

// Generate returns the graph of a Generation.
//
// Node i is in community i mod C for C classes, and its label is the community's, or random for one node of five. Three
// of five edges are drawn within a community. Degrees fall with i by a power law with exponent 3. A feature is ± 0.25,
// by label, plus noise of variance 1. As with the best-selling products, the nodes with the highest degrees are for
// training: 8 %, and the next 2 % for validation.
func Generate(g Generation) *Dataset {
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
	skewed := func(n int) int { // the density of n·x², x uniform in [0, 1): ∝ 1/√i
		x := rng.Float64()
		return int(float64(n) * x * x)
	}
	var ends []uint32
	for range g.Nodes * g.Degree / 2 {
		u, v := skewed(g.Nodes), skewed(g.Nodes)
		if rng.Float64() < 0.6 {
			class := u % g.Classes
			v = skewed((g.Nodes-class+g.Classes-1)/g.Classes)*g.Classes + class
		}
		ends = append(ends, uint32(u), uint32(v))
	}
	d.Adjacency = FromEdges(g.Nodes, ends)
	return d
}
