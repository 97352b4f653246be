package files

import (
	"archive/zip"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
)

// archive is what numpy.savez and scipy.sparse.save_npz write.
func archive(members map[string]any) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, v := range members {
		if !strings.Contains(name, ".") {
			name += ".npy"
		}
		w := testkit.Must(z.Create(name))
		text, is := v.(string)
		if !is {
			text = saved(v)
		}
		_, _ = w.Write([]byte(text))
	}
	_ = z.Close()
	return b.String()
}

// sparse is the matrix of [TestMatrices] in a format of scipy.sparse.
func sparse(format string, members map[string]any) string {
	members["format"], members["shape"] = "\x93NUMPY…'|S3'…"+format, []int64{4, 4}
	members["data"] = []float64{1, 1, 2, 2, 3, 3, 4}
	return archive(members)
}

// TestGraphs: the path a–b–c with a loop at c in several notations.
func TestGraphs(t *testing.T) {
	for name, content := range map[string]string{
		"plain":          "a,b,1\nb,c,2\nc,c,3\n",
		"header":         "source,target,weight\na,b,1\nb,c,2\nc,c,3\n",
		"other columns":  "Weight;note;Target;Source\n1;new;b;a\n2;;c;b\n3;old;c;c\n",
		"unknown header": "left\tright\tstrength\na\tb\t1\nb\tc\t2\nc\tc\t3\n",
		"pandas index":   ",source,target,weight\n0,a,b,1\n1,b,c,2\n2,c,c,3\n",
		"R":              "\"source\" \"target\" \"weight\"\n\"1\" \"a\" \"b\" 1\n\"2\" \"b\" \"c\" 2\n3 c c 3\n",
		"networkx":       "a b 1 {}\nb c 2 {}\nc c 3 {}\n",
		"attributes":     "a b {'weight': 1}\nb c {'x': (1, 2), 'weight': 2.0}\nc c {'weight': np.float64(3.0)}\n",
		"with commas":    "a,b,{'weight': 1, 'x': 7}\nb,c,{'weight': 2}\nc,c,{'weight': 3}\n",
		"R's write.csv2": "from;to;value\na;b;1,0\nb;c;2,0\nc;c;3,0\n",
		"comment":        "# target source weight\nb a 1\nc b 2\nc c 3\n",
		"slashes":        "// three edges\na b 1\nb c 2\nc c 3\n",
		"blanks, gzip":   zipped("# networkx\na b 1.0\nb c 2.0\nc c 3.0\n"),
		"value":          "id,from,note,to,value\n7,a,x,b,1\n8,b,y,c,2\n9,c,,c,3\n",
		"trailing comma": "a,b,1,\nb,c,2,\nc,c,3,\n",
	} {
		g, err := ReadGraph(write(t, name, content), nil)
		require.NoError(t, err, name)
		assert.Equal(t, []string{"a", "b", "c"}, g.Names, name)
		want := learn.Graph{Nodes: 3, Edges: [][2]int{{0, 1}, {1, 2}, {2, 2}}, Weights: []float64{1, 2, 3}}
		assert.Equal(t, want, g.Graph, name)
		assert.Empty(t, g.Notes, name)
	}
	chosen := testkit.Must(ReadGraph(write(t, "g", "a,b,c,d\n1,2,3,4\n"), []string{"d", "b"}))
	assert.Equal(t, learn.Graph{Nodes: 2, Edges: [][2]int{{1, 0}}}, chosen.Graph)
	for _, content := range []string{"\"a b\" c\n  # note\nc\td {}\n", "a b,c\n\t% note\nc,d\n",
		"a b,c,\nc,d,\n", "source,target\na b,c,\nc,d,\n"} {
		g := testkit.Must(ReadGraph(write(t, "g", content), nil))
		assert.Equal(t, []string{"a b", "c", "d"}, g.Names, "a name with a blank, and a comment after blanks")
		assert.Equal(t, learn.Graph{Nodes: 3, Edges: [][2]int{{0, 1}, {1, 2}}}, g.Graph, content)
	}
}

// TestNodesThatAreIntegers ascend, also those that pandas or NumPy wrote as floats; others keep their names.
func TestNodesThatAreIntegers(t *testing.T) {
	for content, want := range map[string][]string{
		"from,to\n10,9\n9,-1\n":                          {"-1", "9", "10"},
		"10.0 9\n9.0 -1e0\n":                             {"-1", "9", "10"},
		"source,target\n0.0,1\n1.0,2\n":                  {"0", "1", "2"},
		"0.0e+00 1.0e+00\n1.0e+00 2.0e+00\n":             {"0", "1", "2"},
		"9007199254740993,2\n2.0,9007199254740992\n":     {"2", "9007199254740992", "9007199254740993"},
		"18446744073709551616,7\n7,07\n":                 {"18446744073709551616", "7", "07"},
		"1.0,1.1\n1.1,2.0\n":                             {"1.0", "1.1", "2.0"},
		"-0.0 0\n0.0 1\n":                                {"0", "1"},
		"NA,1.0\nb,NA\n":                                 {"NA", "1.0", "b"},
		saved(mat.NewDense(4, 2, []float64{7: 5, 6: 2})): {"0", "2", "5"},
	} {
		g := testkit.Must(ReadGraph(write(t, "g", content), nil))
		assert.Equal(t, want, g.Names, content)
	}
}

