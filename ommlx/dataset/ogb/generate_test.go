package ogb

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
)

// table reads a text file in the plainest way.
func table(t *testing.T, dir, file string) [][]string {
	t.Helper()
	packed := testkit.Must(os.Open(filepath.Join(dir, file)))
	defer packed.Close()
	text := testkit.Must(gzip.NewReader(packed))
	return testkit.Must(csv.NewReader(text).ReadAll())
}

func generated(t *testing.T, g Generation) (dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, g.Generate(context.Background(), dir, nil))
	return dir
}

// A converted graph is what a plain reading of the text files gives; they are longer than a block.
func TestAGeneratedGraphIsConverted(t *testing.T) {
	spec := Generation{Nodes: 3_000, Degree: 80, Classes: 7, Features: 120, Seed: 4}
	dir := generated(t, spec)
	c := Conversion{From: dir, To: filepath.Join(t.TempDir(), "graph"), Name: GeneratedName, Split: Split, Classes: 7}
	require.NoError(t, c.Convert(context.Background()))
	g := opened(t, c.To)

	type edge [2]uint32
	edges, loops, repeated := map[edge]bool{}, 0, 0
	inCommunity, all := 0, 0
	labels := table(t, dir, labelsText)
	for _, row := range table(t, dir, edgesText) {
		u := testkit.Must(strconv.Atoi(row[0]))
		v := testkit.Must(strconv.Atoi(row[1]))
		e := edge{uint32(min(u, v)), uint32(max(u, v))}
		switch {
		case u == v:
			loops++
		case edges[e]:
			repeated++
		}
		if u != v {
			edges[e] = true
		}
		all++
		if spec.community(u) == spec.community(v) {
			inCommunity++
		}
	}
	require.Equal(t, [3]int{loops, repeated, len(edges)}, [3]int{int(g.SelfLoops), int(g.Repeated), g.Edges()})
	for i := range g.Nodes() {
		for _, j := range g.Row(i) {
			require.True(t, edges[edge{min(uint32(i), j), max(uint32(i), j)}])
		}
	}
	require.Equal(t, spec.Nodes*spec.Degree/2, all)
	require.InDelta(t, 0.6+0.4/7, float64(inCommunity)/float64(all), 0.01, "edges stay in their community")
	for i, row := range table(t, dir, featuresText) {
		x := testkit.Must(strconv.ParseFloat(row[i%120], 32))
		require.InDelta(t, x, g.X[i*120+i%120], 0)
	}
	ofTheirs := 0
	for i, row := range labels {
		require.Equal(t, row[0], strconv.Itoa(int(g.Labels[i])))
		if spec.community(i) == int(g.Labels[i]) {
			ofTheirs++
		}
	}
	require.InDelta(t, 0.8+0.2/7, float64(ofTheirs)/float64(g.Nodes()), 0.02)
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
	require.Greater(t, mean(Training), 3*mean(Test), "the best-selling products are for training")
}

// Features have mean ±0.25 by label, and variance 1 about it.
func TestGeneratedFeaturesAreInformativeAndNoisy(t *testing.T) {
	spec := Generation{Nodes: 20_000, Degree: 1, Classes: 2, Features: 1, Seed: 3}
	dir := generated(t, spec)
	sum, square, n := [2]float64{}, [2]float64{}, [2]float64{}
	labels := table(t, dir, labelsText)
	for i, row := range table(t, dir, featuresText) {
		x := testkit.Must(strconv.ParseFloat(row[0], 64))
		c := labels[i][0][0] - '0'
		sum[c], square[c], n[c] = sum[c]+x, square[c]+x*x, n[c]+1
	}
	for c := range n {
		mean := sum[c] / n[c]
		want := -0.25
		if sign(3, c, 0) {
			want = 0.25
		}
		require.InDelta(t, want, mean, 0.04)
		require.InDelta(t, 1, square[c]/n[c]-mean*mean, 0.04)
	}
}

// Without signs the mean of a feature over a class says nothing, and the absolute value of the right sum of features
// does: it is larger in the community.
func TestSignlessFeaturesSayNothingLinearly(t *testing.T) {
	spec := Generation{Nodes: 10_000, Degree: 2, Classes: 2, Features: 20, Seed: 3, Signless: true}
	dir := generated(t, spec)
	var mean, along [2]float64
	for i, row := range table(t, dir, featuresText) {
		c, sum := spec.community(i), 0.0
		for f, text := range row {
			x, err := strconv.ParseFloat(text, 64)
			require.NoError(t, err)
			if f == 0 {
				mean[c] += x / 5_000
			}
			if sign(3, 0, f) {
				sum += x
			} else {
				sum -= x
			}
		}
		along[c] += math.Abs(sum) / 5_000
	}
	require.InDelta(t, 0, mean[0], 0.06)
	require.InDelta(t, 0, mean[1], 0.06)
	require.InDelta(t, 20*0.45, along[0], 0.5, "of the community whose signs these are")
	require.Less(t, along[1], 6.)
	own, all := 0, 0
	for _, row := range table(t, dir, edgesText) {
		u, err := strconv.Atoi(row[0])
		require.NoError(t, err)
		v, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		if all++; spec.community(u) == spec.community(v) {
			own++
		}
	}
	require.InDelta(t, 0.25+0.75/2, float64(own)/float64(all), 0.02)
	folder, err := spec.folder()
	require.NoError(t, err)
	require.Equal(t, "10000-2-2-20-3-signless", filepath.Base(folder))
}

func TestGeneratedGraphsAreThoseOfTheirSeed(t *testing.T) {
	small := Generation{Nodes: 1_000, Degree: 4, Features: 3, Seed: 1}
	content := func(g Generation, file string) string {
		text := testkit.Must(os.ReadFile(filepath.Join(generated(t, g), file)))
		return string(text)
	}
	other := small
	other.Seed = 2
	for _, file := range []string{edgesText, featuresText} {
		require.Equal(t, content(small, file), content(small, file))
		require.NotEqual(t, content(small, file), content(other, file))
	}
	require.Equal(t, Generation{Nodes: 100_000, Degree: 50, Classes: 47, Features: 100}, Generation{}.WithDefaults())
}

func TestNumbersOfNodesAreScattered(t *testing.T) {
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

func TestGraphsThatAreNotGenerated(t *testing.T) {
	for word, g := range map[string]Generation{"not 10": {Nodes: 10}, "1 to 1000 edges of a node, not -1": {Degree: -1},
		"2 to 1000 classes, not 1": {Classes: 1}, "features, not 20000": {Features: 20_000}} {
		require.ErrorContains(t, g.Generate(context.Background(), t.TempDir(), nil), word)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	dir := t.TempDir()
	require.ErrorIs(t, Generation{Nodes: 1_000}.Generate(ctx, dir, nil), context.Canceled)
	files := testkit.Must(filepath.Glob(filepath.Join(dir, "raw", "*")))
	require.Empty(t, files)
}
