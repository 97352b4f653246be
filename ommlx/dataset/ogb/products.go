package ogb

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/say"
)

// The archive of ogbn-products, the folder in it, and the name of its split.
const (
	productsZip    = "products.zip"
	productsFolder = "products"
	productsSplit  = "sales_ranking"
)

// publishedAt is the address that the Open Graph Benchmark names, by https.
const publishedAt = "https://snap.stanford.edu/ogb/data/nodeproppred"

// GetProducts downloads ogbn-products, the products that customers of a shop bought together, from
//
//	Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta, Leskovec: Open Graph Benchmark: Datasets for Machine Learning on Graphs,
//	NeurIPS 2020, with data of http://manikvarma.org/downloads/XC/XMLRepository.html (Amazon's licence),
//
// or from the folder with products.zip at another address, if that is not empty. It converts it to the arrays of
// [OpenProducts] in the data folder, and deletes the archive; where there are such arrays already, nothing is done. It
// writes to out (nil for silence) what it does, and while that
// lasts how far it is with the time left. 3 GB of disk are needed meanwhile.
//
// No checksum of the archive is published. Verified are the CRC-32 that it has of each file, and the counts, see
// [OpenProducts]; the SHA-256 that was seen is written to out and kept as [Graph].Archive, so that it can be compared.
//
// A transfer that was cut off goes on with the next byte. Of two processes one waits for the other. Errors are those of
// [dataset.Collection.Get] and [Conversion.Convert]; or say that the archive is damaged or not ogbn-products, and then
// it is deleted, and the next call fetches it again.
func GetProducts(ctx context.Context, address string, out io.Writer) error {
	return inFolder(ctx, ProductsName, out, func(dir string, out io.Writer) error {
		// Neither size nor checksum of the archive is published; it has about 1.38 GB.
		from := dataset.Collection{Kind: ProductsName, BaseURL: cmp.Or(address, publishedAt),
			Files: []dataset.File{{Name: productsZip, Most: 2 << 30}}}
		archive := filepath.Join(dir, productsZip)
		var err error
		if !there(out) {
			if err = from.Get(ctx, "", dir, out); err == nil {
				err = convertArchive(ctx, archive, out)
			}
		}
		_, unfit := errors.AsType[*unusable](err)
		if unfit {
			err = fmt.Errorf("%w; what came from %s is deleted, run the command again or name another address", err,
				from.BaseURL)
		}
		if unfit || err == nil {
			if removal := os.Remove(archive); !errors.Is(removal, fs.ErrNotExist) {
				err = errors.Join(err, removal)
			}
		}
		return err
	})
}

// there reports whether there are such arrays already, and why those that are there are made again.
func there(out io.Writer) bool {
	g, err := OpenProducts()
	if err == nil {
		fmt.Fprintf(out, "%s: already there, %s\n", g.Dir, g)
		_ = g.Close() // nothing was written
	} else if !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(out, "Making the arrays again: %s\n", err)
	}
	return err == nil
}

// convertArchive makes the arrays of the text files in an archive.
func convertArchive(ctx context.Context, archive string, out io.Writer) error {
	sum, err := fsx.SHA256(archive)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "SHA-256 of %s: %s. None is published to verify it by; the CRC-32 of each file in it and the "+
		"counts of the graph are verified.\n", productsZip, sum)
	content, err := zip.OpenReader(archive)
	if err != nil {
		return &unusable{fmt.Errorf("%s is damaged or another file: %w", archive, err)}
	}
	defer content.Close()
	c := conversion(filepath.Dir(archive), archive)
	if c.archive, err = fs.Sub(content, productsFolder); err != nil {
		return err
	}
	c.sum = sum
	return c.shown(ctx, out)
}

// ConvertProducts is [GetProducts] for the text files of products.zip in a folder of the reader's own, the one with the
// folders raw and split; they stay as they are. Errors are those of [Conversion.Convert], or say what is missing in the
// folder.
func ConvertProducts(ctx context.Context, from string, out io.Writer) error {
	return inFolder(ctx, ProductsName, out, func(dir string, out io.Writer) error {
		if there(out) {
			return nil
		}
		return conversion(dir, from).shown(ctx, out)
	})
}

// conversion of the text files of ogbn-products to arrays in its data folder.
func conversion(dir, from string) Conversion {
	return Conversion{From: from, To: filepath.Join(dir, arraysFolder), Name: ProductsName, Split: productsSplit,
		Classes: products.classes, want: products}
}

// shown converts, and writes to out how far it is and what came of it.
func (c Conversion) shown(ctx context.Context, out io.Writer) error {
	line := say.Timed{Line: say.Line{W: out, Terminal: say.Terminal(out)}}
	c.Progress = func(file string, fraction float64) { line.Show("converting "+file, fraction) }
	err := c.Convert(ctx)
	line.Clear()
	if err != nil {
		return explained(ctx, filepath.Dir(c.To), err)
	}
	g, err := Open(c.To)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", c.To, g)
	return g.Close()
}

// inFolder does something in the data folder of a graph, which no other process touches meanwhile.
func inFolder(ctx context.Context, kind string, out io.Writer, do func(dir string, out io.Writer) error) error {
	if out == nil {
		out = io.Discard
	}
	dir, err := dataset.Dir(kind)
	if err != nil {
		return err
	}
	waiting := func() { fmt.Fprintf(out, "Another process is at work in %s; waiting for it …\n", dir) }
	return alone(ctx, dir, waiting, func() error { return do(dir, out) })
}
