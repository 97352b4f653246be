package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"operator-omm/ommlx/notebook"
)

// try executes what the notebooks suggest in copies beside their folder, where a notebook finds the library.
func (p notebookPaths) try(ctx context.Context, files []string, dir string, out io.Writer) (err error) {
	copies, err := os.MkdirTemp(filepath.Dir(dir), ".lab-tries-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copies)) }()
	write := func(name string, text []byte) error { return os.WriteFile(filepath.Join(copies, name), text, 0o644) }
	if err := write("go.mod", []byte("module tries\n")); err != nil { // so that Go looks for no packages here
		return err
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		tries, err := notebook.Tries(text)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := write(filepath.Base(file), tries); err != nil {
			return err
		}
		files[i] = filepath.Join(copies, filepath.Base(file))
	}
	return p.execute(ctx, files, out)
}
