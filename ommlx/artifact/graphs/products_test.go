package graphs

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// A generated graph stands in for ogbn-products.
func TestGetProducts(t *testing.T) {
	want := testkit.Must(Generate(Generation{Nodes: 1_000, Degree: 10, Classes: 5, Features: 30, Seed: 3}))
	data := isolate(t, counts{nodes: 1_000, edges: want.Edges(), features: 30, classes: 5, training: 80})
	files := packed(t, rawText(want))
	without := maps.Clone(files)
	delete(without, labelsText)
	var content []byte
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		require.Equal(t, "/products.zip", r.URL.Path)
		_, _ = w.Write(content)
	}))
	defer server.Close()
	archive, whole := filepath.Join(data, ProductsName, "products.zip"), zipped(t, files)
	altered := bytes.Clone(whole)
	clear(altered[len(whole)/2 : len(whole)/2+10])
	for name, bad := range map[string][]byte{"cut": whole[:len(whole)/2], "no zip": []byte("<html>"),
		"no labels": zipped(t, without), "altered": altered} {
		content = bad
		require.Error(t, GetProducts(t.Context(), server.URL, io.Discard), name)
		require.NoFileExists(t, archive, "a damaged archive is deleted")
		_, err := Experiment{Graph: ProductsName}.open()
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	content, requests = whole, 0
	require.NoError(t, GetProducts(t.Context(), server.URL, io.Discard))
	require.NoError(t, GetProducts(t.Context(), server.URL, io.Discard))
	require.Equal(t, 1, requests)
	require.Equal(t, want, testkit.Must(Experiment{Graph: ProductsName}.open()))

	products.nodes++
	require.ErrorContains(t, GetProducts(t.Context(), server.URL, io.Discard), "1001", "a graph with other counts")
	require.NoFileExists(t, archive)
}
