package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// maxFileBytes bounds a download: the largest layout has 2 kB, so more than this is a wrong page.
const maxFileBytes = 1 << 20

// fileTimeout bounds the wait for one file.
const fileTimeout = 30 * time.Second

// Get fetches the files of the collection that are not yet in dir with the right SHA-256, and writes one line
// per file to progress (nil for silence). An empty baseURL means the collection's own, an empty dir means
// [Dir] of its kind. A file appears under its name only when complete and verified.
//
// Errors name the file or folder and what to do: no network, an HTTP status other than 200, a transfer that
// was cut off, a wrong sum, a folder that cannot be written, and ctx ended. Files fetched before the error stay.
func (c Collection) Get(ctx context.Context, baseURL, dir string, progress io.Writer) error {
	if baseURL == "" {
		baseURL = c.BaseURL
	}
	if dir == "" {
		own, err := Dir(c.Kind)
		if err != nil {
			return err
		}
		dir = own
	}
	if progress == nil {
		progress = io.Discard
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return unwritable(dir, err)
	}
	for i, file := range c.Files {
		if err := file.check(c.Kind); err != nil {
			return err
		}
		path := filepath.Join(dir, file.Name)
		word := "already there"
		if content, err := readFile(path); err != nil || sum(content) != file.SHA256 {
			content, err := fetch(ctx, strings.TrimSuffix(baseURL, "/")+"/"+file.Name, file)
			if err != nil {
				return err
			}
			if err := write(path, content); err != nil {
				return unwritable(dir, err)
			}
			word = fmt.Sprintf("fetched, %d bytes", len(content))
		}
		fmt.Fprintf(progress, "[%d/%d] %s: %s\n", i+1, len(c.Files), path, word)
	}
	return nil
}

// fetch returns the verified content at url.
func fetch(ctx context.Context, url string, file File) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot fetch %s: %w; check the base URL", file.Name, err)
	}
	response, err := http.DefaultClient.Do(request)
	if ctx.Err() != nil {
		if err == nil {
			response.Body.Close()
		}
		return nil, stopped(ctx, file)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot fetch %s: %w; check the network connection and try again", file.Name, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("cannot fetch %s: %s answered %s; nothing was written for it, check the address or try again later",
			file.Name, url, response.Status)
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, maxFileBytes+1))
	if ctx.Err() != nil {
		return nil, stopped(ctx, file)
	}
	if err != nil {
		return nil, fmt.Errorf("the transfer of %s from %s was cut off after %d of %d bytes (%w); nothing was written for it, try again",
			file.Name, url, len(content), response.ContentLength, err)
	}
	if got := sum(content); got != file.SHA256 {
		return nil, fmt.Errorf("%s from %s is not the expected file: SHA-256 is %s, expected %s; nothing was written for it, "+
			"try again or put the right file there by hand", file.Name, url, got, file.SHA256)
	}
	return content, nil
}

// write puts content at path in one step: a reader, or a crash, sees the old file or the new one.
func write(path string, content []byte) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if _, err = temp.Write(content); err != nil {
		return err
	}
	// CreateTemp makes the file private to its user; a layout may be read by everybody.
	if err = temp.Chmod(0o644); err != nil {
		return err
	}
	if err = temp.Sync(); err != nil {
		return err
	}
	if err = temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

func stopped(ctx context.Context, file File) error {
	return fmt.Errorf("stopped while fetching %s (%w); nothing was written for it, the same command goes on from here",
		file.Name, context.Cause(ctx))
}

func unwritable(dir string, err error) error {
	return fmt.Errorf("cannot write data to %s: %w; make the folder writable or set %s to another one", dir, err, DataVariable)
}

// absent tells a path that does not exist, including one below something that is not a folder.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
