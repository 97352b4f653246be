package ogb

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/gomlx/compute/dtypes/float16"
	"github.com/stretchr/testify/require"
)

// A number becomes the nearest of all float16, found among them, and of two the even one.
func TestNumbersAreRoundedToTheNearestHalf(t *testing.T) {
	const infinite = 0x7c00
	value := func(bits int) float64 { return float64(float16.FromBits(uint16(bits)).Float32()) }
	check := func(x float32) {
		above := sort.Search(infinite-1, func(bits int) bool { return value(bits) >= math.Abs(float64(x)) })
		below := max(0, above-1)
		nearest := above
		to, from := value(above)-math.Abs(float64(x)), math.Abs(float64(x))-value(below)
		if from < to || from == to && below%2 == 0 {
			nearest = below
		}
		want := value(nearest)
		require.Equal(t, math.Copysign(want, float64(x)), float64(half(x).Float32()), "%g", x)
		require.LessOrEqual(t, math.Abs(want-math.Abs(float64(x))), max(0x1p-25, math.Abs(float64(x))*0x1p-11), "%g", x)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100_000 {
		check(float32(math.Ldexp(2*rng.Float64()-1, rng.IntN(46)-30)))
	}
	for bits := range infinite - 1 { // ties
		check(float32(value(bits)+value(bits+1)) / 2)
	}
}

func TestFeaturesInHalfTheSpace(t *testing.T) {
	spec := Generation{Nodes: 2_000, Degree: 2, Classes: 3, Features: 40, Seed: 5}
	full := Conversion{From: generated(t, spec), To: filepath.Join(t.TempDir(), "full"), Name: GeneratedName,
		Split: Split, Classes: 3}
	rounded := full
	rounded.To, rounded.Float16 = filepath.Join(t.TempDir(), "half"), true
	require.NoError(t, full.Convert(context.Background()))
	require.NoError(t, rounded.Convert(context.Background()))
	f, h := opened(t, full.To), opened(t, rounded.To)
	require.Nil(t, f.Half)
	require.Nil(t, h.X)
	require.Len(t, h.Half, 2_000*40)
	require.Equal(t, f.Neighbours, h.Neighbours)
	x, y := make([]float32, 40), make([]float32, 40)
	for i := range f.Nodes() {
		f.FeaturesOf(i, x)
		h.FeaturesOf(i, y)
		require.Equal(t, f.X[i*40:(i+1)*40], x)
		for j := range x {
			require.InDelta(t, x[j], y[j], max(0x1p-25, math.Abs(float64(x[j]))*0x1p-11))
		}
	}
}

// Features that are stored in another way take the place of those that are there.
func TestFeaturesAreStoredAnew(t *testing.T) {
	c := raw(t, nil)
	require.NoError(t, c.Convert(context.Background()))
	c.Float16 = true
	require.NoError(t, c.Convert(context.Background()))
	g, row := opened(t, c.To), make([]float32, 2)
	g.FeaturesOf(4, row)
	require.Equal(t, []float32{5, 6}, row)
	_, err := os.Stat(filepath.Join(c.To, featuresFile))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestFeaturesThatNoHalfHolds(t *testing.T) {
	c := raw(t, map[string]string{featuresText: "0,1\n0.5,2\n1,65519\n3,-65520\n5,6\n"})
	c.Float16 = true
	require.ErrorContains(t, c.Convert(context.Background()),
		"node-feat.csv.gz, line 4: -65520 is too large for float16, which ends at 65504")
}
