package draw

import (
	"errors"
	"image"
	stddraw "image/draw"
	"strings"
	"time"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Animation shows functions on a grid as they change. Its frames have maps of the same layout in the same places.
type Animation struct {
	Frames []HeatMaps
	Each   time.Duration // that a frame is shown, a multiple of 10 ms; the last one is shown two seconds longer
}

// Figure lays out the last frame.
func (a Animation) Figure() (*Figure, error) {
	if len(a.Frames) == 0 {
		return nil, errors.New("draw: an animation without frames")
	}
	return a.Frames[len(a.Frames)-1].Figure()
}

const (
	screen    = 110 // resolution of animations in dots per inch: 605 pixels at [TextWidth]
	mapLevels = 63  // colours of a map in an animation
)

// GIF renders the animation as a GIF that repeats, 605 pixels wide. The same animation always gives the same bytes.
func (a Animation) GIF() ([]byte, error) {
	var film Film
	for _, frame := range a.Frames {
		if err := film.Add(frame); err != nil {
			return nil, err
		}
	}
	return film.GIF(a.Each)
}

// pixels draws the maps cell by cell, in rows, with their titles and the note below them.
func (f HeatMaps) pixels() *image.RGBA {
	const dot = vg.Inch / screen
	style := textStyle(smallSize, grey, text.XLeft, text.YTop)
	lines := strings.Split(wrap(f.Note, style, pageWidth), "\n")
	grid := f.Maps[0].Layout.table(f.Maps[0].Values)
	columns := f.columns()
	width := pageWidth / vg.Length(columns)
	cell := max(1, int((width-tileGap)/dot/vg.Length(len(grid[0]))))
	row := vg.Length(cell*len(grid))*dot + lineHeight + tileGap
	rows := (len(f.Maps) + columns - 1) / columns
	height := 2*margin + vg.Length(rows)*row + vg.Length(len(lines))*lineHeight
	c := vgimg.NewWith(vgimg.UseWH(TextWidth, height), vgimg.UseDPI(screen))
	texts, img := vgdraw.New(c), c.Image().(*image.RGBA)
	for i, m := range f.Maps {
		left, top := margin+vg.Length(i%columns)*width, margin+vg.Length(i/columns)*row
		texts.FillText(style, vg.Point{X: left, Y: height - top}, m.Title)
		x, y := int(left/dot), int((top+lineHeight)/dot)
		colours := scaleOf(m.Values, mapLevels)
		for i, line := range m.Layout.table(m.Values) {
			for j, value := range line {
				at := image.Rect(x+j*cell, y+i*cell, x+(j+1)*cell, y+(i+1)*cell)
				stddraw.Draw(img, at, image.NewUniform(colours.at(value)), image.Point{}, stddraw.Src)
			}
		}
	}
	for i, line := range lines {
		texts.FillText(style, vg.Point{X: margin, Y: margin + vg.Length(len(lines)-i)*lineHeight}, line)
	}
	return img
}
