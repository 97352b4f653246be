package draw

import (
	"image"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Profile is a small plot for a place in a [PanelRow]: marks over a wide pale line. Its axes, which are not drawn, end
// at 0 and xMax, and at yMin and the largest value.
func Profile(path, marks plotter.XYs, xMax, yMin float64) image.Image {
	p := plot.New()
	p.HideAxes()
	p.X.Max, p.Y.Min = xMax, yMin
	p.Add(line(vgdraw.LineStyle{Color: color.NRGBA{R: 0xF2, G: 0xB6, B: 0x80, A: 0xFF}, Width: 5}, path...))
	if marks != nil {
		p.Add(scatter(vgdraw.GlyphStyle{Color: navy, Radius: 4, Shape: vgdraw.CircleGlyph{}}, marks...))
	}
	c := vgimg.NewWith(vgimg.UseWH(panelPixels, panelPixels), vgimg.UseDPI(int(vg.Inch.Points())))
	p.Draw(vgdraw.New(c))
	return c.Image()
}
