package graphs

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/testkit"
)

var smallGraph = Generation{Nodes: 1_000, Degree: 4, Classes: 5, Features: 3, Seed: 2}

func TestGeneratedGraph(t *testing.T) {
	require.Equal(t, testkit.Must(Generate(smallGraph)), testkit.Must(Generate(smallGraph)))
	g := Generation{Nodes: 20_000, Degree: 8, Classes: 2, Features: 1, Seed: 3}
	d := testkit.Must(Generate(g))
	own, rng := 0., rand.New(rand.NewPCG(1, 2))
	const draws = 100_000
	for range draws {
		if u, v := g.edge(rng); u%2 == v%2 {
			own++
		}
	}
	require.InDelta(t, 0.6+0.4/2, own/draws, 0.01, "share of edges within a community")
	matching, of := 0., [2][]float64{}
	for i, label := range d.Labels {
		of[label] = append(of[label], float64(d.X[i]))
		if i%2 == label {
			matching++
		}
	}
	require.InDelta(t, 0.8+0.2/2, matching/float64(d.Nodes()), 0.01)
	for _, x := range of {
		mean, variance := stat.MeanVariance(x, nil)
		require.InDelta(t, 0.25, math.Abs(mean), 0.04)
		require.InDelta(t, 1, variance, 0.04)
	}
	require.Len(t, d.Of(Training), 1_600)
	require.Len(t, d.Of(Validation), 400)
	require.Empty(t, d.Of(None))
	mean := func(of Part) (degree float64) {
		nodes := d.Of(of)
		for _, i := range nodes {
			degree += float64(d.Degree(i)) / float64(len(nodes))
		}
		return degree
	}
	require.Greater(t, mean(Training), 3*mean(Test), "training nodes have the highest degrees")
}
