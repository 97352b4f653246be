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

// Live returns a function for [train.Options].Progress. It shows the line of [Progress] and, below it, a lasting figure
// of the loss so far, averaged over the runs. Both are redrawn in place, the figure at most twice a second and at the
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

type live struct {
	series draw.Series
	drawn  time.Time
}

// picture adds a point to the curve and draws it. It returns nil if there is only one point, if the last drawing is
// recent, or if a loss was not finite.
func (l *live) picture(s train.Status, now time.Time) []byte {
	l.series.Add(float64(s.Step), stat.Mean(s.Loss, nil))
	ended := s.Step >= s.Steps || s.Stopped
	if len(l.series.X) < 2 || !ended && now.Sub(l.drawn) < time.Second/2 {
		return nil
	}
	figure, err := draw.Curves{XLabel: "step", YLabel: "loss", Series: []draw.Series{l.series}}.Figure()
	if err != nil {
		return nil // not finite, as the progress line shows
	}
	png, err := draw.PNG(figure)
	if err != nil {
		return nil
	}
	l.drawn = now
	return png
}

// Progress returns a function for [train.Options].Progress. It shows the progress below the cell, with the loss so far
// as a curve. A finished training is one line; several finished trainings are folded under the last one.
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

// ofCell are the trainings of the cell, which is its own process; display identifies their output.
var ofCell, display = trainings{}, "trainings_" + gonbui.UniqueId()

// trainings are the last lines of finished trainings.
type trainings []string

// html returns the cell's output: the finished trainings, and the current one.
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

// curve draws the finite values of a loss as a line without axes.
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

func show(place, html string) {
	gonbui.UpdateHTML(place, html)
	gonbui.Sync() // deliver the output before the program ends
}
