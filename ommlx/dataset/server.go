package dataset

import (
	"context"
	"fmt"
	"net/http"
)

// ask requests what the partial file lacks.
func (d *download) ask(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept-Encoding", "identity") // bytes are counted as they are in the file
	if d.part.size > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.part.size))
	}
	return http.DefaultClient.Do(request)
}

// accept looks at what the server is about to send, before the first byte of it is written, and returns the size of the
// whole file, or 0 where neither the collection nor the server tells it. What came before is discarded if the server
// sends the whole file; it is kept if the server sends a page in the place of the file, as the log-in of a network
// does.
func (d *download) accept(r *http.Response) (total int64, err error) {
	if r.ContentLength > 0 { // 0 and −1: not known
		total = r.ContentLength
	}
	switch {
	case r.StatusCode == http.StatusOK:
		if !d.fits(total) {
			return 0, fmt.Errorf("cannot fetch %s: %s has %d bytes, expected %d; check the address or try again later",
				d.file.Name, d.url, total, d.file.Size)
		}
		if d.file.SHA256 == "" && 0 < total && total < d.part.size {
			return 0, fmt.Errorf("cannot fetch %s: %s has %d bytes, and %s has more already; check the address, or "+
				"delete that file to begin anew", d.file.Name, d.url, total, d.part.file.Name())
		}
		if d.part.size > 0 {
			err = d.restart()
		}
		return max(total, d.file.Size), err
	case r.StatusCode == http.StatusPartialContent && d.part.size > 0:
		var first int64
		sent := r.Header.Get("Content-Range")
		if _, err := fmt.Sscanf(sent, "bytes %d-", &first); err != nil || first != d.part.size {
			return 0, d.unexpected("asked for the bytes from %d on, the server sends %q", d.part.size, sent)
		}
		if total > 0 {
			total += d.part.size
		}
		if !d.fits(total) {
			return 0, d.unexpected("it has %d bytes, expected %d", total, d.file.Size)
		}
		return max(total, d.file.Size), nil
	case d.whole(r):
		return d.part.size, nil
	case r.StatusCode == http.StatusRequestedRangeNotSatisfiable && d.part.size > 0:
		return 0, d.unexpected("the server has no more than the %d bytes that are there", d.part.size)
	}
	return 0, fmt.Errorf("cannot fetch %s: %s answered %s; check the address or try again later",
		d.file.Name, d.url, r.Status)
}

// whole reports whether the server says that all of a file has come whose sum could not tell so.
func (d *download) whole(r *http.Response) bool {
	return d.file.SHA256 == "" && d.part.size > 0 && r.StatusCode == http.StatusRequestedRangeNotSatisfiable &&
		r.Header.Get("Content-Range") == fmt.Sprintf("bytes */%d", d.part.size)
}

// fits reports whether total bytes, where that is known, can be the file.
func (d *download) fits(total int64) bool {
	return total == 0 || d.file.Size == 0 || total == d.file.Size
}
