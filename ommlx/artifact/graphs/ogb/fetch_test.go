package ogb

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

var small = Generation{Nodes: 1_000, Degree: 4, Classes: 5, Features: 3, Seed: 2}

func TestAGeneratedGraphIsMadeOnce(t *testing.T) {
	arrays := filepath.Join(isolate(t), "generated-graph", "1000-4-5-3-2", "arrays")
	g := testkit.Must(FetchGenerated(t.Context(), small))
	require.Equal(t, counts{nodes: 1_000, features: 3, classes: 5, edges: 2_000}, g.counts())
	require.Equal(t, []string{GeneratedName, arrays}, []string{g.Name, g.Dir})
	require.NoError(t, g.Close())
	made := testkit.Must(os.Stat(filepath.Join(arrays, descriptionFile)))
	require.NoError(t, testkit.Must(FetchGenerated(t.Context(), small)).Close())
	require.Equal(t, made.ModTime(), testkit.Must(os.Stat(filepath.Join(arrays, descriptionFile))).ModTime())
}

// ending is a context that ends when it is asked for the n-th time.
type ending struct {
	context.Context
	n atomic.Int64
}

func (e *ending) Err() error {
	if e.n.Add(-1) <= 0 {
		return context.Canceled
	}
	return nil
}

// Wherever it is cut off, nothing is there that is opened, and the next call makes it.
func TestAGeneratedGraphIsCutOff(t *testing.T) {
	dir := filepath.Join(isolate(t), "generated-graph", "1000-4-5-3-2")
	for n := range int64(4) {
		ctx := &ending{Context: t.Context()}
		ctx.n.Store(n + 1)
		_, err := FetchGenerated(ctx, small)
		if err == nil {
			require.Positive(t, n)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "the same command makes the arrays, of which none are there, anew")
		_, err = Open(filepath.Join(dir, "arrays"))
		require.ErrorIs(t, err, fs.ErrNotExist)
		// What a process leaves that is killed in the middle of a file.
		require.NoError(t, os.WriteFile(filepath.Join(dir, "arrays", featuresFile+".1.tmp"), nil, 0o644))
	}
	require.NoError(t, testkit.Must(FetchGenerated(t.Context(), small)).Close())
	require.Equal(t, []string{"arrays"}, names(t, dir))
	require.Len(t, names(t, filepath.Join(dir, "arrays")), 6)
}

// The name of the data folder is a name, and no pattern.
func TestADataFolderWithABracket(t *testing.T) {
	t.Setenv(dataset.DataVariable, filepath.Join(isolate(t), "a[b"))
	require.NoError(t, testkit.Must(FetchGenerated(t.Context(), small)).Close())
}

// Two at the same time open one graph.
func TestTwoFetchTheSameGraph(t *testing.T) {
	isolate(t)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			g, err := FetchGenerated(t.Context(), small)
			if assert.NoError(t, err) {
				assert.NoError(t, g.Verify())
				assert.NoError(t, g.Close())
			}
		})
	}
	both.Wait()
}

func TestAGraphThatCannotBeFetched(t *testing.T) {
	data := isolate(t)
	_, err := FetchGenerated(t.Context(), Generation{Nodes: 10_000_000, Degree: 1_000, Features: 10_000})
	require.ErrorContains(t, err, "the generated graph needs 440.1 GB")
	require.NoError(t, os.RemoveAll(filepath.Join(data, "generated-graph")))
	require.NoError(t, os.WriteFile(filepath.Join(data, "generated-graph"), nil, 0o644))
	_, err = FetchGenerated(t.Context(), small)
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
	c.to = filepath.Join(data, "ogbn-products", "arrays")
	require.NoError(t, c.run(t.Context()))
	products = counts{nodes: 5, features: 2, classes: 3, edges: 7}
	g := testkit.Must(OpenProducts())
	require.Equal(t, 5, g.Nodes())
	require.NoError(t, g.Close())

	require.NoError(t, os.Truncate(filepath.Join(c.to, labelsFile), 1))
	_, err = OpenProducts()
	require.ErrorContains(t, err, "labels.u16 has 1 bytes")
	require.NotErrorIs(t, err, fs.ErrNotExist)

	require.NoError(t, c.run(t.Context()))
	products = published
	_, err = OpenProducts()
	require.EqualError(t, err, "the graph in "+c.to+" is not ogbn-products: it has 5 nodes, 7 edges, 2 features and "+
		"3 classes, expected 2449029 nodes, 61859140 edges, 100 features and 47 classes; "+
		"delete the folder and run `omm data get ogbn-products`")
}
