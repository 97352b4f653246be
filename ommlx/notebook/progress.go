package notebook

import (
	"html"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/gonum/stat"

	"operator-omm/ommlx/artifact/draw"
	"operator-omm/ommlx/train"
)

// Live returns what [train.Options].Progress takes: the line of [Progress] and, below it, the loss so far as a curve,
// in the mean over the runs. Both are drawn over themselves, the curve at most twice a second and at the end.
func Live(label string) func(train.Status) {
	line, id := Progress(label), "live_"+gonbui.UniqueId()
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

// Progress returns what [train.Options].Progress takes: one line below the cell, drawn over itself.
func Progress(label string) func(train.Status) {
	bar := &train.Bar{Medium: train.Notebook, Display: line(), Label: label}
	return bar.Show
}

// line returns a function that replaces the text of one line below the cell.
func line() func(text string) {
	id := "progress_" + gonbui.UniqueId()
	return func(text string) {
		gonbui.UpdateHTML(id, "<pre>"+html.EscapeString(text)+"</pre>")
		gonbui.Sync() // a program that ends would take with it what is still on the way
	}
}
