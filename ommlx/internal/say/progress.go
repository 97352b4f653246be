package say

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"
)

// isTerminal reports whether w is a terminal that can redraw a line in place.
func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// Line shows the progress of a job: on a terminal one line that is redrawn in place, in a log occasional lines.
type Line struct {
	W    io.Writer // nil: [Notebook]
	last time.Time
}

// Notebook gets the lines of jobs without W, each in the place of the previous one, and whether the job has ended.
// Package notebook sets it in a notebook; elsewhere it is nil.
var Notebook func(line string, ended bool)

// Show writes the fraction in [0, 1] that is done and text, unless the job continues and the last line is less than
// 0.2 s old, or 15 s in a log. A log gets no line at the start of the job.
func (l *Line) Show(fraction float64, ended bool, text func() string) {
	if l.W == nil && Notebook == nil {
		return
	}
	every, log := 200*time.Millisecond, l.W != nil && !isTerminal(l.W)
	if log {
		every = 15 * time.Second
		if l.last.IsZero() {
			l.last = time.Now()
		}
	}
	if !ended && time.Since(l.last) < every {
		return
	}
	l.last = time.Now()
	done := fmt.Sprintf("%3.0f%% %s", 100*fraction, text())
	switch drawn := gauge(fraction) + " " + done; {
	case log:
		fmt.Fprintln(l.W, done)
	case l.W == nil:
		Notebook(drawn, ended)
	case ended:
		fmt.Fprintln(l.W, "\r\x1b[K"+drawn)
	default:
		fmt.Fprint(l.W, "\r\x1b[K"+drawn)
	}
}

// gauge draws a fraction; from 1 on it is full.
func gauge(fraction float64) string {
	const width = 16
	full := int(min(fraction, 1) * width)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]"
}

// Clear removes the line from a terminal.
func (l *Line) Clear() {
	if isTerminal(l.W) && !l.last.IsZero() {
		fmt.Fprint(l.W, "\r\x1b[K")
	}
}

// Settling is the time before an estimate of the time left, since the first pieces may be slower.
const Settling = 3 * time.Second

// Left formats an estimate of seconds left: 1m37s, 1h37m, 12 h, 491 days.
func Left(seconds float64) string {
	const minute, hour, day, most = 60, 3600, 86400, 1e6
	seconds = math.Ceil(seconds - 1e-6) // 1e-6 for rounding
	switch minutes := math.Round(seconds / minute); {
	case seconds < hour:
		return (time.Duration(seconds) * time.Second).String()
	case minutes < 600:
		return fmt.Sprintf("%dh%02dm", int(minutes)/60, int(minutes)%60)
	case seconds < 2*day:
		return fmt.Sprintf("%.0f h", seconds/hour)
	}
	return fmt.Sprintf("%.0f days", min(seconds/day, most))
}
