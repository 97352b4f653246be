package ogb

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/say"
)

// The archive of ogbn-products, and the folder in it.
const (
	productsZip    = "products.zip"
	productsFolder = "products"
)

// publishedAt is the address that the Open Graph Benchmark names. It is asked by https where it answers so.
const publishedAt = "http://snap.stanford.edu/ogb/data/nodeproppred"

// Products says how the arrays of ogbn-products are made: the products that customers of a shop bought together, from
//
//	Hu, Fey, Zitnik, Dong, Ren, Liu, Catasta, Leskovec: Open Graph Benchmark: Datasets for Machine Learning on Graphs,
//	NeurIPS 2020, with data of http://manikvarma.org/downloads/XC/XMLRepository.html (Amazon's licence).
type Products struct {
	BaseURL string // of the folder with products.zip; empty: that of the Open Graph Benchmark
	Float16 bool   // see [Conversion]
	Keep    bool   // products.zip (1.4 GB) after its conversion
}

// collection is the archive, of which neither size nor checksum is published; it has about 1.38 GB.
func (p Products) collection() dataset.Collection {
	return dataset.Collection{
		Kind:    ProductsName,
		BaseURL: cmp.Or(p.BaseURL, publishedAt),
		Files:   []dataset.File{{Name: productsZip, Most: 2 << 30}},
	}
}

// Get downloads ogbn-products, converts it to the arrays of [OpenProducts] in the data folder, and deletes the archive;
// where there are such arrays already, nothing is done. It writes to out (nil for silence) what it does, and while that
// lasts how far it is with the time left. 3 GB of disk are needed meanwhile.
//
// No checksum of the archive is published. Verified are the CRC-32 that it has of each file, and the counts, see
// [OpenProducts]; the SHA-256 that was seen is written to out and kept as [Graph].Archive, so that it can be compared.
//
// A transfer that was cut off goes on with the next byte. Of two processes one waits for the other. Errors are those of
// [dataset.Collection.Get] and [Conversion.Convert]; or say that the archive is damaged or not ogbn-products, and then
// it is deleted, and the next call fetches it again.
func (p Products) Get(ctx context.Context, out io.Writer) error {
	return p.get(ctx, publishedProducts, out)
}

func (p Products) get(ctx context.Context, want counts, out io.Writer) error {
	return inFolder(ctx, ProductsName, out, func(dir string, out io.Writer) error {
		from, archive := p.collection(), filepath.Join(dir, productsZip)
		there, err := p.there(want, out)
		if err == nil && !there {
			if p.BaseURL == "" {
				from.BaseURL = secure(ctx, http.DefaultClient, from.BaseURL, out)
			}
			if err = from.Get(ctx, "", dir, out); err == nil {
				err = p.convertArchive(ctx, archive, want, out)
			}
		}
		_, damaged := errors.AsType[*unreadable](err)
		_, another := errors.AsType[*wrongCounts](err)
		if damaged || another {
			err = fmt.Errorf("%w; what came from %s is deleted, run the command again or name another address", err,
				from.BaseURL)
		}
		if damaged || another || err == nil && !p.Keep {
			if removal := os.Remove(archive); !errors.Is(removal, fs.ErrNotExist) {
				err = errors.Join(err, removal)
			}
		}
		return err
	})
}

// there reports whether there are such arrays already. Those with features in float16 are as good as others; those in
// float32 are not where float16 is asked for.
func (p Products) there(want counts, out io.Writer) (bool, error) {
	g, err := openProducts(want)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(out, "Making the arrays again: %s\n", err)
		}
		return false, nil
	}
	there := !p.Float16 || g.Half != nil
	if there {
		fmt.Fprintf(out, "%s: already there, %s\n", g.Dir, g)
	}
	return there, g.Close()
}

// convertArchive makes the arrays of the text files in an archive.
func (p Products) convertArchive(ctx context.Context, archive string, want counts, out io.Writer) error {
	sum, err := fsx.SHA256(archive)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "SHA-256 of %s: %s. None is published to verify it by; the CRC-32 of each file in it and the "+
		"counts of the graph are verified.\n", productsZip, sum)
	content, err := zip.OpenReader(archive)
	if err != nil {
		return &unreadable{fmt.Errorf("%s is damaged or another file: %w", archive, err)}
	}
	defer content.Close()
	c := p.conversion(filepath.Dir(archive), archive, want)
	if c.archive, err = fs.Sub(content, productsFolder); err != nil {
		return err
	}
	c.sum = sum
	return c.shown(ctx, out)
}

// Convert is Get for the text files of products.zip in a folder of the reader's own, the one with the folders raw and
// split; they stay as they are. Errors are those of [Conversion.Convert], or say what is missing in the folder.
func (p Products) Convert(ctx context.Context, from string, out io.Writer) error {
	return p.convert(ctx, from, publishedProducts, out)
}

func (p Products) convert(ctx context.Context, from string, want counts, out io.Writer) error {
	return inFolder(ctx, ProductsName, out, func(dir string, out io.Writer) error {
		if there, err := p.there(want, out); there || err != nil {
			return err
		}
		return p.conversion(dir, from, want).shown(ctx, out)
	})
}

func (p Products) conversion(dir, from string, want counts) Conversion {
	return Conversion{From: from, To: filepath.Join(dir, arraysFolder), Name: ProductsName, Split: Split,
		Classes: want.classes, Float16: p.Float16, want: want}
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

// secure returns an address by https where its server answers so, in ten seconds, whatever it answers. Where it does
// not, it says so, and returns the address as it is.
func secure(ctx context.Context, client *http.Client, address string, out io.Writer) string {
	const patience = 10 * time.Second
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	by := strings.Replace(address, "http://", "https://", 1)
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, by, nil)
	if err == nil {
		var answer *http.Response
		if answer, err = client.Do(request); err == nil {
			_ = answer.Body.Close()
			return by
		}
	}
	fmt.Fprintf(out, "%s does not answer by https (%s); what comes by http may be altered on its way\n", address, err)
	return address
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
