package ogb

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

var (
	small = Generation{Nodes: 1_000, Degree: 4, Classes: 5, Features: 3, Seed: 2}
	// likeProducts stands in for ogbn-products.
	likeProducts = Generation{Nodes: 1_000, Degree: 10, Classes: 5, Features: 30, Seed: 3}
)

func TestOpenDetectsDamageInEveryFile(t *testing.T) {
	dir, g := t.TempDir(), testkit.Must(Generate(small))
	require.NoError(t, g.Save(dir))
	require.Equal(t, g, testkit.Must(open(dir)))
	for _, file := range []string{descriptionFile, offsetsFile, neighboursFile, featuresFile, labelsFile, partsFile} {
		testkit.FindsDamage(t, filepath.Join(dir, file), func() (any, error) { return open(dir) })
	}
}

// Saving removes the description of an earlier graph first.
func TestUnfinishedGraphIsNotOpened(t *testing.T) {
	dir, g := t.TempDir(), testkit.Must(Generate(small))
	require.NoError(t, g.Save(dir))
	path := filepath.Join(dir, offsetsFile)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.MkdirAll(filepath.Join(path, "in the way"), 0o755))
	require.ErrorContains(t, g.Save(dir), offsetsFile)
	_, err := open(dir)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// zipped returns an archive like the published one with the text files of likeProducts, except one.
func zipped(t *testing.T, without string) []byte {
	t.Helper()
	dir := textOf(t, testkit.Must(Generate(likeProducts)))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range append(parts(productsSplit), nodesText, edgesText, featuresText, labelsText) {
		if file != without {
			member := testkit.Must(w.Create("products/" + file))
			testkit.Must(member.Write(testkit.Must(os.ReadFile(filepath.Join(dir, file)))))
		}
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestGetProducts(t *testing.T) {
	var content []byte
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		require.Equal(t, "/products.zip", r.URL.Path)
		_, _ = w.Write(content)
	}))
	defer server.Close()
	data := isolate(t)
	dir := filepath.Join(data, ProductsName, "arrays")
	archive := filepath.Join(data, ProductsName, "products.zip")
	whole := zipped(t, "")
	for name, bad := range map[string][]byte{"cut": whole[:len(whole)/2], "no zip": []byte("<html>"),
		"no labels": zipped(t, labelsText), "altered": bytes.Replace(whole, whole[2000:2010], make([]byte, 10), 1)} {
		content = bad
		require.Error(t, GetProducts(t.Context(), server.URL, io.Discard), name)
		require.NoFileExists(t, archive, "a damaged archive is deleted")
		_, err := OpenProducts()
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	require.ErrorIs(t, testkit.Must(AllStored())[0].Err, fs.ErrNotExist)

	content, requests = whole, 0
	var out bytes.Buffer
	require.NoError(t, GetProducts(t.Context(), server.URL, &out))
	require.NoError(t, GetProducts(t.Context(), server.URL, io.Discard))
	require.Equal(t, 1, requests)
	require.NoFileExists(t, archive)
	require.Contains(t, out.String(), dir)
	require.Contains(t, string(testkit.Must(os.ReadFile(filepath.Join(dir, descriptionFile)))), fsx.SHA256Of(whole))
	want := testkit.Must(Generate(likeProducts))
	require.Equal(t, want.Adjacency, testkit.Must(OpenProducts()).Adjacency)
	require.Equal(t, []Stored{{Name: ProductsName, Dir: dir}}, testkit.Must(AllStored()))

	products.nodes++
	_, err := OpenProducts()
	require.ErrorContains(t, err, "1001", "a graph with other counts")
	require.ErrorContains(t, Text{Name: ProductsName, From: textOf(t, want)}.Convert(t.Context(), io.Discard), "1001")
}
