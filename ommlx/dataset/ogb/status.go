package ogb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"operator-omm/ommlx/dataset"
)

// ProductsStatus looks for ogbn-products as [OpenProducts] does. Errors are those of [dataset.Dir].
func ProductsStatus() (dataset.FileStatus, error) { return productsStatus(publishedProducts) }

func productsStatus(want counts) (dataset.FileStatus, error) {
	g, dir, err := findProducts(want)
	if dir == "" {
		return dataset.FileStatus{}, err
	}
	return status(ProductsName, dir, g, err), nil
}

// GeneratedStatus lists the generated graphs in the data folder, by the name of their folders, without those that are
// not finished. Errors are those of [dataset.Dir], or say that the folder cannot be read.
func GeneratedStatus() (all []dataset.FileStatus, err error) {
	dir, err := dataset.Dir(generatedKind)
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, folder := range folders {
		arrays := filepath.Join(dir, folder.Name(), arraysFolder)
		g, err := Open(arrays)
		if s := status(generatedKind+"/"+folder.Name(), arrays, g, err); s.State != dataset.Missing {
			all = append(all, s)
		}
	}
	return all, err
}

// status describes what opening a graph gave, and closes it.
func status(name, dir string, g *Graph, err error) dataset.FileStatus {
	if err == nil {
		err = g.Close()
	}
	switch {
	case err == nil:
		return dataset.FileStatus{Name: name, State: dataset.Correct, Path: dir}
	case errors.Is(err, fs.ErrNotExist):
		return dataset.FileStatus{Name: name, State: dataset.Missing, Path: dir}
	}
	return dataset.FileStatus{Name: name, State: dataset.Altered, Path: dir, Err: err}
}
