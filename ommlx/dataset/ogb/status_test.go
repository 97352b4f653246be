package ogb

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/dataset"
)

func TestStatus(t *testing.T) {
	data := isolate(t)
	arrays := filepath.Join(data, "ogbn-products", "arrays")
	now := func() dataset.FileStatus {
		s, err := productsStatus(numbersOfThat)
		require.NoError(t, err)
		return s
	}
	require.Equal(t, dataset.FileStatus{Name: "ogbn-products", State: dataset.Missing, Path: arrays}, now())
	require.NoError(t, Products{}.convert(t.Context(), generated(t, likeProducts), numbersOfThat, nil))
	require.Equal(t, dataset.FileStatus{Name: "ogbn-products", State: dataset.Correct, Path: arrays}, now())
	s, err := ProductsStatus()
	require.NoError(t, err)
	require.Equal(t, dataset.Altered, s.State)
	require.ErrorContains(t, s.Err, "it has 1000 nodes")

	all, err := GeneratedStatus()
	require.NoError(t, err)
	require.Empty(t, all)
	g, err := FetchGenerated(t.Context(), small, nil)
	require.NoError(t, err)
	require.NoError(t, g.Close())
	other := filepath.Join(data, "generated-graph", "unfinished", "text")
	require.NoError(t, os.MkdirAll(other, 0o755))
	all, err = GeneratedStatus()
	require.NoError(t, err)
	require.Equal(t, []dataset.FileStatus{{Name: "generated-graph/1000-4-5-3-2", State: dataset.Correct,
		Path: filepath.Join(data, "generated-graph", "1000-4-5-3-2", "arrays")}}, all)
}
