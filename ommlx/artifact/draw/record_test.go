package draw

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// recording is what a figure draws, each text and each path with the box that it takes, in points.
type recording struct {
	texts []recordedText
	paths []recordedPath
}

type recordedText struct {
	vg.Rectangle
	words string
}

type recordedPath struct {
	vg.Rectangle
	color  color.Color
	filled bool
	dashed bool
}

// record draws a figure without turned text and lists what is drawn.
func record(fig *Figure) (r recording) {
	var c recorder.Canvas
	fig.paint(vgdraw.NewCanvas(&c, fig.Width, fig.Height))
	var path recordedPath
	for _, action := range c.Actions {
		switch a := action.(type) {
		case *recorder.SetColor:
			path.color = a.Color
		case *recorder.SetLineDash:
			path.dashed = len(a.Dashes) > 0
		case *recorder.Fill:
			path.Rectangle, path.filled = boxOf(a.Path), true
			r.paths = append(r.paths, path)
		case *recorder.Stroke:
			if path.color == nil { // an outline of no width
				continue
			}
			path.Rectangle, path.filled = boxOf(a.Path), false
			r.paths = append(r.paths, path)
		case *recorder.FillString:
			if a.String == " " {
				continue
			}
			width := textStyle(a.Size, ink).Width(a.String)
			r.texts = append(r.texts, recordedText{rectangle(a.Point.X, a.Point.Y-0.21*a.Size,
				a.Point.X+width, a.Point.Y+0.73*a.Size), a.String})
		}
	}
	return r
}

func (r recording) words() (all []string) {
	for _, text := range r.texts {
		all = append(all, text.words)
	}
	return all
}

func boxOf(path vg.Path) vg.Rectangle {
	r := rectangle(vg.Length(math.Inf(1)), vg.Length(math.Inf(1)), vg.Length(math.Inf(-1)), vg.Length(math.Inf(-1)))
	for _, p := range path {
		if p.Type != vg.CloseComp {
			r = rectangle(min(r.Min.X, p.Pos.X), min(r.Min.Y, p.Pos.Y), max(r.Max.X, p.Pos.X), max(r.Max.Y, p.Pos.Y))
		}
	}
	return r
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

func within(a, b vg.Rectangle) bool {
	return a.Min.X >= b.Min.X && a.Min.Y >= b.Min.Y && a.Max.X <= b.Max.X && a.Max.Y <= b.Max.Y
}

// assertLegible tells whether no text runs into another or into a mark, and whether all of the figure lies within it.
// Colours of grounds and of light lines may be behind a text.
func assertLegible(t *testing.T, fig *Figure, margin vg.Length, grounds ...color.Color) {
	t.Helper()
	r := record(fig)
	inside := rectangle(margin, margin, fig.Width-margin, fig.Height-margin)
	for i, a := range r.texts {
		assert.True(t, within(a.Rectangle, inside), "%q is at %v", a.words, a.Rectangle)
		for _, b := range r.texts[:i] {
			assert.False(t, overlap(a.Rectangle, b.Rectangle), "%q runs into %q", a.words, b.words)
		}
	}
	for _, p := range r.paths {
		assert.True(t, within(p.Rectangle, inside), "a path at %v", p.Rectangle)
		for _, a := range r.texts {
			behind := false
			for _, g := range grounds {
				behind = behind || same(g, p.color)
			}
			assert.True(t, behind || !overlap(a.Rectangle, p.Rectangle), "%q runs into %+v", a.words, p)
		}
	}
}
