package draw

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"
	"image/gif"
	"image/png"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Film is an animation that is drawn while its frames come. Its frames have one size.
type Film struct {
	last    Drawing // that was added
	frames  []*image.Paletted
	colours color.Palette
	nearest map[color.RGBA]uint8 // index in colours
}

const (
	screen    = 110 // resolution of films in dots per inch: 605 pixels at [TextWidth]
	mapLevels = 63  // colours of a map in a film
	frameTime = 120 * time.Millisecond
)

// Figure lays out the drawing that was added last.
func (f *Film) Figure() (*Figure, error) {
	if f.last == nil {
		return nil, errors.New("draw: an animation without frames")
	}
	return f.last.Figure()
}

// Frames is the number of frames.
func (f *Film) Frames() int { return len(f.frames) }

// Add draws a frame, 605 pixels wide. [HeatMaps] take milliseconds, other drawings ten times as long.
func (f *Film) Add(d Drawing) error {
	img, err := onScreen(d)
	if err != nil {
		return err
	}
	if n := len(f.frames); n > 0 && img.Rect != f.frames[n-1].Rect {
		return fmt.Errorf("draw: a frame of %v after one of %v", img.Rect.Max, f.frames[n-1].Rect.Max)
	}
	if f.nearest == nil {
		f.colours, f.nearest = palette(), map[color.RGBA]uint8{}
	}
	out := image.NewPaletted(img.Rect, f.colours)
	for i := range out.Pix {
		c := img.RGBAAt(i%img.Rect.Dx(), i/img.Rect.Dx())
		index, known := f.nearest[c]
		if !known {
			index = uint8(f.colours[1:].Index(c) + 1) // 0 is transparent
			f.nearest[c] = index
		}
		out.Pix[i] = index
	}
	f.frames, f.last = append(f.frames, out), d
	return nil
}

// onScreen draws in the resolution of films.
func onScreen(d Drawing) (*image.RGBA, error) {
	if maps, is := d.(HeatMaps); is {
		return maps.pixels()
	}
	fig, err := d.Figure()
	if err != nil {
		return nil, err
	}
	c := vgimg.NewWith(vgimg.UseWH(fig.Width, fig.Height), vgimg.UseDPI(screen))
	fig.paint(vgdraw.New(c))
	return c.Image().(*image.RGBA), nil
}

// pixels draws the maps cell by cell, in rows, with their titles and the note below them.
func (f HeatMaps) pixels() (*image.RGBA, error) {
	const dot = vg.Inch / screen
	style := textStyle(smallSize, grey, text.XLeft, text.YTop)
	lines := strings.Split(wrap(f.Note, style, pageWidth), "\n")
	first, columns := f.Maps[0].Layout.Rows, f.columns()
	width := pageWidth / vg.Length(columns)
	cell := max(1, int((width-tileGap)/dot/vg.Length(len(first[0]))))
	row := vg.Length(cell*len(first))*dot + lineHeight + tileGap
	rows := (len(f.Maps) + columns - 1) / columns
	height := 2*margin + vg.Length(rows)*row + vg.Length(len(lines))*lineHeight
	c := vgimg.NewWith(vgimg.UseWH(TextWidth, height), vgimg.UseDPI(screen))
	texts, img := vgdraw.New(c), c.Image().(*image.RGBA)
	for i, m := range f.Maps {
		left, top := margin+vg.Length(i%columns)*width, margin+vg.Length(i/columns)*row
		texts.FillText(style, vg.Point{X: left, Y: height - top}, m.Title)
		x, y := int(left/dot), int((top+lineHeight)/dot)
		table, err := m.table()
		if err != nil {
			return nil, err
		}
		colours := scaleOf(m.Values, mapLevels)
		for i, line := range table {
			for j, value := range line {
				at := image.Rect(x+j*cell, y+i*cell, x+(j+1)*cell, y+(i+1)*cell)
				stddraw.Draw(img, at, image.NewUniform(colours.at(value)), image.Point{}, stddraw.Src)
			}
		}
	}
	for i, line := range lines {
		texts.FillText(style, vg.Point{X: margin, Y: margin + vg.Length(len(lines)-i)*lineHeight}, line)
	}
	return img, nil
}

// PNG returns the last frame.
func (f *Film) PNG() ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err := encoder.Encode(&b, f.frames[len(f.frames)-1])
	return b.Bytes(), err
}

// Cut removes the last frame.
func (f *Film) Cut() { f.frames = f.frames[:len(f.frames)-1] }

// Halve removes every second frame. The first and the last one stay.
func (f *Film) Halve() {
	last := len(f.frames) - 1
	kept := f.frames[:0]
	for i, frame := range f.frames {
		if (last-i)%2 == 0 || i == 0 {
			kept = append(kept, frame)
		}
	}
	f.frames = slices.Clip(kept)
}

// GIF returns the frames as a GIF that repeats, 605 pixels wide. Each is shown for 120 ms, the last one two seconds
// longer. The same frames always give the same bytes.
func (f *Film) GIF() ([]byte, error) {
	var out gif.GIF
	var before []uint8
	for _, frame := range f.frames {
		next := frame
		if before != nil { // transparent where nothing changes
			next = image.NewPaletted(frame.Rect, f.colours)
			for i, index := range frame.Pix {
				if index != before[i] {
					next.Pix[i] = index
				}
			}
		}
		before = frame.Pix
		out.Image = append(out.Image, next)
		out.Delay = append(out.Delay, int(frameTime/(10*time.Millisecond)))
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	if len(out.Delay) > 0 {
		out.Delay[len(out.Delay)-1] += 200
	}
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &out)
	return b.Bytes(), err
}

// palette returns the transparent colour, those of maps, greys for text and those of curves.
func palette() color.Palette {
	const greys = 64
	list, s := color.Palette{color.Transparent}, scaleOf([]float64{1}, mapLevels)
	for i := range mapLevels {
		list = append(list, s.at(2*float64(i)/(mapLevels-1)-1))
	}
	for i := range greys {
		list = append(list, color.Gray{Y: uint8(255 * i / (greys - 1))})
	}
	list = append(list, wallInk)
	for _, m := range markings {
		for _, share := range []float64{0.25, 0.5, 0.75, 1} {
			list = append(list, tint(m.color, share))
		}
	}
	return list
}
