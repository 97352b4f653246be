package graphs

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/dataset/ogb"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/sparse"
)

// generated is the graph of the smoke profile, in a data folder of the test.
func generated(t *testing.T) *ogb.Graph {
	t.Helper()
	t.Setenv(dataset.DataVariable, t.TempDir())
	g := testkit.Must(Quick("omm").smoke().open(t.Context()))
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	return g
}

// Nothing is learned from a graph of which a bit has changed since it was converted.
func TestADamagedGraphIsNotLearnedFrom(t *testing.T) {
	dir := generated(t).Dir
	files := testkit.Must(filepath.Glob(filepath.Join(dir, "*.[uf]*")))
	require.Len(t, files, 5)
	for _, file := range files {
		content := testkit.Must(os.ReadFile(file))
		content[len(content)/2] ^= 4
		require.NoError(t, os.WriteFile(file, content, 0o644))
		_, err := Quick("omm").smoke().Start(graphtest.PureGo(t))
		require.ErrorContains(t, err, file+" is altered")
		content[len(content)/2] ^= 4
		require.NoError(t, os.WriteFile(file, content, 0o644))
	}
}

// Unseen nodes have no edge, and the others have theirs to each other.
func TestUnseenNodesHaveNoEdges(t *testing.T) {
	g := generated(t)
	s := look(g, 0.3)
	require.InDelta(t, 0.3, float64(len(s.unseen))/float64(len(s.unseen)+len(s.test)), 0.05)
	require.Equal(t, g.Of(ogb.Test), slices.Sorted(slices.Values(slices.Concat(s.test, s.unseen))))
	hidden := map[int]bool{}
	for _, i := range s.unseen {
		hidden[i] = true
	}
	for i := range g.Nodes() {
		var want []uint32
		for _, j := range g.Row(i) {
			if !hidden[i] && !hidden[int(j)] {
				want = append(want, j)
			}
		}
		require.ElementsMatch(t, want, s.seen.Row(i), i)
	}
	require.Equal(t, g.Adjacency, look(g, 0).seen)
	require.Empty(t, look(g, 0).unseen)
}

// On a graph of five nodes every pair of blocks is enumerated, each node in a block with probability q.
func TestTheBlockScaleIsThatOfRandomBlocks(t *testing.T) {
	const n, b = 5, 2
	builder := sparse.NewBuilder(n)
	builder.Add([]uint32{0, 1, 0, 2, 1, 2, 2, 3})
	a, _ := builder.Build()
	s := &sight{Graph: &ogb.Graph{Adjacency: a}, seen: a}
	q := float64(b) / n
	sum, nodes := 0.0, 0.0
	for first := range 1 << n {
		for second := range 1 << n {
			chance := 1.0
			for i := range 2 * n {
				if first>>i&1 == 1 || i >= n && second>>(i-n)&1 == 1 {
					chance *= q
				} else {
					chance *= 1 - q
				}
			}
			rows := 0
			for i := range n {
				meets := false
				for _, j := range a.Row(i) {
					if first>>i&1 == 1 && second>>j&1 == 1 {
						sum += chance / math.Sqrt(float64(a.Degree(i)*a.Degree(int(j))))
						meets = true
					}
				}
				if meets {
					rows++
				}
			}
			nodes += chance * float64(rows)
		}
	}
	assert.InDelta(t, 10*sum/nodes, s.blockScale(b), 1e-12)
}
