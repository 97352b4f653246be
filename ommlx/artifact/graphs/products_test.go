package graphs

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// isolate points the data folders at empty ones and replaces the counts of ogbn-products.
func isolate(t *testing.T, replaced counts) (data string) {
	t.Helper()
	published := products
	t.Cleanup(func() { products = published })
	data, products = t.TempDir(), replaced
	t.Setenv(run.DataVariable, data)
	t.Setenv(fsx.CacheVariable, t.TempDir())
	t.Chdir(t.TempDir())
	return data
}

// five is a graph of five nodes: a triangle 0-1-2, the edge 2-3 three times, and node 4 with only a self-loop.
var five = map[string]string{
	edgesText:    "0,1\n2,1\r\n2,0\n3,2\n2,3\n3,2\n4,4",
	featuresText: "0,1\n0.5,-1e-3\n1,2\n3,4\n5,6\n", labelsText: "0\n1\n2\n0\n1\n",
	partsText[0]: "3\n0\n", partsText[1]: "4\n", partsText[2]: "1\n",
}

var countsOfFive = counts{nodes: 5, edges: 7, features: 2, classes: 3, training: 2}

// packed returns compressed text files.
func packed(t *testing.T, texts map[string]string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for file, text := range texts {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		testkit.Must(w.Write([]byte(text)))
		require.NoError(t, w.Close())
		files[file] = &fstest.MapFile{Data: out.Bytes()}
	}
	return files
}

func readText(ctx context.Context, files fs.FS) (*Dataset, error) {
	return (&textReader{ctx: ctx, files: files, out: io.Discard}).products()
}

// zipped returns an archive like the published one.
func zipped(t *testing.T, files fstest.MapFS) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	require.NoError(t, w.AddFS(files))
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestTextFilesBecomeAGraph(t *testing.T) {
	isolate(t, countsOfFive)
	d := testkit.Must(readText(t.Context(), packed(t, five)))
	require.Equal(t, []uint64{0, 2, 4, 7, 8, 8}, d.Offsets)
	require.Equal(t, []uint32{1, 2, 0, 2, 0, 1, 3, 2}, d.Neighbours)
	require.Equal(t, []float32{0, 1, 0.5, -1e-3, 1, 2, 3, 4, 5, 6}, d.X)
	require.Equal(t, []int{0, 1, 2, 0, 1}, d.Labels)
	require.Equal(t, []Part{Training, Test, None, Training, Validation}, d.Parts)
	require.Equal(t, []int{0, 3}, d.Of(Training))
	require.Equal(t, [3]int{5, 2, 3}, [3]int{d.Nodes(), d.Features, d.Classes})
}

func TestEveryByteOfAGraphShowsDamage(t *testing.T) {
	isolate(t, countsOfFive)
	path := filepath.Join(t.TempDir(), "products.zip")
	require.NoError(t, os.WriteFile(path, zipped(t, packed(t, five)), 0o644))
	testkit.FindsDamage(t, path, func() (any, error) { return readProducts(t.Context(), path, io.Discard) })
}

func TestErrorsNameTheFileAndTheLine(t *testing.T) {
	isolate(t, countsOfFive)
	for _, c := range []struct{ file, text, at string }{
		{edgesText, "0,1\n0,5\n", "edge.csv.gz, line 2"}, {edgesText, "-1,0\n", "line 1"},
		{edgesText, "0,1\n1,2,3\n", "line 2"}, {edgesText, "0,\n", "line 1"},
		{featuresText, "0,1\n0.5\n", "node-feat.csv.gz, line 2"}, {featuresText, "0,1\n0.5,x\n", "line 2"},
		{featuresText, "0,1\n0.5,NaN\n", "line 2"}, {featuresText, "0,1\n0,1e39\n", "line 2"},
		{featuresText, "0\n1\n2\n3\n", "line 1"}, {featuresText, "0,1\n2,3\n", "4 features"},
		{labelsText, "0\n1\n2\n0\n1\n1\n", "6 labels"},
		{labelsText, "0\n1\n70000\n", "node-label.csv.gz, line 3"}, {labelsText, "", "0 labels"},
		{partsText[2], "1\n2\n3\n", "test.csv.gz: node 3"},
		{partsText[1], "9\n", "valid.csv.gz, line 1"},
	} {
		texts := maps.Clone(five)
		texts[c.file] = c.text
		_, err := readText(t.Context(), packed(t, texts))
		require.ErrorContains(t, err, c.at, "%s: %q", c.file, c.text)
	}
}

func TestDamagedTextFilesReturnErrors(t *testing.T) {
	isolate(t, countsOfFive)
	files := packed(t, five)
	whole := files[edgesText].Data
	files[edgesText].Data = whole[:len(whole)-9]
	_, err := readText(t.Context(), files)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	files[edgesText].Data = []byte("0,1\n")
	_, err = readText(t.Context(), files)
	require.ErrorContains(t, err, edgesText)
	delete(files, edgesText)
	_, err = readText(t.Context(), files)
	require.ErrorIs(t, err, fs.ErrNotExist)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = readText(ctx, packed(t, five))
	require.ErrorIs(t, err, context.Canceled)
}

func TestGetProducts(t *testing.T) {
	data := isolate(t, countsOfFive)
	files := packed(t, five)
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
	altered, name := bytes.Clone(whole), bytes.Index(whole, []byte(edgesText))
	clear(altered[name+len(edgesText)+20:][:10])
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
	want := testkit.Must(readText(t.Context(), files))
	require.Equal(t, want, testkit.Must(Experiment{Graph: ProductsName}.open()))

	products.nodes++
	require.ErrorContains(t, GetProducts(t.Context(), server.URL, io.Discard), "nodes:6", "other counts")
	require.NoFileExists(t, archive)
}
