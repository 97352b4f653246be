package say

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// Terminal reports whether w is a terminal that can draw a line over itself.
func Terminal(w io.Writer) bool {
	f, ok := w.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// Line shows how far a job is: on a terminal one line that is drawn over itself, in a log a line now and then.
type Line struct {
	W        io.Writer
	Terminal bool // draw the line over itself instead of writing whole lines

	last time.Time
}

// Show writes the fraction in [0, 1] that is done, and text after it, unless it did so a moment ago: 0.2 s on a
// terminal, 15 s in a log, which has no use for a line at the start of the job either.
func (l *Line) Show(fraction float64, text func() string) {
	every := 200 * time.Millisecond
	if !l.Terminal {
		every = 15 * time.Second
		if l.last.IsZero() {
			l.last = time.Now()
		}
	}
	if time.Since(l.last) < every {
		return
	}
	l.last = time.Now()
	done := fmt.Sprintf("%3.0f%% %s", 100*fraction, text())
	if !l.Terminal {
		fmt.Fprintln(l.W, done)
		return
	}
	fmt.Fprintf(l.W, "\r\x1b[K%s %s", Gauge(fraction), done)
}

// Gauge draws a fraction in [0, 1]; beyond it the gauge is full.
func Gauge(fraction float64) string {
	const width = 16
	full := int(min(fraction, 1) * width)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]"
}

// Clear takes the line off a terminal, so that something else can be written.
func (l *Line) Clear() {
	if l.Terminal && !l.last.IsZero() {
		fmt.Fprint(l.W, "\r\x1b[K")
	}
}
