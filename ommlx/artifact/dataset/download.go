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
	"time"

	"omm-go/ommlx/internal/fsx"
	"omm-go/ommlx/internal/say"
)

// unfinished is the end of the name of what has come of a file.
const unfinished = ".part"

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
	File
	url   string
	path  string // where the file appears
	line  say.Timed
	say   func(what string) // tells something of the file on a line of its own
	part  *os.File          // what has come, to write at its end; this process holds its lock
	size  int64             // bytes that have come
	found int64             // of these, bytes that an earlier call left
}

// run fetches the file unless it is there, and says what it did.
func (d *download) run(ctx context.Context) (did string, err error) {
	const there = "already there"
	if d.there() {
		return there, nil
	}
	dir := filepath.Dir(d.path)
	if info, err := os.Stat(d.path); err == nil && info.IsDir() {
		return "", Unwritable(dir, fmt.Errorf("%s is a folder", d.path))
	}
	waiting := func() { d.say("another process is fetching it; waiting for that") }
	d.part, err = fsx.Lock(ctx, d.path+unfinished, waiting)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", fmt.Errorf("stopped while waiting for another process to fetch %s: %w", d.Name, err)
	case err != nil:
		return "", Unwritable(dir, err)
	}
	defer func() {
		if d.size == 0 {
			_ = os.Remove(d.part.Name()) // an empty file that stays does no harm; one in place has another name
		}
		d.part.Close()
	}()
	if d.there() {
		return there, d.restart() // another process fetched it meanwhile
	}
	if d.size, err = d.part.Seek(0, io.SeekEnd); err != nil {
		return "", Unwritable(dir, err)
	}
	d.found = d.size
	for err = d.complete(ctx); errors.Is(err, errUnexpected); err = d.complete(ctx) {
		found := d.found
		if restarted := d.restart(); restarted != nil || found == 0 {
			return "", errors.Join(err, restarted)
		}
		d.line.Clear()
		d.say("what an earlier transfer left does not fit; starting anew")
	}
	if err != nil {
		return "", err
	}
	// Everybody may read data, whatever the umask of who fetches it. The lock is kept, so that nobody takes the partial
	// file up on its way.
	if err = errors.Join(d.part.Chmod(0o644), d.part.Sync()); err == nil {
		err = fsx.Rename(d.part.Name(), d.path)
	}
	if err != nil {
		return "", Unwritable(dir, err)
	}
	did = "fetched, " + Amount(d.size)
	if d.found > 0 {
		did += ", of which an earlier transfer left " + Amount(d.found)
	}
	return did, nil
}

// there reports whether the file is in place and verified.
func (d *download) there() bool {
	got, err := fsx.SHA256(d.path)
	return err == nil && d.has(got)
}

// restart discards what has come.
func (d *download) restart() error {
	d.size, d.found = 0, 0
	_, err := d.part.Seek(0, io.SeekStart)
	if err = errors.Join(err, d.part.Truncate(0)); err != nil {
		return Unwritable(filepath.Dir(d.path), err)
	}
	return nil
}

// complete fetches what has not come yet, and verifies the whole.
func (d *download) complete(ctx context.Context) error {
	if err := d.transfer(ctx); err != nil {
		return err
	}
	got, err := fsx.SHA256(d.part.Name())
	if err == nil && !d.has(got) {
		err = d.unexpected("SHA-256 is %s, expected %s", got, d.SHA256)
	}
	return err
}

// unexpected is the error of content that is not the file's.
func (d *download) unexpected(format string, args ...any) error {
	return fmt.Errorf("%s from %s %w: %s; nothing was written for it, try again or put the right file there by hand",
		d.Name, d.url, errUnexpected, fmt.Sprintf(format, args...))
}

