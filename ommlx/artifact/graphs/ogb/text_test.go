package ogb

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/testkit"
)

// writeGzip writes a compressed text.
func writeGzip(t *testing.T, dir, file, text string) {
	t.Helper()
	path := filepath.Join(dir, file)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	testkit.Must(w.Write([]byte(text)))
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o644))
}

// five is a graph of five nodes: a triangle 0-1-2, the edge 2-3 three times, and node 4 with only a self-loop.
var five = map[string]string{
	nodesText: "5\n", edgesText: "0,1\n2,1\r\n2,0\n3,2\n2,3\n3,2\n4,4",
	featuresText: "0,1\n0.5,-1e-3\n1,2\n3,4\n5,6\n", labelsText: "0\n1\n2\n0\n1\n",
	"split/s/train.csv.gz": "3\n0\n", "split/s/valid.csv.gz": "4\n", "split/s/test.csv.gz": "1\n",
}

// raw writes the files of five, with one file changed.
func raw(t *testing.T, changed, to string) Text {
	t.Helper()
	dir := t.TempDir()
	for file, text := range five {
		if file == changed {
			text = to
		}
		writeGzip(t, dir, file, text)
	}
	return Text{Name: "five", From: dir, Split: "s", Classes: 3}
}

func (t Text) graph(ctx context.Context) (*Graph, error) {
	return t.read(ctx, os.DirFS(t.From), io.Discard)
}

// textOf writes a graph as the text files of the benchmark, each edge once.
func textOf(t *testing.T, g *Graph) (dir string) {
	t.Helper()
	dir = t.TempDir()
	texts := map[string]*strings.Builder{}
	for _, file := range append(parts(productsSplit), nodesText, edgesText, featuresText, labelsText) {
		texts[file] = new(strings.Builder)
	}
	fmt.Fprintln(texts[nodesText], g.Nodes())
	for i := range g.Nodes() {
		for _, j := range g.Row(i) {
			if int(j) > i {
				fmt.Fprintf(texts[edgesText], "%d,%d\n", i, j)
			}
		}
		row := strings.Fields(strings.Trim(fmt.Sprint(g.X[i*g.Features:(i+1)*g.Features]), "[]"))
		fmt.Fprintln(texts[featuresText], strings.Join(row, ","))
		fmt.Fprintln(texts[labelsText], g.Labels[i])
		fmt.Fprintln(texts[parts(productsSplit)[g.Parts[i]-Training]], i)
	}
	for file, text := range texts {
		writeGzip(t, dir, file, text.String())
	}
	return dir
}

// isolate points the data folders at empty ones and makes likeProducts the graph of ogbn-products.
func isolate(t *testing.T) (data string) {
	t.Helper()
	published := products
	t.Cleanup(func() { products = published })
	products = counts{nodes: 1_000, edges: 4_689, features: 30, classes: 5}
	data = t.TempDir()
	t.Setenv(run.DataVariable, data)
	t.Setenv(fsx.CacheVariable, t.TempDir())
	t.Chdir(t.TempDir())
	return data
}

func TestTextFilesBecomeAGraph(t *testing.T) {
	g := testkit.Must(raw(t, "", "").graph(t.Context()))
	require.Equal(t, []uint64{0, 2, 4, 7, 8, 8}, g.Offsets)
	require.Equal(t, []uint32{1, 2, 0, 2, 0, 1, 3, 2}, g.Neighbours)
	require.Equal(t, [2]int64{1, 2}, [2]int64{g.SelfLoops, g.Repeated})
	require.Equal(t, []float32{0, 1, 0.5, -1e-3, 1, 2, 3, 4, 5, 6}, g.X)
	require.Equal(t, []uint16{0, 1, 2, 0, 1}, g.Labels)
	require.Equal(t, []Part{Training, Test, None, Training, Validation}, g.Parts)
	require.Equal(t, []int{0, 3}, g.Of(Training))
	require.Equal(t, []any{"five", 5, 2, 3}, []any{g.Name, g.Nodes(), g.Features, g.Classes})

	spec := Generation{Nodes: 3_000, Degree: 80, Classes: 7, Features: 120, Seed: 4}
	g = testkit.Must(Generate(spec))
	again := testkit.Must(Text{From: textOf(t, g), Split: productsSplit}.graph(t.Context()))
	require.Equal(t, g.Adjacency, again.Adjacency)
	require.Equal(t, g.X, again.X)
	require.Equal(t, g.Labels, again.Labels)
	require.Equal(t, g.Parts, again.Parts)
}

