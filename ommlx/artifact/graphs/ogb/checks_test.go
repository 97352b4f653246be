package ogb

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/internal/testkit"
)

// What is there is told from what is not, is another graph, or has an altered byte, although the sizes are right.
func TestStatus(t *testing.T) {
	data := isolate(t)
	ofProducts := func() dataset.FileStatus { return testkit.Must(ProductsStatus()) }
	arrays := filepath.Join(data, "ogbn-products", "arrays")
	require.Equal(t, dataset.FileStatus{Name: "ogbn-products", State: dataset.Missing, Path: arrays}, ofProducts())
	require.Empty(t, testkit.Must(OtherStatus()))
	require.NoError(t, Text{Name: ProductsName, From: textOf(t, generated(t, likeProducts))}.Convert(t.Context(), nil))
	require.NoError(t, testkit.Must(FetchGenerated(t.Context(), small)).Close())
	require.NoError(t, os.MkdirAll(filepath.Join(data, "generated-graph", "unfinished", "text"), 0o755))
	for name, status := range map[string]func() dataset.FileStatus{
		"ogbn-products": ofProducts,
		"generated-graph/1000-4-5-3-2": func() dataset.FileStatus {
			all := testkit.Must(OtherStatus())
			require.Len(t, all, 1)
			return all[0]
		},
	} {
		arrays := filepath.Join(data, name, "arrays")
		require.Equal(t, dataset.FileStatus{Name: name, State: dataset.Correct, Path: arrays}, status())
		path := filepath.Join(arrays, featuresFile)
		content := testkit.Must(os.ReadFile(path))
		content[len(content)/2] ^= 1
		require.NoError(t, os.WriteFile(path, content, 0o644))
		s := status()
		require.Equal(t, dataset.Altered, s.State, path)
		require.ErrorContains(t, s.Err, path+" is altered: SHA-256 is ")
		require.ErrorContains(t, s.Err, "delete the folder and convert the graph again")
	}
	products.nodes++
	require.Equal(t, dataset.Altered, ofProducts().State)
	require.ErrorContains(t, ofProducts().Err, "it has 1000 nodes")
}

// Blank lines at the end of a file are no lines.
func TestBlankLinesAtTheEnd(t *testing.T) {
	for file, text := range five {
		c := raw(t, map[string]string{file: strings.TrimRight(text, "\n") + "\n\n\r\n\n"})
		require.NoError(t, c.run(t.Context()), file)
		g := opened(t, c.to)
		require.Equal(t, []int{5, 4}, []int{g.Nodes(), g.Edges()}, file)
	}
}

// Numbers that are not the wanted ones are told before anything is converted, or as soon as they are known.
func TestCountsAreCheckedFirst(t *testing.T) {
	from := textOf(t, generated(t, likeProducts))
	for want, c := range map[string]struct {
		change func(*counts)
		last   string // of the files that are read
	}{
		"it has 1000 nodes, expected 1001": {func(c *counts) { c.nodes++ }, nodesText},
		"it has 30 features, expected 31":  {func(c *counts) { c.features++ }, featuresText},
		"it has 4689 edges, expected 4690": {func(c *counts) { c.edges++ }, edgesText},
		"it has 4689 edges, expected 4688": {func(c *counts) { c.edges-- }, edgesText},
	} {
		isolate(t)
		c.change(&products)
		last, conversion := "", productsFrom(from, t.TempDir())
		conversion.progress = func(file string, _ float64) { last = file }
		require.ErrorContains(t, conversion.run(t.Context()), want)
		require.Equal(t, c.last, last)
		require.NoFileExists(t, filepath.Join(conversion.to, neighboursFile))
	}
}

// Any graph in the raw form of the benchmark is converted, under its own name; its split and the number of its classes
// are those that the files have.
func TestOtherGraphsAreConverted(t *testing.T) {
	data := isolate(t)
	c := raw(t, map[string]string{labelsText: "0\n1\n3\n0\n1\n"})
	var out bytes.Buffer
	o := Text{Name: "my-graph", From: c.From}
	require.NoError(t, o.Convert(t.Context(), &out))
	dir := filepath.Join(data, "my-graph", "arrays")
	g := opened(t, dir)
	require.Equal(t, []any{"my-graph", 5, 4, 4}, []any{g.Name, g.Nodes(), g.Edges(), g.Classes})
	require.Equal(t, []int{0, 3}, g.Of(Training))
	require.Contains(t, out.String(), dir+": 5 nodes")
	all, err := OtherStatus()
	require.NoError(t, err)
	require.Equal(t, []dataset.FileStatus{{Name: "my-graph", State: dataset.Correct, Path: dir}}, all)

	for _, name := range []string{"a/b", "", "..", "cifar100", generatedKind} {
		o.Name = name
		require.ErrorContains(t, o.Convert(t.Context(), nil), "name", name)
	}
	put(t, c.From, "split/second/train.csv.gz", "1\n")
	o.Name = "two"
	require.ErrorContains(t, o.Convert(t.Context(), nil), "has the splits s, second; name one")
	o.Split = "s"
	require.NoError(t, o.Convert(t.Context(), nil))
	o.Classes = 2
	require.ErrorContains(t, o.Convert(t.Context(), nil), `the label is "3"; it must be a whole number from 0 to 1`)
}

func TestEveryFileOfAGraphShowsDamage(t *testing.T) {
	dir := filepath.Join(isolate(t), "generated-graph", "1000-4-5-3-2", "arrays")
	require.NoError(t, testkit.Must(FetchGenerated(t.Context(), small)).Close())
	for _, file := range []string{descriptionFile, offsetsFile, neighboursFile, featuresFile, labelsFile, partsFile} {
		testkit.FindsDamage(t, filepath.Join(dir, file), func() (any, error) {
			read, err := Open(dir)
			if err != nil {
				return nil, err
			}
			defer read.Close()
			return []any{read.Name, read.Archive, read.counts(), read.SelfLoops, read.Repeated}, read.Verify()
		})
	}
}
