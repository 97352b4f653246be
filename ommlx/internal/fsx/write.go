// Package fsx has what this project does with files beyond package os: it puts them in place in one step, verifies
// their checksums, locks them, and knows the folders of a checkout and of the cache.
package fsx

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Unfinished is the end of the name of a file that [Write] has not put in place yet. A process that is killed leaves
// one behind, named as the file that it is for, a number and this.
const Unfinished = ".tmp"

// Write puts content at path in one step: a reader, also after a crash, sees the old content or the new one, never a
// part of it. See [Fill].
func Write(path string, content []byte) error {
	return Fill(path, func(out io.Writer) error {
		_, err := out.Write(content)
		return err
	})
}

// Update is [Write], but leaves a file untouched that has this content.
func Update(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	return Write(path, content)
}

// Fill puts what fill writes at path in one step. An existing file is replaced and keeps its permissions; a new one has
// 0644. The folder must exist. After an error, also of fill, path is as it was, unless only the folder could not be
// flushed.
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
			_ = os.Remove(tmp.Name()) // gone already when only the folder could not be flushed
		}
	}()
	out := bufio.NewWriterSize(tmp, 1<<20)
	if err = fill(out); err == nil {
		err = out.Flush()
	}
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return Rename(tmp.Name(), path)
}

// Rename moves the file from, which its writer has flushed, to path in the same folder, and flushes the folder, so that
// the name survives a crash as the content does.
func Rename(from, path string) error {
	if err := os.Rename(from, path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil // some network file systems cannot flush a folder
	}
	return errors.Join(err, folder.Close())
}

// SHA256 returns the SHA-256 of the content of a file as 64 lower-case hexadecimal digits. The error says why it cannot
// be read.
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

// SHA256Of is [SHA256] of a content.
func SHA256Of(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// Damaged is the error of a file whose content is not the pinned one.
type Damaged struct{ Path, Want, Got string }

// Error implements [error].
func (e *Damaged) Error() string {
	return fmt.Sprintf("%s is truncated or altered: its SHA-256 is %s, expected %s", e.Path, e.Got, e.Want)
}
