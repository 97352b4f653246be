package notebook

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/train"
)

// Live returns what [train.Options].Progress takes: the line of [Progress] and, below it, the loss so far as a figure,
// in the mean over the runs, which stays. Both are drawn over themselves, the figure at most twice a second and at the
// end.
func Live(label string) func(train.Status) {
	line, id := progress(label, false), "live_"+gonbui.UniqueId()
	l := live{series: draw.Series{Name: label}}
	return func(s train.Status) {
		line(s)
		if png := l.picture(s, time.Now()); png != nil && gonbui.IsNotebook {
			gonbui.SendData(&protocol.DisplayData{DisplayID: id,
				Data: map[protocol.MIMEType]any{protocol.MIMEImagePNG: png}})
			gonbui.Sync()
		}
	}
}

// live is the loss so far and when it was drawn.
type live struct {
	series draw.Series
	drawn  time.Time
}

// picture returns the curve with one more point, or nil if it is not to be drawn now: of one point, a moment after the
// last time, or from a loss on that is not finite.
func (l *live) picture(s train.Status, now time.Time) []byte {
	l.series.Add(float64(s.Step), stat.Mean(s.Loss, nil))
	ended := s.Step >= s.Steps || s.Stopped
	if len(l.series.X) < 2 || !ended && now.Sub(l.drawn) < time.Second/2 {
		return nil
	}
	figure, err := draw.Curves{XLabel: "step", YLabel: "loss", Series: []draw.Series{l.series}}.Figure()
	if err != nil {
		return nil // not finite: the line of progress says so
	}
	png, err := draw.PNG(figure)
	if err != nil {
		return nil
	}
	l.drawn = now
	return png
}

// Progress returns what [train.Options].Progress takes. Below the cell it shows how far the training is, with the loss
// so far as a curve; a training that has ended is one line, and several of them are folded under the last one.
func Progress(label string) func(train.Status) { return progress(label, true) }

func progress(label string, curve bool) func(train.Status) {
	var loss []float64
	ended := false
	bar := &train.Bar{Label: label,
		Display: func(line string) { show(display, ofCell.html(line, loss, ended)) }}
	return func(s train.Status) {
		if ended = s.Step >= s.Steps || s.Stopped; curve {
			loss = append(loss, stat.Mean(s.Loss, nil))
		}
		if bar.Show(s); ended {
			loss = nil
		}
	}
}

// ofCell are the trainings of the cell, which is a process of its own, and display is where they are shown.
var ofCell, display = trainings{}, "trainings_" + gonbui.UniqueId()

// trainings are the last lines of those that have ended.
type trainings []string

// html is what stands below the cell: the trainings that have ended, and the one that goes on.
func (t *trainings) html(line string, loss []float64, ended bool) string {
	if ended {
		*t = append(*t, line)
	}
	out := ""
	if n := len(*t); n > 2 {
		out = fmt.Sprintf("<details><summary>%d trainings have ended.</summary>%s</details>", n-1, pre((*t)[:n-1]))
		out += pre((*t)[n-1:])
	} else if n > 0 {
		out = pre(*t)
	}
	if !ended {
		out += pre([]string{line}) + curve(loss)
	}
	return out
}

func pre(lines []string) string {
	return "<pre>" + html.EscapeString(strings.Join(lines, "\n")) + "</pre>"
}

// curve draws what is finite of a loss as a line without axes.
func curve(loss []float64) string {
	const width, height = 400, 60
	loss = slices.DeleteFunc(slices.Clone(loss), func(l float64) bool { return math.IsNaN(l) || math.IsInf(l, 0) })
	if len(loss) < 2 {
		return ""
	}
	low, high := slices.Min(loss), slices.Max(loss)
	var points strings.Builder
	for i := 0; i < len(loss); i += 1 + len(loss)/width {
		x, y := width*float64(i)/float64(len(loss)-1), height*(high-loss[i])/max(high-low, math.SmallestNonzeroFloat64)
		fmt.Fprintf(&points, "%.1f,%.1f ", x, y)
	}
	return fmt.Sprintf(`<svg role="img" aria-label="loss so far" width="%d" height="%d" viewBox="-2 -2 %d %d">`+
		`<polyline points="%s" fill="none" stroke="currentColor"/></svg>`, width, height, width+4, height+4, &points)
}

// show replaces what stands at a place below the cell.
func show(place, html string) {
	gonbui.UpdateHTML(place, html)
	gonbui.Sync() // a program that ends would take with it what is still on the way
}
