package dataset

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"operator-omm/ommlx/internal/say"
)

// Get fetches the files of the collection that are not yet in dir with the right SHA-256. An empty baseURL means the
// collection's own, an empty dir means [Dir] of its kind. It writes to out (nil for silence) one line per file and,
// while a transfer lasts, how far it is: bytes, speed, time left.
//
// Files of a Python wheel come through the user's pip, which has its own way to name another address: a baseURL is an
// error. What follows holds for the others.
//
// A file appears under its name only when complete and verified. Until then what has come lies beside it, under its
// name with .part, and the next call goes on from there, whatever ended this one; what does not fit the file on the
// server, or gives a wrong sum, is discarded. Of two processes that fetch the same file one waits for the other.
//
// Errors name the file or folder and what to do: no network, an HTTP status that is not the file, a transfer that was
// cut off or without a byte for a minute, a wrong size or sum, too little space, a folder that cannot be written, and
// ctx ended. Files fetched before the error stay.
func (c Collection) Get(ctx context.Context, baseURL, dir string, out io.Writer) error {
	return c.get(ctx, baseURL, dir, out, freeSpace)
}

// space tells how many bytes this user can write to the disk of a folder.
type space func(dir string) (uint64, error)

// get is Get on disks with the given space.
func (c Collection) get(ctx context.Context, baseURL, dir string, out io.Writer, free space) error {
	if c.wheel != nil && baseURL != "" {
		return fmt.Errorf("the data %q come with pip, not from %s; name another address in pip's own settings",
			c.Kind, baseURL)
	}
	baseURL = strings.TrimSuffix(cmp.Or(baseURL, c.BaseURL), "/")
	if dir == "" {
		own, err := Dir(c.Kind)
		if err != nil {
			return err
		}
		dir = own
	}
	if out == nil {
		out = io.Discard
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Unwritable(dir, err)
	}
	if c.wheel != nil {
		return c.unpack(ctx, dir, out)
	}
	for i, file := range c.Files {
		if err := file.check(c.Kind); err != nil {
			return err
		}
		path := filepath.Join(dir, file.Name)
		d := download{
			file: file, url: baseURL + "/" + file.Name, dir: dir, path: path, free: free,
			line: say.Line{W: out, Terminal: say.Terminal(out)},
			say:  func(what string) { fmt.Fprintf(out, "[%d/%d] %s: %s\n", i+1, len(c.Files), path, what) },
		}
		did, err := d.run(ctx)
		d.line.Clear()
		if err != nil {
			return err
		}
		d.say(did)
	}
	return nil
}
