package ogb

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
)

// isolate points the data folder at an empty one, and the others at none.
func isolate(t *testing.T) (data string) {
	t.Helper()
	data = t.TempDir()
	t.Setenv(dataset.DataVariable, data)
	t.Setenv(fsx.CacheVariable, t.TempDir())
	t.Chdir(t.TempDir())
	return data
}

// numbersOfFive are those of the graph five.
var numbersOfFive = counts{nodes: 5, features: 2, classes: 3, edges: 7}

func TestProductsAreOpenedFromTheirPlace(t *testing.T) {
	data := isolate(t)
	_, err := OpenProducts()
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, filepath.Join(data, "ogbn-products", "arrays"))
	require.ErrorContains(t, err, "`omm data get ogbn-products`")
	require.ErrorContains(t, err, "`omm data convert ogbn-products --from DIR`")

	c := raw(t, nil)
	c.To = filepath.Join(data, "ogbn-products", "arrays")
	require.NoError(t, c.Convert(context.Background()))
	g, err := openProducts(numbersOfFive)
	require.NoError(t, err)
	require.Equal(t, 5, g.Nodes())
	require.NoError(t, g.Close())

	_, err = OpenProducts()
	require.EqualError(t, err, "the graph in "+c.To+" is not ogbn-products: it has 5 nodes, 7 edges, 2 features and "+
		"3 classes, expected 2449029 nodes, 61859140 edges, 100 features and 47 classes; "+
		"delete the folder and run `omm data get ogbn-products`")

	require.NoError(t, os.Truncate(filepath.Join(c.To, labelsFile), 1))
	_, err = openProducts(numbersOfFive)
	require.ErrorContains(t, err, "labels.u16 has 1 bytes")
	require.NotErrorIs(t, err, fs.ErrNotExist)
}
