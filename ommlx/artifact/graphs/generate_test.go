package graphs

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

var smallGraph = Generation{Nodes: 1_000, Degree: 4, Classes: 5, Features: 3, Seed: 2}

func TestGeneratedGraphIsBitReproducible(t *testing.T) {
	require.Equal(t, Generation{Nodes: 100_000, Degree: 50, Classes: 47, Features: 100}, Generation{}.WithDefaults())
	sums := func(g Generation) (all []string) {
		d := testkit.Must(Generate(g))
		var labels []uint16
		for _, label := range d.Labels {
			labels = append(labels, uint16(label))
		}
		for _, array := range []any{d.Offsets, d.Neighbours, d.X, labels, d.Parts} {
			var bytes []byte
			all = append(all, fsx.SHA256Of(testkit.Must(binary.Append(bytes, binary.LittleEndian, array))))
		}
		return all
	}
	require.Equal(t, []string{
		"710e3d43e3b7f0e23fe9c6f11c0c15f0cfea6df36b01c2e40bd5d907d7f99b82",
		"a9575b6adbff84e489ea8d893334b31640c7746fad7f2534f96e551fc4ab67c7",
		"9525d127537da06bcccb27a08473fdc4d894ec2afdc3bb08ee70d7f9499f48c7",
		"48e64888a3d719e0719e3e32f0f1716fa7e6979bdf3adc3a338744c49322dfb1",
		"7655dcf1f8a06a62c25574645bcd8576090fe1f2dc946e9da79316da1e0c6dd2",
	}, sums(smallGraph))
	other := smallGraph
	other.Seed++
	for i, sum := range sums(other)[:4] {
		require.NotEqual(t, sums(smallGraph)[i], sum)
	}
}

func TestEdgesLabelsAndPartsOfAGeneratedGraph(t *testing.T) {
	spec := Generation{Nodes: 3_000, Degree: 80, Classes: 7, Features: 1, Seed: 4}
	d := testkit.Must(Generate(spec))
	own, rng := 0., rand.New(rand.NewPCG(1, 2))
	const draws = 100_000
	for range draws {
		if u, v := spec.edge(rng); u%7 == v%7 {
			own++
		}
	}
	require.InDelta(t, 0.6+0.4/7, own/draws, 0.01, "share of edges within a community")
	matching := 0
	for i, community := range spec.communities(spec.ids()) {
		if community == d.Labels[i] {
			matching++
		}
	}
	require.InDelta(t, 0.8+0.2/7, float64(matching)/float64(d.Nodes()), 0.02)
	require.Len(t, d.Of(Training), 240)
	require.Len(t, d.Of(Validation), 60)
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

// A feature has mean ±0.25 by label, and variance 1.
func TestGeneratedFeaturesAreInformativeAndNoisy(t *testing.T) {
	d := testkit.Must(Generate(Generation{Nodes: 20_000, Degree: 1, Classes: 2, Features: 1, Seed: 3}))
	var of [2][]float64
	for i, x := range d.X {
		of[d.Labels[i]] = append(of[d.Labels[i]], float64(x))
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
