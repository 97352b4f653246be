package pip

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"operator-omm/ommlx/internal/fsx"
)

// Wheel is a Python wheel at a pinned version.
type Wheel struct {
	Project, Version string // as pip names them
	File             string // its name
	SHA256           string // of its content, 64 lower-case hexadecimal digits
}

// Unpack downloads the wheel, verifies it, extracts the named files from it, and calls use with the folder in which
// they lie, without the folders of the wheel. That folder is a temporary one in home, on whose disk use can move what
// it keeps; home must exist, and nothing is left in it after an error.
//
// The error is [Unavailable] where the wheel could not be had, wraps a [fsx.Damaged] where it came with another
// content, or is that of use.
func (w Wheel) Unpack(
	ctx context.Context, home string, download Downloader, names []string, use func(dir string) error,
) error {
	dir, err := Temporary(home)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := download(ctx, w, dir); err != nil {
		return err
	}
	file := filepath.Join(dir, w.File)
	got, err := fsx.SHA256(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Unavailable{fmt.Errorf("pip reported success but did not leave %s", w.File)}
	} else if err != nil {
		return err
	}
	if got != w.SHA256 {
		return fmt.Errorf("nothing was installed: %w; %s",
			&fsx.Damaged{Path: w.File, Want: w.SHA256, Got: got}, tryAgain)
	}
	if err := w.extract(file, dir, names); err != nil {
		return err
	}
	return use(dir)
}

// extract unpacks the named files from the wheel at file into dir, without folders.
func (w Wheel) extract(file, dir string, names []string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return fmt.Errorf("%s cannot be unpacked: %w", w.File, err)
	}
	defer z.Close()
	for _, name := range names {
		if err := extractFile(z, name, filepath.Join(dir, path.Base(name))); err != nil {
			return fmt.Errorf("unpacking %s from %s: %w", name, w.File, err)
		}
	}
	return nil
}

func extractFile(z *zip.ReadCloser, name, to string) error {
	src, err := z.Open(name)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	// Whoever moves the file on, and says that it was verified, must find it whole after a loss of power.
	return errors.Join(err, dst.Sync(), dst.Close())
}
