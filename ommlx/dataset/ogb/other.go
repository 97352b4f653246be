package ogb

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"operator-omm/ommlx/dataset"
)

// Other is a graph in the text files of the Open Graph Benchmark, as [Conversion] reads them, that is not
// ogbn-products: ogbn-arxiv, or one of the reader's own.
type Other struct {
	Name    string // of the graph, and of its folder in the data folder, see [dataset.Dir]
	From    string // folder with the folders raw and split; it stays as it is
	Split   string // name of the split; empty: the only one that there is
	Classes int    // number of classes; 0: what the largest label needs
}

// Convert makes the arrays of [Open] in the folder arrays of the graph's data folder, in the place of others, and
// writes to out (nil for silence) how far it is. Errors are those of [Conversion.Convert], or say that the name is
// taken or no plain folder name, or that there are several splits.
func (o Other) Convert(ctx context.Context, out io.Writer) error {
	taken := []string{ProductsName, generatedKind}
	for _, c := range dataset.Collections() {
		taken = append(taken, c.Kind)
	}
	if slices.Contains(taken, o.Name) {
		return fmt.Errorf("the name %q is that of other data; give the graph another one", o.Name)
	}
	split, err := o.split()
	if err != nil {
		return err
	}
	return inFolder(ctx, o.Name, out, func(dir string, out io.Writer) error {
		return Conversion{From: o.From, To: filepath.Join(dir, arraysFolder), Name: o.Name, Split: split,
			Classes: o.Classes}.shown(ctx, out)
	})
}

// split is the name of the split that is read.
func (o Other) split() (string, error) {
	if o.Split != "" {
		return o.Split, nil
	}
	entries, err := os.ReadDir(filepath.Join(o.From, "split"))
	if err != nil {
		return "", fmt.Errorf("%s has no folder split (%w); give the folder of the text files, the one with raw and "+
			"split", o.From, err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%s has the splits %s; name one", filepath.Join(o.From, "split"),
			strings.Join(names, ", "))
	}
	return names[0], nil
}
