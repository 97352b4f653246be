package say

import (
	"cmp"
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
	Terminal bool              // draw the line over itself instead of writing whole lines
	Display  func(line string) // if not nil, takes each line in the place of the one before; W gets nothing
	Every    time.Duration     // between two lines; 0: 15 s in a log, 0.2 s elsewhere

	last time.Time
}

// Show writes the fraction in [0, 1] that is done, and text after it, unless it did so a moment ago and the job goes
// on. A log has no use for a line at the start of the job.
func (l *Line) Show(fraction float64, ended bool, text func() string) {
	every := cmp.Or(l.Every, 200*time.Millisecond)
	log := !l.Terminal && l.Display == nil
	if log {
		every = cmp.Or(l.Every, 15*time.Second)
		if l.last.IsZero() {
			l.last = time.Now()
		}
	}
	if !ended && time.Since(l.last) < every {
		return
	}
	l.last = time.Now()
	done := fmt.Sprintf("%3.0f%% %s", 100*fraction, text())
	if log {
		fmt.Fprintln(l.W, done)
		return
	}
	done = gauge(fraction) + " " + done
	if l.Display != nil {
		l.Display(done)
		return
	}
	fmt.Fprint(l.W, "\r\x1b[K", done)
	if ended {
		fmt.Fprintln(l.W)
	}
}

// gauge draws a fraction in [0, 1]; beyond it the gauge is full.
func gauge(fraction float64) string {
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
