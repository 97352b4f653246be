package ogb

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

func generated(t *testing.T, g Generation) *Graph {
	t.Helper()
	return testkit.Must(Generate(g))
}

// Another seed gives other arrays.
func TestGeneratedGraphIsBitReproducible(t *testing.T) {
	require.Equal(t, Generation{Nodes: 100_000, Degree: 50, Classes: 47, Features: 100}, Generation{}.WithDefaults())
	first, other := generated(t, small), small
	other.Seed++
	another := generated(t, other)
	sums := func(g *Graph) []string {
		return []string{fsx.SHA256Of(bytesOf(g.X)), fsx.SHA256Of(bytesOf(g.Labels)),
			fsx.SHA256Of(bytesOf(g.Neighbours)), fsx.SHA256Of(bytesOf(g.Offsets)), fsx.SHA256Of(bytesOf(g.Parts))}
	}
	require.Equal(t, []string{
		"9525d127537da06bcccb27a08473fdc4d894ec2afdc3bb08ee70d7f9499f48c7",
		"48e64888a3d719e0719e3e32f0f1716fa7e6979bdf3adc3a338744c49322dfb1",
		"a9575b6adbff84e489ea8d893334b31640c7746fad7f2534f96e551fc4ab67c7",
		"710e3d43e3b7f0e23fe9c6f11c0c15f0cfea6df36b01c2e40bd5d907d7f99b82",
		"7655dcf1f8a06a62c25574645bcd8576090fe1f2dc946e9da79316da1e0c6dd2",
	}, sums(first))
	for i, sum := range sums(another)[:4] {
		require.NotEqual(t, sums(first)[i], sum)
	}
}

func TestEdgesLabelsAndPartsOfAGeneratedGraph(t *testing.T) {
	spec := Generation{Nodes: 3_000, Degree: 80, Classes: 7, Features: 1, Seed: 4}
	g := generated(t, spec)
	require.Equal(t, 3_000*80/2, g.counts().edges)
	own, rng := 0., rand.New(rand.NewPCG(1, 2))
	const draws = 100_000
	for range draws {
		u, v := spec.edge(rng)
		if spec.community(u) == spec.community(v) {
			own++
		}
	}
	require.InDelta(t, 0.6+0.4/7, own/draws, 0.01, "share of edges within a community")
	matching := 0
	for i, label := range g.Labels {
		if spec.community(i) == int(label) {
			matching++
		}
	}
	require.InDelta(t, 0.8+0.2/7, float64(matching)/float64(g.Nodes()), 0.02)
	require.Len(t, g.Of(Training), 240)
	require.Len(t, g.Of(Validation), 60)
	require.Empty(t, g.Of(None))

	mean := func(of Part) (degree float64) {
		nodes := g.Of(of)
		for _, i := range nodes {
			degree += float64(g.Degree(i)) / float64(len(nodes))
		}
		return degree
	}
	require.Greater(t, mean(Training), 3*mean(Test), "training nodes have the highest degrees")
}

// A feature has mean ±0.25 by label, and variance 1.
func TestGeneratedFeaturesAreInformativeAndNoisy(t *testing.T) {
	g := generated(t, Generation{Nodes: 20_000, Degree: 1, Classes: 2, Features: 1, Seed: 3})
	var of [2][]float64
	for i, x := range g.X {
		of[g.Labels[i]] = append(of[g.Labels[i]], float64(x))
	}
	for class, x := range of {
		want := -0.25
		if sign(3, class, 0) {
			want = 0.25
		}
		mean, variance := stat.MeanVariance(x, nil)
		require.InDelta(t, want, mean, 0.04)
		require.InDelta(t, 1, variance, 0.04)
	}
}

// The mean of a feature over a class is 0, but the absolute value of the right sum of features is larger in the
// community.
func TestSignlessFeaturesHaveNoLinearSignal(t *testing.T) {
	spec := Generation{Nodes: 10_000, Degree: 2, Classes: 2, Features: 20, Seed: 3, Signless: true}
	g := generated(t, spec)
	var mean, along [2]float64
	for i := range g.Nodes() {
		c, sum, row := spec.community(i), 0.0, make([]float32, 20)
		g.FeaturesOf(i, row)
		mean[c] += float64(row[0]) / 5_000
		for f, x := range row {
			if sign(3, 0, f) {
				sum += float64(x)
			} else {
				sum -= float64(x)
			}
		}
		along[c] += math.Abs(sum) / 5_000
	}
	require.InDelta(t, 0, mean[0], 0.06)
	require.InDelta(t, 0, mean[1], 0.06)
	require.InDelta(t, 20*0.45, along[0], 0.5, "the community with these signs")
	require.Less(t, along[1], 6.)
	own := 0
	for i := range g.Nodes() {
		for _, j := range g.Row(i) {
			if spec.community(i) == spec.community(int(j)) {
				own++
			}
		}
	}
	require.InDelta(t, 0.25+0.75/2, float64(own)/float64(len(g.Neighbours)), 0.02)
}

func TestIDAndRankAreInverse(t *testing.T) {
	for _, nodes := range []int{1_000, 1_001, 4_096, 99_999} {
		g, seen := Generation{Nodes: nodes}, make([]bool, nodes)
		for rank := range nodes {
			id := g.id(rank)
			require.Equal(t, rank, g.rank(id))
			require.False(t, seen[id])
			seen[id] = true
		}
	}
}

func TestGenerationErrors(t *testing.T) {
	for word, g := range map[string]Generation{"nodes": {Nodes: 10}, "degree": {Degree: -1}, "classes": {Classes: 1},
		"features": {Features: 20_000}} {
		_, err := Generate(g)
		require.ErrorContains(t, err, word)
	}
}
