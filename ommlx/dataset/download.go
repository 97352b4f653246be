package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"operator-omm/ommlx/internal/say"
)

// silence is how long a transfer goes on without a byte.
const silence = time.Minute

var (
	// errSilent ends a transfer after that time.
	errSilent = errors.New("no byte came for " + silence.String())
	// errUnexpected is wrapped by the errors of content that is not the file's.
	errUnexpected = errors.New("is not the expected file")
)

// download is the transfer of one file.
type download struct {
	file  File
	url   string
	dir   string // the folder
	path  string // where the file appears
	free  space
	line  say.Line
	say   func(what string) // tells something of the file on a line of its own
	part  *partial
	found int64 // bytes of part that an earlier call left
}

// run fetches the file unless it is there, and says what it did.
func (d *download) run(ctx context.Context) (did string, err error) {
	const there = "already there"
	if d.there() {
		return there, nil
	}
	if info, err := os.Stat(d.path); err == nil && info.IsDir() {
		return "", Unwritable(d.dir, fmt.Errorf("%s is a folder", d.path))
	}
	d.part, err = openPartial(ctx, d.path, func() { d.say("another process is fetching it; waiting for that") })
	switch {
	case err != nil && ctx.Err() != nil:
		return "", fmt.Errorf("stopped while waiting for another process to fetch %s: %w", d.file.Name, err)
	case err != nil:
		return "", Unwritable(d.dir, err)
	}
	defer d.part.close()
	if d.there() {
		return there, d.part.empty() // another process fetched it meanwhile
	}
	d.found = d.part.size
	if err := d.complete(ctx); err != nil {
		return "", err
	}
	if err := d.part.publish(d.path); err != nil {
		return "", Unwritable(d.dir, err)
	}
	did = "fetched, " + Amount(d.part.size)
	if d.found > 0 {
		did += ", of which an earlier transfer left " + Amount(d.found)
	}
	return did, nil
}

// there reports whether the file is in place and verified.
func (d *download) there() bool {
	got, err := d.file.sum(d.path, io.Discard)
	return err == nil && d.file.has(got)
}

// complete brings the partial file to the whole content. If what was there before does not lead to it, the transfer
// starts anew, once.
func (d *download) complete(ctx context.Context) error {
	err := d.extend(ctx)
	if d.found > 0 && errors.Is(err, errUnexpected) {
		d.line.Clear()
		d.say("what an earlier transfer left does not fit; starting anew")
		if err := d.restart(); err != nil {
			return err
		}
		err = d.extend(ctx)
	}
	if errors.Is(err, errUnexpected) {
		return errors.Join(err, d.restart())
	}
	return err
}

// restart discards what has come.
func (d *download) restart() error {
	d.found = 0
	if err := d.part.empty(); err != nil {
		return Unwritable(d.dir, err)
	}
	return nil
}

// extend fetches what the partial file lacks and verifies the whole.
func (d *download) extend(ctx context.Context) error {
	if d.part.size > 0 && d.part.sum() == d.file.SHA256 {
		return nil // all of it had come before
	}
	if d.part.size >= d.file.limit() {
		return d.unexpected("%d bytes are there, and it has at most %d", d.part.size, d.file.limit())
	}
	if err := d.transfer(ctx); err != nil {
		return err
	}
	if got := d.part.sum(); !d.file.has(got) {
		return d.unexpected("SHA-256 is %s, expected %s", got, d.file.SHA256)
	}
	return nil
}

// unexpected is the error of content that is not the file's.
func (d *download) unexpected(format string, args ...any) error {
	return fmt.Errorf("%s from %s %w: %s; nothing was written for it, try again or put the right file there by hand",
		d.file.Name, d.url, errUnexpected, fmt.Sprintf(format, args...))
}

// transfer appends what the server has to the partial file.
func (d *download) transfer(ctx context.Context) error {
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer watch.Stop()
	response, err := d.ask(watched)
	if err != nil {
		return d.failed(ctx, watched, fmt.Errorf("cannot fetch %s: %w; check the network connection and try again",
			d.file.Name, err))
	}
	defer response.Body.Close()
	total, err := d.accept(response)
	if err != nil || d.whole(response) {
		return err
	}
	if err := d.checkSpace(total); err != nil {
		return err
	}
	show := d.progress(total)
	body := reader(func(b []byte) (int, error) {
		n, err := response.Body.Read(b)
		watch.Reset(silence)
		show()
		return n, err
	})
	_, err = io.Copy(d.part, io.LimitReader(body, d.file.limit()-d.part.size+1))
	if disk, ok := errors.AsType[*fs.PathError](err); ok {
		return d.diskError(disk)
	}
	if err != nil {
		after := fmt.Sprint(d.part.size)
		if total > 0 {
			after += fmt.Sprintf(" of %d", total)
		}
		return d.failed(ctx, watched, fmt.Errorf("the transfer of %s from %s was cut off after %s bytes (%w); %s",
			d.file.Name, d.url, after, err, d.kept()))
	}
	if d.part.size > d.file.limit() {
		return d.unexpected("it has more than %d bytes", d.file.limit())
	}
	return nil
}

// reader is a function as an [io.Reader].
type reader func([]byte) (int, error)

func (r reader) Read(b []byte) (int, error) { return r(b) }

// failed explains err, with which a transfer ended, by what ended it: the caller, silence, or else the network.
func (d *download) failed(ctx, watched context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped while fetching %s (%w); %s", d.file.Name, context.Cause(ctx), d.kept())
	case watched.Err() != nil:
		return fmt.Errorf("the transfer of %s from %s was given up: %w; %s",
			d.file.Name, d.url, context.Cause(watched), d.kept())
	}
	return err
}

// kept says what an error leaves of the file.
func (d *download) kept() string {
	if d.part.size == 0 {
		return "nothing was written for it, try again"
	}
	return fmt.Sprintf("%s holds what has come, and the same command goes on from there", d.part.file.Name())
}
