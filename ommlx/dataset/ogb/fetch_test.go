package ogb

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/testkit"
)

var small = Generation{Nodes: 1_000, Degree: 4, Classes: 5, Features: 3, Seed: 2}

func TestAGeneratedGraphIsMadeOnce(t *testing.T) {
	dir := filepath.Join(isolate(t), "generated-graph", "1000-4-5-3-2")
	last, told := 0.0, []string{}
	g := testkit.Must(FetchGenerated(t.Context(), small, func(what string, fraction float64) {
		require.GreaterOrEqual(t, fraction, last)
		last = fraction
		told = append(told, what)
	}))
	require.EqualValues(t, 1, last)
	require.Contains(t, told, "generating raw/edge.csv.gz")
	require.Contains(t, told, "converting split/sales_ranking/test.csv.gz")
	require.Equal(t, counts{nodes: 1_000, features: 3, classes: 5, edges: 2_000}, g.counts())
	require.Equal(t, []string{GeneratedName, filepath.Join(dir, "arrays")}, []string{g.Name, g.Dir})
	require.NoError(t, g.Close())
	require.NoDirExists(t, filepath.Join(dir, "text"))

	g, err := FetchGenerated(t.Context(), small, func(what string, _ float64) { t.Error("made again: " + what) })
	require.NoError(t, err)
	require.NoError(t, g.Close())
}

// Wherever it is cut off, nothing stays of it, and the next call makes it.
func TestAGeneratedGraphIsCutOff(t *testing.T) {
	dir := filepath.Join(isolate(t), "generated-graph", "1000-4-5-3-2")
	cause := errors.New("the power failed")
	for _, at := range []string{"generating raw/node-feat.csv.gz", "converting raw/node-feat.csv.gz"} {
		ctx, stop := context.WithCancelCause(t.Context())
		_, err := FetchGenerated(ctx, small, func(what string, _ float64) {
			if what == at {
				stop(cause)
			}
		})
		require.ErrorIs(t, err, cause)
		require.EqualError(t, err, "stopped (the power failed); the same command makes the arrays, of which none are "+
			"there, anew")
		// What a process leaves that is killed in the middle of a file.
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "text", "raw"), 0o755))
	}
	g := testkit.Must(FetchGenerated(t.Context(), small, nil))
	require.NoError(t, g.Close())
	left := testkit.Must(filepath.Glob(filepath.Join(dir, "*")))
	require.Equal(t, []string{filepath.Join(dir, "arrays")}, left)
}

// Two at the same time give one graph, and both open it.
func TestTwoFetchTheSameGraph(t *testing.T) {
	isolate(t)
	made := make([]int, 2)
	var both sync.WaitGroup
	for i := range made {
		both.Go(func() {
			g, err := FetchGenerated(t.Context(), small, func(what string, _ float64) {
				if what == "generating raw/num-node-list.csv.gz" {
					made[i] = 1
				}
			})
			if assert.NoError(t, err) {
				assert.NoError(t, g.Close())
			}
		})
	}
	both.Wait()
	require.Equal(t, 1, made[0]+made[1])
}

func TestAGraphThatCannotBeFetched(t *testing.T) {
	data := isolate(t)
	_, err := FetchGenerated(t.Context(), Generation{Nodes: 10_000_000, Degree: 1_000, Features: 10_000}, nil)
	require.ErrorContains(t, err, "the generated graph needs 802.6 GB")
	_, err = FetchGenerated(t.Context(), Generation{Nodes: 10}, nil)
	require.ErrorContains(t, err, "not 10")
	require.NoError(t, os.RemoveAll(filepath.Join(data, "generated-graph")))
	require.NoError(t, os.WriteFile(filepath.Join(data, "generated-graph"), nil, 0o644))
	_, err = FetchGenerated(t.Context(), small, nil)
	require.ErrorContains(t, err, "cannot write data to "+filepath.Join(data, "generated-graph"))
}

// isolate points the data folder at an empty one, and the others at none; likeProducts is in the place of
// ogbn-products.
func isolate(t *testing.T) (data string) {
	t.Helper()
	published := products
	t.Cleanup(func() { products = published })
	products = numbersOfThat
	data = t.TempDir()
	t.Setenv(dataset.DataVariable, data)
	t.Setenv(fsx.CacheVariable, t.TempDir())
	t.Chdir(t.TempDir())
	return data
}

func TestProductsAreOpenedFromTheirPlace(t *testing.T) {
	published := products
	data := isolate(t)
	_, err := OpenProducts()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, filepath.Join(data, "ogbn-products", "arrays"))
	require.ErrorContains(t, err, "`omm data get ogbn-products`")
	require.ErrorContains(t, err, "`omm data convert ogbn-products --from DIR`")

	c := raw(t, nil)
	c.To = filepath.Join(data, "ogbn-products", "arrays")
	require.NoError(t, c.Convert(context.Background()))
	products = counts{nodes: 5, features: 2, classes: 3, edges: 7}
	g := testkit.Must(OpenProducts())
	require.Equal(t, 5, g.Nodes())
	require.NoError(t, g.Close())

	require.NoError(t, os.Truncate(filepath.Join(c.To, labelsFile), 1))
	_, err = OpenProducts()
	require.ErrorContains(t, err, "labels.u16 has 1 bytes")
	require.NotErrorIs(t, err, fs.ErrNotExist)

	require.NoError(t, c.Convert(context.Background()))
	products = published
	_, err = OpenProducts()
	require.EqualError(t, err, "the graph in "+c.To+" is not ogbn-products: it has 5 nodes, 7 edges, 2 features and "+
		"3 classes, expected 2449029 nodes, 61859140 edges, 100 features and 47 classes; "+
		"delete the folder and run `omm data get ogbn-products`")
}

func TestStatus(t *testing.T) {
	data := isolate(t)
	arrays := filepath.Join(data, "ogbn-products", "arrays")
	now := func() dataset.FileStatus { return testkit.Must(ProductsStatus()) }
	require.Equal(t, dataset.FileStatus{Name: "ogbn-products", State: dataset.Missing, Path: arrays}, now())
	require.NoError(t, ConvertProducts(t.Context(), generated(t, likeProducts), nil))
	require.Equal(t, dataset.FileStatus{Name: "ogbn-products", State: dataset.Correct, Path: arrays}, now())
	products.nodes++
	s := now()
	require.Equal(t, dataset.Altered, s.State)
	require.ErrorContains(t, s.Err, "it has 1000 nodes")

	all := testkit.Must(OtherStatus())
	require.Empty(t, all)
	g := testkit.Must(FetchGenerated(t.Context(), small, nil))
	require.NoError(t, g.Close())
	other := filepath.Join(data, "generated-graph", "unfinished", "text")
	require.NoError(t, os.MkdirAll(other, 0o755))
	all = testkit.Must(OtherStatus())
	require.Equal(t, []dataset.FileStatus{{Name: "generated-graph/1000-4-5-3-2", State: dataset.Correct,
		Path: filepath.Join(data, "generated-graph", "1000-4-5-3-2", "arrays")}}, all)
}