// transfer appends what the server has to the partial file.
func (d *download) transfer(ctx context.Context) error {
	watched, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer watch.Stop()
	// failed explains err by what ended the transfer: the caller, silence, or else the network.
	failed := func(err error) error {
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("stopped while fetching %s (%w); %s", d.Name, context.Cause(ctx), d.kept())
		case watched.Err() != nil:
			return fmt.Errorf("the transfer of %s from %s was given up: %w; %s", d.Name, d.url,
				context.Cause(watched), d.kept())
		}
		return err
	}
	request, err := http.NewRequestWithContext(watched, http.MethodGet, d.url, nil)
	var response *http.Response
	if err == nil {
		request.Header.Set("Accept-Encoding", "identity") // bytes are counted as they are in the file
		if d.size > 0 {
			request.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.size))
		}
		client := *http.DefaultClient
		client.CheckRedirect = d.redirected
		response, err = client.Do(request)
	}
	if err != nil {
		return failed(fmt.Errorf("cannot fetch %s: %w; check the network connection and try again", d.Name, err))
	}
	defer response.Body.Close()
	total, complete, err := d.accept(response)
	if err != nil || complete {
		return err
	}
	if err := CheckSpace(filepath.Dir(d.path), d.Name, total-d.size); err != nil {
		return err
	}
	body := reader(func(b []byte) (int, error) {
		n, err := response.Body.Read(b)
		watch.Reset(silence)
		d.size += int64(n)
		come := d.Name + "  " + Amount(d.size)
		if total > 0 {
			come += " of " + Amount(total)
		}
		d.line.Show(come, float64(d.size)/float64(max(total, d.size, 1)))
		return n, err
	})
	_, err = io.Copy(d.part, io.LimitReader(body, d.limit()-d.size+1))
	if disk, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%w; %s", Unwritable(filepath.Dir(d.path), disk), d.kept())
	}
	if err != nil {
		after := fmt.Sprint(d.size)
		if total > 0 {
			after += fmt.Sprintf(" of %d", total)
		}
		return failed(fmt.Errorf("the transfer of %s from %s was cut off after %s bytes (%w); %s", d.Name, d.url,
			after, err, d.kept()))
	}
	if d.size > d.limit() {
		return d.unexpected("it has more than %d bytes", d.limit())
	}
	return nil
}

// redirected refuses, of a file that no sum tells, the way from https to plain http, and as [http.Client] does more
// than ten redirects.
func (d *download) redirected(next *http.Request, via []*http.Request) error {
	switch from := via[len(via)-1].URL; {
	case len(via) >= 10:
		return errors.New("stopped after 10 redirects")
	case d.SHA256 == "" && from.Scheme == "https" && next.URL.Scheme != "https":
		return fmt.Errorf("%s redirects from https to %s, where anybody in between could answer", from.Host,
			next.URL.Scheme)
	}
	return nil
}

// reader is a function as an [io.Reader].
type reader func([]byte) (int, error)

func (r reader) Read(b []byte) (int, error) { return r(b) }

// accept looks at what the server is about to send, before the first byte of it is written. It returns the size of the
// whole file, or 0 where neither the collection nor the server tells it, and whether all had come before. What came
// before is discarded if the server sends the whole file; it is kept if the server sends a page in the place of the
// file, as the log-in of a network does.
func (d *download) accept(r *http.Response) (total int64, complete bool, err error) {
	total = max(r.ContentLength, 0) // −1: not known
	sent := r.Header.Get("Content-Range")
	switch {
	case r.StatusCode == http.StatusOK:
		if !d.fits(total) {
			return 0, false, fmt.Errorf("cannot fetch %s: %s has %d bytes, expected %d; check the address or try "+
				"again later", d.Name, d.url, total, d.Size)
		}
		if d.SHA256 == "" && 0 < total && total < d.size {
			return 0, false, fmt.Errorf("cannot fetch %s: %s has %d bytes, and %s has more already; check the "+
				"address, or delete that file to begin anew", d.Name, d.url, total, d.part.Name())
		}
		if d.size > 0 {
			err = d.restart()
		}
		return max(total, d.Size), false, err
	case r.StatusCode == http.StatusPartialContent && d.size > 0:
		var first int64
		if _, err := fmt.Sscanf(sent, "bytes %d-", &first); err != nil || first != d.size {
			return 0, false, d.unexpected("asked for the bytes from %d on, the server sends %q", d.size, sent)
		}
		if total > 0 {
			total += d.size
		}
		if !d.fits(total) {
			return 0, false, d.unexpected("it has %d bytes, expected %d", total, d.Size)
		}
		return max(total, d.Size), false, nil
	case r.StatusCode == http.StatusRequestedRangeNotSatisfiable && d.size > 0:
		if sent == fmt.Sprintf("bytes */%d", d.size) {
			return d.size, true, nil
		}
		return 0, false, d.unexpected("the server has no more than the %d bytes that are there", d.size)
	}
	return 0, false, fmt.Errorf("cannot fetch %s: %s answered %s; check the address or try again later",
		d.Name, d.url, r.Status)
}

// fits reports whether total bytes, where that is known, can be the file.
func (d *download) fits(total int64) bool { return total == 0 || d.Size == 0 || total == d.Size }

// kept says what an error leaves of the file.
func (d *download) kept() string {
	if d.size == 0 {
		return "nothing was written for it, try again"
	}
	return fmt.Sprintf("%s holds what has come, and the same command goes on from there", d.part.Name())
}
