package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"

	"operator-omm/ommlx/internal/fsx"
	"operator-omm/ommlx/internal/pip"
)

// wheel is a Python wheel that holds the files of a collection.
type wheel struct {
	pip.Wheel
	folder string // of the files, in the wheel
}

// unpack takes the files that are not in dir yet out of the wheel of the collection. Each appears complete or not at
// all, so that two processes at the same time do no harm.
func (c Collection) unpack(ctx context.Context, dir string, out io.Writer) error {
	say := func(i int, what string) {
		fmt.Fprintf(out, "[%d/%d] %s: %s\n", i+1, len(c.Files), filepath.Join(dir, c.Files[i].Name), what)
	}
	var lacking []int
	var names []string
	for i, file := range c.Files {
		if got, err := file.sum(filepath.Join(dir, file.Name), io.Discard); err == nil && got == file.SHA256 {
			say(i, "already there")
			continue
		}
		lacking = append(lacking, i)
		names = append(names, path.Join(c.wheel.folder, file.Name))
	}
	if len(lacking) == 0 {
		return nil
	}
	from := c.wheel.Project + " " + c.wheel.Version
	fmt.Fprintf(out, "Getting the Python wheel of %s with pip (%s) …\n", from, Amount(c.wheel.Size))
	err := c.wheel.Unpack(ctx, dir, pip.Download, names, func(tmp string) error {
		for _, i := range lacking {
			file := c.Files[i]
			source := filepath.Join(tmp, file.Name)
			got, err := file.sum(source, io.Discard)
			if err != nil {
				return err
			}
			if got != file.SHA256 {
				return &fsx.Damaged{Path: file.Name + " of " + from, Want: file.SHA256, Got: got}
			}
			if err := fsx.Rename(source, filepath.Join(dir, file.Name)); err != nil {
				return Unwritable(dir, err)
			}
			say(i, "taken from it, "+Amount(file.Size))
		}
		return nil
	})
	if _, disk := errors.AsType[*fs.PathError](err); disk { // of the temporary folder or of what lies in it
		return Unwritable(dir, err)
	}
	if err != nil {
		return fmt.Errorf("cannot get the %s: %w", c.Kind, err)
	}
	return nil
}
