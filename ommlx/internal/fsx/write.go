// Package fsx adds file operations to package os: it replaces files atomically, verifies checksums, and finds the
// checkout and the cache folder.
package fsx

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Unfinished ends the name of a file that [Write] has not renamed yet. A killed process may leave one, named after its
// target, a number and this suffix.
const Unfinished = ".tmp"

// Write replaces the file at path atomically: a reader, even after a crash, sees the old or the new content. See
// [Fill].
func Write(path string, content []byte) error {
	return Fill(path, func(out io.Writer) error {
		_, err := out.Write(content)
		return err
	})
}

// Fill atomically replaces the file at path by the output of fill. An existing file keeps its permissions; a new one
// has 0644. The folder must exist. After an error, path is unchanged, unless only the folder could not be flushed.
func Fill(path string, fill func(out io.Writer) error) (err error) {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+Unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name()) // gone if only the folder could not be flushed
		}
	}()
	out := bufio.NewWriterSize(tmp, 1<<20)
	if err = fill(out); err == nil {
		err = out.Flush()
	}
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	err = folder.Sync() // so that the name survives a crash too
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil // some network file systems cannot flush a folder
	}
	return errors.Join(err, folder.Close())
}

// SHA256 returns the SHA-256 of a file as 64 lower-case hexadecimal digits.
func SHA256(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// SHA256Of is [SHA256] for content in memory.
func SHA256Of(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
