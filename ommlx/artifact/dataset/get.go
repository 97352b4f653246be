package dataset

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"omm-go/ommlx/internal/say"
)

// Get fetches the files of the collection that are not yet in dir with the right SHA-256. An empty baseURL means the
// collection's own, an empty dir means [Dir] of its kind. It writes to out (nil for silence) one line per file and,
// while a transfer lasts, how far it is: bytes and time left.
//
// A file appears under its name only when complete and verified. Until then what has come lies beside it, under its
// name with .part, and the next call goes on from there, whatever ended this one; what does not fit the file on the
// server, or gives a wrong sum, is discarded. Of two processes that fetch the same file one waits for the other.
//
// Errors name the file or folder and what to do: no network, an HTTP status that is not the file, a transfer that was
// cut off or without a byte for a minute, a wrong size or sum, too little space, a folder that cannot be written, and
// ctx ended. Files fetched before the error stay.
func (c Collection) Get(ctx context.Context, baseURL, dir string, out io.Writer) error {
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
	for i, file := range c.Files {
		if err := file.check(c.Kind); err != nil {
			return err
		}
		path := filepath.Join(dir, file.Name)
		d := download{
			File: file, url: baseURL + "/" + file.Name, path: path,
			line: say.Timed{Line: say.Line{W: out, Terminal: say.Terminal(out)}},
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
