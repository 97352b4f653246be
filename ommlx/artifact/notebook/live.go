package notebook

import (
	"encoding/base64"
	"fmt"
	"html"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"omm-go/ommlx/artifact/report/draw"
	"omm-go/ommlx/train"
)

// Live is [Progress] with a picture below the line: what drawing returns for the current state is redrawn while the
// cell trains, and afterwards the cell's output has an animation of it. An interrupt leaves the last picture. Drawing
// takes less than 3 % of the training, if the number of its steps is fixed. Outside a notebook nothing is drawn. An
// error of drawing ends the cell.
//
// All pictures of a training have one size. [draw.HeatMaps] are drawn in milliseconds, others in ten times as long.
// [Rooms] returns such a function.
func Live(label string, drawing func(now train.Snapshot) (draw.Drawing, error)) func(train.Status) {
	line := Progress(label)
	if !gonbui.IsNotebook {
		return line
	}
	id := "live_" + gonbui.UniqueId()
	l := live{drawing: drawing, show: func(frame, animation []byte) {
		gonbui.SendData(&protocol.DisplayData{Data: bundle(label, frame, animation), DisplayID: id})
		gonbui.Sync()
	}}
	return func(s train.Status) {
		line(s)
		Check(l.update(s))
	}
}

// live collects the frames of one training.
type live struct {
	drawing func(now train.Snapshot) (draw.Drawing, error)
	show    func(frame, animation []byte) // PNG, and GIF or nil, in the place of the ones before

	film        draw.Film
	cost, spent time.Duration // of the last frame; of all
	shown       time.Time     // when the last frame was
}

const (
	maxFrames = 60
	maxBytes  = 1_000_000 // of an animation
	// drawingShare of the training's time draws frames. A frame costs a quarter of that again in the animation.
	drawingShare = 0.018
	fastest      = 500 * time.Millisecond // between pictures
	slowest      = 3 * time.Second
)

// bundle is the output of a cell in two forms: a viewer without HTML shows the last frame.
func bundle(label string, frame, animation []byte) map[protocol.MIMEType]any {
	out := map[protocol.MIMEType]any{protocol.MIMEImagePNG: frame}
	if animation != nil {
		out[protocol.MIMETextHTML] = fmt.Sprintf(`<img alt="%s" src="data:image/gif;base64,%s">`,
			html.EscapeString(label), base64.StdEncoding.EncodeToString(animation))
	}
	return out
}

// update shows a new picture if one is due, and at the end of the training the animation.
func (l *live) update(s train.Status) error {
	ended, began := s.Step >= s.Steps || s.Stopped, time.Now()
	kept := ended || l.due(s)
	if !kept && (began.Sub(l.shown) < slowest || l.spent+l.cost > share(s.Elapsed)) {
		return nil
	}
	drawing, err := l.drawing(s.Snapshot)
	if err != nil {
		return err
	}
	if err := l.film.Add(drawing); err != nil {
		return err
	}
	if ended {
		return l.animate()
	}
	if began.Sub(l.shown) >= fastest {
		data, err := l.film.PNG()
		if err != nil {
			return err
		}
		l.shown = began
		l.show(data, nil)
	}
	if !kept {
		l.film.Cut()
	}
	l.cost = time.Since(began)
	l.spent += l.cost
	return nil
}

// due reports whether the animation needs a frame: frame j of n at the share (j/n)² of the steps, since functions
// change most at the start. n is what the time for drawing allows, at most [maxFrames], where all steps are as fast as
// those so far.
func (l *live) due(s train.Status) bool {
	done, frames := float64(s.Step-s.FirstStep)/float64(s.Steps-s.FirstStep), float64(l.film.Frames())
	if frames == 0 {
		return true
	}
	left := drawingShare*float64(s.Elapsed)/done - float64(l.spent)
	n := min(maxFrames-1, frames+left/float64(max(l.cost, 1)))
	return done >= frames*frames/(n*n)
}

func share(elapsed time.Duration) time.Duration {
	return time.Duration(drawingShare * float64(elapsed))
}

// animate shows all frames, or as many as fit.
func (l *live) animate() error {
	frame, err := l.film.PNG()
	if err != nil {
		return err
	}
	for {
		data, err := l.film.GIF()
		if err != nil {
			return err
		}
		if len(data) <= maxBytes || l.film.Frames() < 3 {
			l.show(frame, data)
			return nil
		}
		l.film.Halve()
	}
}