// TestMatrices: the path 0–1–2–3 with a loop at 3 in several formats.
func TestMatrices(t *testing.T) {
	want := mat.NewDense(4, 4, []float64{0, 1, 0, 0, 1, 0, 2, 0, 0, 2, 0, 3, 0, 0, 3, 4})
	rounded := mat.DenseCopyOf(want)
	rounded.Set(2, 1, 2+1e-9)
	rows, columns := []int32{0, 1, 1, 2, 2, 3, 3}, []int32{1, 0, 2, 1, 3, 2, 3}
	const text, array = "0 1 0 0\n1 0 2 0\n0 2 0 3\n0 0 3 4\n", "%%MatrixMarket matrix array real "
	const symmetric = "%%matrixmarket Matrix Coordinate Integer Symmetric\n%\n"
	names := []string{"a", "b", "c", "d"}
	for name, c := range map[string]struct {
		content string
		names   []string // of a graph; a file without names is also read as a matrix
	}{
		"general":       {mtx + "4 4 7\n1 2 1\n2 1 1\n2 3 2\n3 2 2\n3 4 3\n4 3 3\n4 4 4\n", nil},
		"symmetric":     {symmetric + "4 4 4\n2 1 1\n3 2 2\n\n4 3 3\n4 4 4\n", nil},
		"array":         {array + "general\n4 4\n" + strings.ReplaceAll(text, " ", "\n"), nil},
		"lower array":   {array + "symmetric\n4 4\n0\n1\n0\n0\n0\n2\n0\n0\n3\n4\n", nil},
		"coo":           {sparse("coo", map[string]any{"row": rows, "col": columns}), nil},
		"csr":           {sparse("csr", map[string]any{"indptr": []int32{0, 1, 3, 5, 7}, "indices": columns}), nil},
		"csc":           {sparse("csc", map[string]any{"indptr": []int64{0, 1, 3, 5, 7}, "indices": columns}), nil},
		"npy":           {saved(rounded), nil},
		"npz":           {archive(map[string]any{"arr_0": want}), nil},
		"text":          {text, nil},
		"gzip":          {zipped(strings.ReplaceAll(text, " ", ",")), nil},
		"with an index": {",a,b,c,d\na,0,1,0,0\nb,1,0,2,0\nc,0,2,0,3\nd,0,0,3,4\n", names},
		"with a header": {"a b c d\n" + text, names},
		"numbers":       {",7,8,9,11\n7,0,1,0,0\n8,1,0,2,0\n9,0,2,0,3\n11,0,0,3,4\n", []string{"7", "8", "9", "11"}},
	} {
		path := write(t, name, c.content)
		g, err := ReadGraph(path, nil)
		require.NoError(t, err, name)
		assert.Equal(t, c.names, g.Names, name)
		assert.Equal(t, 4, g.Nodes, name)
		assert.Equal(t, "an adjacency matrix", g.Taken, name)
		assert.Len(t, g.Edges, 4, name)
		got := mat.NewDense(4, 4, nil)
		for e, ends := range g.Edges {
			got.Set(ends[0], ends[1], g.Weights[e])
			got.Set(ends[1], ends[0], g.Weights[e])
		}
		assert.True(t, mat.EqualApprox(want, got, 1e-8), "%s: %v", name, mat.Formatted(got))
		if c.names != nil {
			continue
		}
		op, err := ReadMatrix(path)
		require.NoError(t, err, name)
		got.Zero()
		switch op := op.(type) {
		case learn.Matrix:
			got.Copy(op.A)
		case learn.Sparse:
			for e, v := range op.Values {
				got.Set(op.Rows[e], op.Columns[e], got.At(op.Rows[e], op.Columns[e])+v)
			}
		}
		assert.True(t, mat.EqualApprox(want, got, 1e-8), "%s: %v", name, mat.Formatted(got))
	}
}

