package draw

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Schematic is the picture of the method: from a batch x through the network to f, through the operator to Tf, the
// second moments, the loss, and its gradient, which returns to the network.
type Schematic struct{}

const (
	schematicHeight = vg.Length(132)
	schematicBox    = vg.Length(44) // height of a box
)

// stage is a box of the schematic with its left edge, its width, and the height of its centre.
type stage struct {
	left, width, middle vg.Length
	color               marking
	title, detail       string
}

// Figure lays out the schematic, 5.5 in wide.
func (Schematic) Figure() (*Figure, error) {
	const high, centre, low = vg.Length(108), vg.Length(75), vg.Length(42)
	plain, f, tf, end := marking{color: grey}, markings[0], markings[1], markings[3]
	batch := stage{0, 44, high, plain, "x", "batch of B"}
	network := stage{58, 46, high, plain, "network", "k outputs"}
	values := stage{118, 36, high, f, "f", "B × k"}
	operator := stage{116, 40, low, plain, "T", "operator"}
	applied := stage{170, 36, low, tf, "Tf", "B × k"}
	second := stage{222, 48, high, f, "M[f]", "k × k"}
	joint := stage{222, 48, low, tf, "M[f,Tf]", "k × k"}
	loss := stage{286, 98, centre, end, "loss",
		"−2 tr M[f,Tf]\n+ tr(M[f] M[f,Tf])"}
	return &Figure{Width: TextWidth, Height: schematicHeight + 2*margin, paint: func(c vgdraw.Canvas) {
		c = vgdraw.Crop(c, margin, -margin, margin, -margin)
		at := func(x, y vg.Length) vg.Point { return vg.Point{X: c.Min.X + x, Y: c.Min.Y + y} }
		join := func(from, to stage) {
			arrow(c, at(from.left+from.width, from.middle), at(to.left, to.middle))
		}
		for _, pair := range [][2]stage{{batch, network}, {network, values}, {operator, applied}, {values, second},
			{applied, joint}, {second, loss}, {joint, loss}} {
			join(pair[0], pair[1])
		}
		down := values.left + values.width/2
		arrow(c, at(down, high-schematicBox/2), at(down, low+schematicBox/2))
		arrow(c, at(values.left+values.width, high-8), at(joint.left+joint.width/2, low+schematicBox/2))
		back := vgdraw.LineStyle{Color: ink, Width: curveLine, Dashes: []vg.Length{3, 2}}
		under := loss.middle - schematicBox/2
		from, to := loss.left+loss.width/2, network.left+network.width/2
		up := network.middle - schematicBox/2
		c.StrokeLines(back, []vg.Point{at(from, under), at(from, 4), at(to, 4), at(to, up-6)})
		arrow(c, at(to, up-6), at(to, up))
		c.FillText(textStyle(smallSize, ink, text.XCenter, text.YBottom), at((from+to)/2, 7),
			"gradient with respect to the weights")
		for _, s := range []stage{batch, network, values, operator, applied, second, joint, loss} {
			edge := []vg.Point{at(s.left, s.middle-schematicBox/2), at(s.left+s.width, s.middle-schematicBox/2),
				at(s.left+s.width, s.middle+schematicBox/2), at(s.left, s.middle+schematicBox/2)}
			c.FillPolygon(tint(s.color.color, 0.15), edge)
			c.StrokeLines(marking{color: s.color.color}.line(), append(edge, edge[0]))
			centre := s.left + s.width/2
			c.FillText(textStyle(labelSize+1, ink, text.XCenter, text.YBottom), at(centre, s.middle+3), s.title)
			c.FillText(textStyle(smallSize, grey, text.XCenter, text.YTop), at(centre, s.middle), s.detail)
		}
	}}, nil
}

// arrow draws a straight arrow with a filled head.
func arrow(c vgdraw.Canvas, from, to vg.Point) {
	along := to.Sub(from)
	along = along.Scale(1 / vg.Length(math.Hypot(float64(along.X), float64(along.Y))))
	base := to.Sub(along.Scale(5))
	across := vg.Point{X: -along.Y, Y: along.X}.Scale(2)
	c.StrokeLines(vgdraw.LineStyle{Color: ink, Width: curveLine}, []vg.Point{from, base})
	c.FillPolygon(ink, []vg.Point{to, base.Add(across), base.Sub(across)})
}
