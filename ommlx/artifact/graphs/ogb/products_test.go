package ogb

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// likeProducts is a generated graph in the place of ogbn-products, and numbersOfThat what it has.
var (
	likeProducts  = Generation{Nodes: 1_000, Degree: 10, Classes: 5, Features: 30, Seed: 3}
	numbersOfThat = counts{nodes: 1_000, features: 30, classes: 5, edges: 4_689}
)

// zipped packs the text files of the graph, but for one, as products.zip does.
func zipped(t *testing.T, without string) []byte {
	t.Helper()
	dir := textOf(t, generated(t, likeProducts))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range files(productsSplit) {
		if file == without {
			continue
		}
		text := testkit.Must(os.ReadFile(filepath.Join(dir, file)))
		member := testkit.Must(w.Create("products/" + file))
		_, err := member.Write(text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// serve answers with the archive, and once with its first half alone; it counts the bytes that are asked for anew.
func serve(t *testing.T, content []byte, cut bool) (url string, asked *[]string) {
	t.Helper()
	asked = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Header.Get("Range"))
		if r.URL.Path != "/products.zip" {
			http.NotFound(w, r)
			return
		}
		if cut {
			cut = false
			w.Header().Set("Content-Length", "1000000")
			_, err := w.Write(content[:len(content)/2])
			assert.NoError(t, err)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// stopper is an output that ends a context when a word is written.
type stopper struct {
	bytes.Buffer
	word string
	stop func()
}

func (s *stopper) Write(text []byte) (int, error) {
	if strings.Contains(string(text), s.word) {
		s.stop()
	}
	return s.Buffer.Write(text)
}

// Cut off in the transfer and before the conversion, the same call goes on; at the end there are the arrays alone.
func TestProductsAreDownloadedAndConverted(t *testing.T) {
	dir := filepath.Join(isolate(t), "ogbn-products")
	url, asked := serve(t, zipped(t, ""), true)
	require.ErrorContains(t, GetProducts(t.Context(), url, nil), "the same command goes on from there")

	ctx, stop := context.WithCancel(t.Context())
	require.ErrorContains(t, GetProducts(ctx, url, &stopper{word: "SHA-256", stop: stop}),
		"stopped (context canceled); the same command makes the arrays")

	var out bytes.Buffer
	require.NoError(t, GetProducts(t.Context(), url, &out))
	require.Len(t, *asked, 2)
	require.Equal(t, "", (*asked)[0])
	require.NotEqual(t, "", (*asked)[1], "the rest alone")
	g := g0(t)
	require.Contains(t, out.String(), "SHA-256 of products.zip: "+g.Archive)
	require.Contains(t, out.String(), "None is published to verify it by")
	require.Contains(t, out.String(), filepath.Join(dir, "arrays")+": "+g.String())
	require.Len(t, g.Archive, 64)
	require.Equal(t, []string{"arrays"}, names(t, dir))

	// What a process leaves that is killed before it deletes the archive is deleted.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "products.zip"), nil, 0o644))
	out.Reset()
	require.NoError(t, GetProducts(t.Context(), url, &out))
	require.Equal(t, filepath.Join(dir, "arrays")+": already there, "+g.String()+"\n", out.String())
	require.Equal(t, []string{"arrays"}, names(t, dir))
}

// g0 is the graph that is there.
func g0(t *testing.T) *Graph {
	t.Helper()
	g := testkit.Must(OpenProducts())
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	return g
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries := testkit.Must(os.ReadDir(dir))
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// An archive that is damaged, is none, lacks a file, or is of another graph is told, and is fetched anew the next time.
func TestAnArchiveThatIsNotOgbnProducts(t *testing.T) {
	dir := filepath.Join(isolate(t), "ogbn-products")
	whole := zipped(t, "")
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	more := numbersOfThat
	more.edges++
	for _, c := range []struct {
		content []byte
		want    counts
		says    string
	}{
		{flipped, numbersOfThat, "get it again; what came"},
		{whole[:len(whole)-30], numbersOfThat, "products.zip is damaged or another file: zip: not a valid zip file"},
		{[]byte("<html>Log in</html>"), numbersOfThat, "zip: not a valid zip file"},
		{zipped(t, labelsText), numbersOfThat, "products.zip has no raw/node-label.csv.gz"},
		{whole, more, "products.zip are not ogbn-products: it has 4689 edges, expected 4690"},
	} {
		products = c.want
		url, _ := serve(t, c.content, false)
		err := GetProducts(t.Context(), url, nil)
		require.ErrorContains(t, err, c.says)
		require.ErrorContains(t, err, "what came from "+url+" is deleted, run the command again")
		require.NotContains(t, err.Error(), "\n")
		require.NotContains(t, names(t, dir), "products.zip")
		_, err = OpenProducts()
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	products = numbersOfThat
	url, _ := serve(t, whole, false)
	require.NoError(t, GetProducts(t.Context(), url, nil))
	require.Equal(t, []string{"arrays"}, names(t, dir))
}

// Arrays that are damaged are made again.
func TestDamagedArraysAreReplaced(t *testing.T) {
	dir := filepath.Join(isolate(t), "ogbn-products")
	url, asked := serve(t, zipped(t, ""), false)
	require.NoError(t, GetProducts(t.Context(), url, nil))
	require.NoError(t, os.Truncate(filepath.Join(dir, "arrays", labelsFile), 3))
	var out bytes.Buffer
	require.NoError(t, GetProducts(t.Context(), url, &out))
	require.Contains(t, out.String(), "Making the arrays again: ")
	require.Len(t, *asked, 2)
	require.Equal(t, 1_000, g0(t).Nodes())
}

// Two processes at the same time fetch once.
func TestTwoGetProducts(t *testing.T) {
	isolate(t)
	url, asked := serve(t, zipped(t, ""), false)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { assert.NoError(t, GetProducts(t.Context(), url, nil)) })
	}
	both.Wait()
	require.Len(t, *asked, 1)
}

func TestTextFilesOfTheReaderAreConverted(t *testing.T) {
	dir := filepath.Join(isolate(t), "ogbn-products")
	from := textOf(t, generated(t, likeProducts))
	var out bytes.Buffer
	require.NoError(t, Text{Name: ProductsName, From: from}.Convert(t.Context(), &out))
	require.Equal(t, filepath.Join(dir, "arrays")+": "+g0(t).String()+"\n", out.String())
	require.Empty(t, g0(t).Archive)
	require.DirExists(t, filepath.Join(from, "raw"))

	out.Reset()
	require.NoError(t, Text{Name: ProductsName, From: "nowhere"}.Convert(t.Context(), &out))
	require.Contains(t, out.String(), "already there", "what is right stays")

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "arrays")))
	require.ErrorContains(t, Text{Name: ProductsName, From: t.TempDir()}.Convert(t.Context(), nil),
		"has no raw/num-node-list.csv.gz (file does not exist); give the folder of the text files")
	products.nodes++
	require.ErrorContains(t, Text{Name: ProductsName, From: from}.Convert(t.Context(), nil),
		"the text files in "+from+" are not ogbn-products: it has 1000 nodes, ")

	products.nodes = 1e15
	err := Text{Name: ProductsName, From: from}.Convert(t.Context(), nil)
	require.ErrorContains(t, err, "the converted graph needs 1")
	require.ErrorContains(t, err, "make room, or set OMM_DATA")

	products = numbersOfThat
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorContains(t, Text{Name: ProductsName, From: from}.Convert(ctx, nil), "stopped (context canceled)")
}

func TestADiskThatFillsUpIsNamed(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/data/arrays/features.f32", Err: syscall.ENOSPC}
	require.ErrorContains(t, explained(t.Context(), "/data", full), "the disk of /data is full")
	require.ErrorContains(t, explained(t.Context(), "/data", full), "make room, or set OMM_DATA")
	other := errors.New("other")
	require.Equal(t, other, explained(t.Context(), "/data", other))
}
