package draw

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"omm-go/ommlx/internal/testkit"
)

// recording is what a figure draws: each text, path and image with the box that it takes, in points.
type recording struct {
	*Figure
	texts, paths, images []recorded
}

type recorded struct {
	vg.Rectangle
	words          string
	first          vg.Point // of a path
	color          color.Color
	filled, dashed bool
	image          image.Image
}

// record lists what is drawn; turned text is not where it says.
func record(d Drawing) (r recording) {
	r.Figure = testkit.Must(d.Figure())
	var c recorder.Canvas
	r.paint(vgdraw.NewCanvas(&c, r.Width, r.Height))
	var path recorded
	add := func(p vg.Path, filled bool) {
		if path.color != nil { // else an outline of no width
			path.Rectangle, path.first, path.filled = boxOf(p), p[0].Pos, filled
			r.paths = append(r.paths, path)
		}
	}
	for _, action := range c.Actions {
		switch a := action.(type) {
		case *recorder.SetColor:
			path.color = a.Color
		case *recorder.SetLineDash:
			path.dashed = len(a.Dashes) > 0
		case *recorder.Fill:
			add(a.Path, true)
		case *recorder.Stroke:
			add(a.Path, false)
		case *recorder.DrawImage:
			r.images = append(r.images, recorded{Rectangle: a.Rectangle, image: a.Image})
		case *recorder.FillString:
			if a.String != " " {
				right, y := a.Point.X+textStyle(a.Size, ink).Width(a.String), a.Point.Y
				r.texts = append(r.texts, recorded{words: a.String,
					Rectangle: rectangle(a.Point.X, y-0.21*a.Size, right, y+0.73*a.Size)})
			}
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

func (r recording) at(words string) vg.Rectangle {
	return r.texts[slices.Index(r.words(), words)].Rectangle
}

// of are the paths of a colour, as filled or as lines, in the order in which they were drawn.
func (r recording) of(c color.Color, filled bool) (all []recorded) {
	for _, p := range r.paths {
		if same(c, p.color) && p.filled == filled {
			all = append(all, p)
		}
	}
	return all
}

func same(a, b color.Color) bool {
	return color.NRGBA64Model.Convert(a) == color.NRGBA64Model.Convert(b)
}

func boxOf(path vg.Path) vg.Rectangle {
	inf := vg.Length(math.Inf(1))
	r := rectangle(inf, inf, -inf, -inf)
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
func assertLegible(t *testing.T, d Drawing, margin vg.Length, grounds ...color.Color) {
	t.Helper()
	r := record(d)
	inside := rectangle(margin, margin, r.Width-margin, r.Height-margin)
	for i, a := range r.texts {
		assert.True(t, within(a.Rectangle, inside), "%q is at %v", a.words, a.Rectangle)
		for _, b := range r.texts[:i] {
			assert.False(t, overlap(a.Rectangle, b.Rectangle), "%q runs into %q", a.words, b.words)
		}
	}
	for _, p := range r.paths {
		assert.True(t, within(p.Rectangle, inside), "a path at %v", p.Rectangle)
		behind := slices.ContainsFunc(grounds, func(g color.Color) bool { return same(g, p.color) })
		for _, a := range r.texts {
			assert.True(t, behind || !overlap(a.Rectangle, p.Rectangle), "%q runs into %+v", a.words, p)
		}
	}
}
