package ogb

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

// put writes a text, compressed.
func put(t *testing.T, dir, file, text string) {
	t.Helper()
	path := filepath.Join(dir, file)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, packed(t, text), 0o644))
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// five is a graph of five nodes: a triangle 0-1-2, the edge 2-3 three times, a self-loop of 4, which has no other edge.
var five = map[string]string{
	nodesText: "5\n", edgesText: "0,1\n2,1\r\n2,0\n3,2\n2,3\n3,2\n4,4",
	featuresText: "0,1\n0.5,-1e-3\n1,2\n3,4\n5,6\n", labelsText: "0\n1\n2\n0\n1\n",
	"split/s/train.csv.gz": "3\n0\n", "split/s/valid.csv.gz": "4\n", "split/s/test.csv.gz": "1\n",
}

// raw writes the files of five, some of them changed, and returns what converts them.
func raw(t *testing.T, changed map[string]string) *conversion {
	t.Helper()
	dir := t.TempDir()
	for file, text := range five {
		if other, there := changed[file]; there {
			text = other
		}
		put(t, dir, file, text)
	}
	return Text{Name: "five", From: dir, Split: "s", Classes: 3}.into(filepath.Join(t.TempDir(), "graph"))
}

// textOf writes a graph as the text files of the benchmark, each edge once.
func textOf(t *testing.T, g *Graph) (dir string) {
	t.Helper()
	dir = t.TempDir()
	texts := map[string]*strings.Builder{}
	for _, file := range files(productsSplit) {
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
		put(t, dir, file, text.String())
	}
	return dir
}

func opened(t *testing.T, dir string) *Graph {
	t.Helper()
	g := testkit.Must(Open(dir))
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	return g
}

func TestTextFilesBecomeAGraph(t *testing.T) {
	c := raw(t, nil)
	require.NoError(t, c.run(t.Context()))
	g := opened(t, c.to)
	require.Equal(t, []uint64{0, 2, 4, 7, 8, 8}, g.Offsets)
	require.Equal(t, []uint32{1, 2, 0, 2, 0, 1, 3, 2}, g.Neighbours)
	require.Equal(t, []uint32{0, 1, 3}, g.Row(2))
	require.Equal(t, [3]int{4, 3, 0}, [3]int{g.Edges(), g.Degree(2), g.Degree(4)})
	require.Equal(t, [2]int64{1, 2}, [2]int64{g.SelfLoops, g.Repeated})
	require.Equal(t, []float32{0, 1, 0.5, -1e-3, 1, 2, 3, 4, 5, 6}, g.X)
	require.Equal(t, []uint16{0, 1, 2, 0, 1}, g.Labels)
	require.Equal(t, []Part{Training, Test, None, Training, Validation}, g.Parts)
	require.Equal(t, []int{0, 3}, g.Of(Training))
	require.Equal(t, []any{"five", 5, 2, 3}, []any{g.Name, g.Nodes(), g.Features, g.Classes})
}

func TestAGraphWithoutEdges(t *testing.T) {
	c := raw(t, map[string]string{edgesText: "1,1\n"})
	require.NoError(t, c.run(t.Context()))
	g := opened(t, c.to)
	require.Zero(t, g.Edges())
	require.Empty(t, g.Row(3))
}

func TestTextThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{edgesText, "0,1\n0,5\n",
			`edge.csv.gz, line 2: the edge's second node is "5"; it must be a whole number from 0 to 4`},
		{edgesText, "-1,0\n", `line 1: the edge's first node is "-1"; it must be a whole`},
		{edgesText, "0,1\n\n\n1,2\n\n", `line 2: "" is no edge`},
		{edgesText, "0,1\n1,2,3\n", `line 2: the edge's second node is "2,3"; it must be a whole`},
		{edgesText, "0,\n", `line 1: the edge's second node is ""`},
		{edgesText, "", "edge.csv.gz is empty"},
		{edgesText, "\n\n", "edge.csv.gz is empty"},
		{featuresText, "0,1\n0.5\n", "node-feat.csv.gz, line 2: it has 1 features, where line 1 has 2"},
		{featuresText, "0,1\n0.5,x\n", `line 2: "x" is no finite number`},
		{featuresText, "0,1\n0.5,NaN\n", `line 2: "NaN" is no finite number`},
		{featuresText, "0,1\n0,1e39\n", `line 2: "1e39" is no finite number`},
		{featuresText, "0\n1\n2\n3\n", "has features of 4 nodes, but there are 5 nodes"},
		{labelsText, "0\n1\n3\n", `node-label.csv.gz, line 3: the label is "3"; it must be a whole number from 0 to 2`},
		{labelsText, "0\n1\n2\n0\n1\n1\n", "has labels of 6 nodes, but there are 5 nodes"},
		{nodesText, "0\n", "line 1: the file must have one line"},
		{nodesText, "5\n5\n", "line 2: the file must have one line"},
		{nodesText, "five\n", `line 1: the number of nodes is "five"; it must be a whole`},
		{"split/s/test.csv.gz", "1\n2\n3\n", "test.csv.gz, line 3: node 3 is in a part of the split already"},
		{"split/s/valid.csv.gz", "9\n", `valid.csv.gz, line 1: the node is "9"; it must be a whole number from 0 to 4`},
		{labelsText, strings.Repeat("1", 100), `the label is "111111111111111111111111"…`},
	} {
		conversion := raw(t, map[string]string{c.file: c.text})
		require.ErrorContains(t, conversion.run(t.Context()), c.want)
		_, err := Open(conversion.to)
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
}

