package ogb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"omm-go/ommlx/artifact/dataset"
	"omm-go/ommlx/internal/fsx"
)

// arraysFolder holds the converted arrays, in the data folder of their graph.
const arraysFolder = "arrays"

// ProductsStatus looks for ogbn-products as [OpenProducts] does. Errors are those of [dataset.Dir].
func ProductsStatus() (dataset.FileStatus, error) {
	g, dir, err := findProducts()
	if dir == "" {
		return dataset.FileStatus{}, err
	}
	return status(ProductsName, dir, g, err), nil
}

// OtherStatus lists the graphs in the data folder that [Text] converted, and those that were generated, by the names of
// their folders and without those that are not finished. Errors are those of [dataset.Dir], or say that a folder cannot
// be read.
func OtherStatus() (all []dataset.FileStatus, err error) {
	generated, err := dataset.Dir(generatedKind)
	if err != nil {
		return nil, err
	}
	for _, place := range []struct{ dir, prefix string }{
		{filepath.Dir(generated), ""}, {generated, generatedKind + "/"},
	} {
		folders, err := os.ReadDir(place.dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, folder := range folders {
			arrays := filepath.Join(place.dir, folder.Name(), arraysFolder)
			g, err := Open(arrays)
			s := status(place.prefix+folder.Name(), arrays, g, err)
			if s.State != dataset.Missing && s.Name != ProductsName {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// status describes what opening a graph gave and whether its files are as they were written, and closes it.
func status(name, dir string, g *Graph, err error) dataset.FileStatus {
	if err == nil {
		err = errors.Join(g.Verify(), g.Close())
	}
	return dataset.StatusOf(name, dir, err)
}

// inFolder does in the data folder of a graph, which it makes, what one process at a time may do.
func inFolder(ctx context.Context, kind string, out io.Writer, do func(dir string, out io.Writer) error) error {
	if out == nil {
		out = io.Discard
	}
	dir, err := dataset.Dir(kind)
	if err != nil {
		return err
	}
	lock, err := hold(ctx, dir, out)
	if err != nil {
		return err
	}
	defer fsx.DropLock(lock)
	return do(dir, out)
}

// hold makes a folder and keeps other processes out of it until [fsx.DropLock].
func hold(ctx context.Context, dir string, out io.Writer) (lock *os.File, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, dataset.Unwritable(dir, err)
	}
	waiting := func() { fmt.Fprintf(out, "Another process is at work in %s; waiting for it …\n", dir) }
	lock, err = fsx.Lock(ctx, filepath.Join(dir, "lock"), waiting)
	return lock, explained(ctx, dir, err)
}

// explained says of an error of work in a folder what to do: about the disk, or after the end of ctx.
func explained(ctx context.Context, dir string, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, cause) {
		return fmt.Errorf("stopped (%w); the same command makes the arrays, of which none are there, anew", cause)
	}
	disk, ok := errors.AsType[*fs.PathError](err)
	if ok && strings.HasPrefix(disk.Path, dir+string(filepath.Separator)) {
		return dataset.Unwritable(dir, err)
	}
	return err
}