func TestErrorsNameTheFileAndTheLine(t *testing.T) {
	for _, c := range []struct{ file, text, at string }{
		{edgesText, "0,1\n0,5\n", "edge.csv.gz, line 2"}, {edgesText, "-1,0\n", "line 1"},
		{edgesText, "0,1\n\n1,2\n", "line 2"}, {edgesText, "0,1\n1,2,3\n", "line 2"}, {edgesText, "0,\n", "line 1"},
		{edgesText, "", "edge.csv.gz, line 1"}, {featuresText, "0,1\n0.5\n", "node-feat.csv.gz, line 2"},
		{featuresText, "0,1\n0.5,x\n", "line 2"}, {featuresText, "0,1\n0.5,NaN\n", "line 2"},
		{featuresText, "0,1\n0,1e39\n", "line 2"}, {featuresText, "0\n1\n2\n3\n", "4 rows"},
		{labelsText, "0\n1\n3\n", "node-label.csv.gz, line 3"}, {labelsText, "0\n1\n2\n0\n1\n1\n", "6 labels"},
		{nodesText, "five\n", "num-node-list.csv.gz, line 1"},
		{"split/s/test.csv.gz", "1\n2\n3\n", "test.csv.gz, line 3"},
		{"split/s/valid.csv.gz", "9\n", "valid.csv.gz, line 1"},
	} {
		_, err := raw(t, c.file, c.text).graph(t.Context())
		require.ErrorContains(t, err, c.at, "%s: %q", c.file, c.text)
	}
}

func TestDamagedTextFilesReturnErrors(t *testing.T) {
	text := raw(t, edgesText, strings.Repeat("0,1\n", 10_000))
	path := filepath.Join(text.From, edgesText)
	whole := testkit.Must(os.ReadFile(path))
	require.NoError(t, os.WriteFile(path, whole[:len(whole)-9], 0o644))
	_, err := text.graph(t.Context())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, os.WriteFile(path, []byte("0,1\n"), 0o644))
	_, err = text.graph(t.Context())
	require.ErrorContains(t, err, edgesText)
	require.NoError(t, os.Remove(path))
	_, err = text.graph(t.Context())
	require.ErrorIs(t, err, fs.ErrNotExist)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, err = raw(t, "", "").graph(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// Other graphs keep their names, and have the split and the classes of their files.
func TestOtherGraphsAreConverted(t *testing.T) {
	data := isolate(t)
	var out bytes.Buffer
	mine := Text{Name: "my-graph", From: raw(t, labelsText, "0\n1\n3\n0\n1\n").From}
	require.NoError(t, mine.Convert(t.Context(), &out))
	dir := filepath.Join(data, "my-graph", "arrays")
	g := testkit.Must(open(dir))
	require.Equal(t, []any{"my-graph", 5, 4, 4}, []any{g.Name, g.Nodes(), g.Edges(), g.Classes})
	require.Contains(t, out.String(), dir)
	require.Equal(t, Stored{Name: "my-graph", Dir: dir}, testkit.Must(AllStored())[1])

	for _, name := range []string{"a/b", "", ".."} {
		mine.Name = name
		require.Error(t, mine.Convert(t.Context(), io.Discard), name)
	}
	writeGzip(t, mine.From, "split/second/train.csv.gz", "1\n")
	mine.Name = "two"
	require.ErrorContains(t, mine.Convert(t.Context(), io.Discard), "splits")
	mine.Split, mine.Classes = "s", 2
	require.ErrorContains(t, mine.Convert(t.Context(), io.Discard), labelsText)
	mine.Classes = -1
	require.ErrorContains(t, mine.Convert(t.Context(), io.Discard), "classes")
}