// TestArraysOfEdges: the weighted path 0–1–2–3–4, and its ends in the form of PyTorch Geometric.
func TestArraysOfEdges(t *testing.T) {
	path := learn.Graph{Nodes: 5, Edges: [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}}}
	g := testkit.Must(ReadGraph(write(t, "g.npy", saved(mat.NewDense(2, 4, []float64{0, 1, 2, 3, 1, 2, 3, 4}))), nil))
	assert.Equal(t, path, g.Graph)
	assert.Equal(t, "no weights", g.Taken)
	path.Weights = []float64{.5, 1.5, 2.5, 1e6}
	weighted := saved(mat.NewDense(4, 3, []float64{0, 1, .5, 1, 2, 1.5, 2, 3, 2.5, 3, 4, 1e6}))
	g = testkit.Must(ReadGraph(write(t, "g.npy", weighted), nil))
	assert.Equal(t, path, g.Graph)
	assert.Equal(t, "weights: column 2", g.Taken)
	path.Weights = nil
	assert.Equal(t, path, testkit.Must(ReadGraph(write(t, "g.npy", weighted), []string{"0", "1"})).Graph)
}

// TestTheMeaningOfColumns is described, and lines that may mean something else have a note.
func TestTheMeaningOfColumns(t *testing.T) {
	for content, want := range map[string][]string{
		"source,target,weight\n0,1,2\n": {`weights: column "weight"`},
		"0 1 2\n":                       {"weights: column 2"},
		"0 1\n":                         {"no weights"},
		"source,target,year\n0,1,2\n":   {`no weights; not used: year`},
		",source,target,value,weight\n0,0,1,2,3\n":   {`weights: column "weight"; not used: value`},
		"0 1 {'capacity': 2}\n1 2 {'capacity': 3}\n": {"no weights", "braces"},
		"Alice Bob\nb c\nc d\n":                      {"no weights", `first line, "Alice" and "Bob", is`},
		"Alice Bob\nb c\nBob d\n":                    {"no weights"},
		"#ends start\na b\nc d\n":                    {"no weights", "first line"},
		"source target\nb c\nd e\n":                  {"no weights"},
		"0 1 2\n1 0 2\n0 1 3\n1 2 1\n0 1 1\n":        {"weights: column 2", "2 repeated edges"},
	} {
		g := testkit.Must(ReadGraph(write(t, "g", content), nil))
		assert.Equal(t, want[0], g.Taken, content)
		if assert.Len(t, g.Notes, len(want)-1, content) && len(want) > 1 {
			assert.Contains(t, g.Notes[0], want[1], content)
		}
	}
}

// TestOtherFormats are refused with a line of Python.
func TestOtherFormats(t *testing.T) {
	two := map[string]any{"a": []float64{1}, "b": []float64{2}}
	object := strings.Replace(saved([]float64{1}), "'<f8'", "'|O' ", 1)
	bsr := sparse("bsr", map[string]any{"indptr": []int32{0, 1}, "indices": []int32{0}})
	short := sparse("csr", map[string]any{"indptr": []int32{0, 1, 3, 9}, "indices": []int32{0, 1}})
	for content, word := range map[string]string{
		"Creator \"igraph\"\nVersion 1\ngraph\n[\n":                            "networkx.read_gml(",
		"# by hand\ngraph [\n  node [\n":                                       "networkx.read_gml(",
		"<?xml version='1.0'?>\n<graphml xmlns=\"":                             "networkx.read_graphml(",
		"<?xml version='1.0'?>\n<gexf xmlns=\"":                                "networkx.read_gexf(",
		"*Vertices 3\n1 \"a\"\n":                                               "networkx.read_pajek(",
		"{\"directed\": false,\n\"links\": []}":                                `, edges="links")`,
		"[{\"x\": 1}]\n":                                                       "pandas.read_json(",
		"PAR1\x15\x04":                                                         "pandas.read_parquet(",
		"# a\nb 1.0\nc 2.0\n# b\nc 3.0\n":                                      "igraph.Graph.Read_Lgl(",
		"version https://git-lfs.github.com/spec/v1\noid sha256:4d7\nsize 1\n": "git lfs pull",
		archive(two): ": save one in Python, numpy.save(",
		object:       "allow_pickle=True",
		bsr:          "A.tocsr()",
		short:        "damaged",
		archive(map[string]any{"xl/styles.xml": "", "xl/workbook.xml": ""}): "pandas.read_excel(",
		archive(map[string]any{"x.csv": ""}):                                "unzip",
	} {
		path := write(t, "file.name", content)
		for _, read := range []func() error{
			func() error { _, err := ReadGraph(path, nil); return err },
			func() error { _, err := ReadMatrix(path); return err },
			func() error { _, err := ReadTable(path, nil, ""); return err },
		} {
			err := read()
			require.ErrorContains(t, err, word, content)
			assert.True(t, strings.HasPrefix(err.Error(), path+": "), err)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

func TestStandardInput(t *testing.T) {
	input := testkit.Must(os.Open(write(t, "g", "0 1\n1 2\n")))
	before := os.Stdin
	os.Stdin = input
	t.Cleanup(func() { os.Stdin = before; _ = input.Close() })
	assert.Equal(t, 3, testkit.Must(ReadGraph("-", nil)).Nodes)
}