func TestFilesThatAreDamaged(t *testing.T) {
	c := raw(t, nil)
	whole := packed(t, strings.Repeat("0,1\n", 10_000))
	require.NoError(t, os.WriteFile(filepath.Join(c.From, edgesText), whole[:len(whole)-9], 0o644))
	require.ErrorContains(t, c.run(t.Context()), "edge.csv.gz cannot be read beyond line")
	require.NoError(t, os.WriteFile(filepath.Join(c.From, edgesText), []byte("0,1\n"), 0o644))
	require.ErrorContains(t, c.run(t.Context()), "edge.csv.gz is no gzip-compressed file")
	put(t, c.From, edgesText, strings.Repeat("1", 3*maxLine))
	require.ErrorContains(t, c.run(t.Context()), "line 1: it has more than 1048576 bytes")
	require.NoError(t, os.Remove(filepath.Join(c.From, edgesText)))
	require.ErrorIs(t, c.run(t.Context()), fs.ErrNotExist)
	c.Classes = -1
	require.ErrorContains(t, c.run(t.Context()), "a graph cannot have -1 classes")
}

// A conversion that is cut off, also by a process that is killed, leaves nothing that is opened, also not of an earlier
// one, and the next one makes all of it.
func TestAConversionIsCutOff(t *testing.T) {
	c := raw(t, nil)
	require.NoError(t, c.run(t.Context()))
	part := filepath.Join(c.to, featuresFile+".1234.tmp")
	require.NoError(t, os.WriteFile(part, []byte("part"), 0o644))
	ctx, stop := context.WithCancelCause(context.Background())
	cause, last := errors.New("the power failed"), 0.0
	c.progress = func(file string, fraction float64) {
		require.GreaterOrEqual(t, fraction, last)
		if last = fraction; file == labelsText {
			stop(cause)
		}
	}
	require.ErrorIs(t, c.run(ctx), cause)
	_, err := Open(c.to)
	require.ErrorIs(t, err, fs.ErrNotExist)

	put(t, c.From, edgesText, "0,1\n")
	last = 0
	require.NoError(t, c.run(t.Context()))
	require.EqualValues(t, 1, last)
	require.Equal(t, 1, opened(t, c.to).Edges())
	left := testkit.Must(filepath.Glob(filepath.Join(c.to, "*")))
	require.Len(t, left, 6)
}

// The description of an earlier graph goes before its arrays: a conversion that ends in between leaves nothing, either.
func TestTheDescriptionIsRemovedFirst(t *testing.T) {
	c := raw(t, nil)
	require.NoError(t, c.run(t.Context()))
	path := filepath.Join(c.to, offsetsFile)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.MkdirAll(filepath.Join(path, "in the way"), 0o755))
	require.ErrorContains(t, c.run(t.Context()), offsetsFile)
	_, err := Open(c.to)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestConvertedFilesThatAreDamaged(t *testing.T) {
	c := raw(t, nil)
	require.NoError(t, c.run(t.Context()))
	for _, damage := range []struct{ file, content, want string }{
		{offsetsFile, strings.Repeat("\x01", 48), "does not fit neighbours.u32"},
		{labelsFile, "1", "has 1 bytes, expected 10"},
		{descriptionFile, `{"format": 9}`, "has format 9, and this program reads format 1"},
		{descriptionFile, "{", "cannot be read"},
	} {
		path := filepath.Join(c.to, damage.file)
		before := testkit.Must(os.ReadFile(path))
		require.NoError(t, os.WriteFile(path, []byte(damage.content), 0o644))
		_, err := Open(c.to)
		require.ErrorContains(t, err, damage.want)
		require.ErrorContains(t, err, "convert the graph again")
		require.NoError(t, os.WriteFile(path, before, 0o644))
	}
	require.NoError(t, os.Remove(filepath.Join(c.to, partsFile)))
	_, err := Open(c.to)
	require.ErrorContains(t, err, "parts.u8 cannot be read")
}
