package images

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

const (
	letters    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	glyphDraws = 16 // images of each letter in each face
)

// Glyphs returns small colour images of the 26 capital letters, drawn from the outlines of fonts: 4,992 training images
// in twelve faces of Liberation Sans, Serif and Mono, and 1,664 test images in four faces of Go. A test therefore
// measures what carries over to unseen typefaces.
//
// Each image has a letter of a random colour, size, slant, rotation and position on a gradient between two other random
// colours. The letter is lighter than both or darker than both, by at least 0.3 of the range. Two drawings of one
// letter in one face are views of it, with only the letter and the face in common. The images depend only on this code
// and the fonts.
func Glyphs() *Set {
	const trainingSeed, testSeed = 0, 2
	training, test := glyphFaces()
	return &Set{Name: GlyphsName, Height: glyphSide, Width: glyphSide, Channels: colours, Draws: glyphDraws,
		Classes: strings.Split(letters, ""), Train: drawGlyphs(training, glyphDraws, trainingSeed),
		Test: drawGlyphs(test, glyphDraws, testSeed)}
}

// glyphFaces returns the faces of both parts, which are in this program's dependencies: Liberation under the SIL Open
// Font License 1.1, and the Go fonts under Go's BSD licence.
func glyphFaces() (training, test []*sfnt.Font) {
	faces := font.NewCache(liberation.Collection())
	for _, variant := range []font.Variant{"Sans", "Serif", "Mono"} {
		for _, style := range []stdfont.Style{stdfont.StyleNormal, stdfont.StyleItalic} {
			for _, weight := range []stdfont.Weight{stdfont.WeightNormal, stdfont.WeightBold} {
				face := font.Font{Typeface: "Liberation", Variant: variant, Style: style, Weight: weight}
				training = append(training, faces.Lookup(face, 0).Face)
			}
		}
	}
	for _, ttf := range [][]byte{goregular.TTF, gobold.TTF, goitalic.TTF, gobolditalic.TTF} {
		test = append(test, inProgram(sfnt.Parse(ttf)))
	}
	return training, test
}

// inProgram panics if a font of this program cannot be read.
func inProgram[T any](part T, err error) T {
	if err != nil {
		panic(fmt.Errorf("images: fonts of this program: %w", err))
	}
	return part
}

// drawGlyphs draws each letter of each face n times in a row.
func drawGlyphs(faces []*sfnt.Font, n int, seed uint64) (s Images) {
	var outlines []sfnt.Segments // by face and letter
	for _, face := range faces {
		for _, letter := range letters {
			outlines = append(outlines, outlineOf(face, letter))
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x91f))
	for i := range len(outlines) * n {
		s.Labels = append(s.Labels, i/n%len(letters))
		s.Pixels = append(s.Pixels, paint(ink(outlines[i/n], rng), rng)...)
	}
	return s
}

const perEm = 64 // units of an outline

func outlineOf(face *sfnt.Font, letter rune) sfnt.Segments {
	var buffer sfnt.Buffer
	index := inProgram(face.GlyphIndex(&buffer, letter))
	return inProgram(face.LoadGlyph(&buffer, index, fixed.I(perEm), nil))
}

func uniformly(rng *rand.Rand, low, high float64) float64 { return low + (high-low)*rng.Float64() }

// ink returns how much of each pixel an outline covers, after a random similarity and slant about its centre.
func ink(outline sfnt.Segments, rng *rand.Rand) *image.Alpha {
	box := outline.Bounds()
	centre := box.Min.Add(box.Max).Div(fixed.I(2))
	scale := glyphSide * uniformly(rng, 0.8, 1.1) / perEm
	slant, turn := uniformly(rng, -0.2, 0.2), uniformly(rng, -0.26, 0.26)
	left, top := glyphSide/2+uniformly(rng, -1.2, 1.2), glyphSide/2+uniformly(rng, -1.2, 1.2)
	sin, cos := math.Sincos(turn)
	at := func(p fixed.Point26_6) (x, y float32) {
		p = p.Sub(centre)
		u, v := scale*float64(p.X)/64, scale*float64(p.Y)/64
		u += slant * v
		return float32(left + cos*u - sin*v), float32(top + sin*u + cos*v)
	}
	raster := vector.NewRasterizer(glyphSide, glyphSide)
	for _, s := range outline {
		x, y := at(s.Args[0])
		x2, y2 := at(s.Args[1])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			raster.ClosePath()
			raster.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			raster.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			raster.QuadTo(x, y, x2, y2)
		case sfnt.SegmentOpCubeTo:
			x3, y3 := at(s.Args[2])
			raster.CubeTo(x, y, x2, y2, x3, y3)
		}
	}
	raster.ClosePath()
	covered := image.NewAlpha(image.Rect(0, 0, glyphSide, glyphSide))
	raster.Draw(covered, covered.Rect, image.Opaque, image.Point{})
	return covered
}

// paint returns the pixels of a letter in one colour on a gradient between two others.
func paint(covered *image.Alpha, rng *rand.Rand) (pixels []uint8) {
	letter, first, second := contrasting(rng)
	sin, cos := math.Sincos(uniformly(rng, 0, 2*math.Pi))
	for i, alpha := range covered.Pix {
		x, y := float64(i%glyphSide)/(glyphSide-1)-0.5, float64(i/glyphSide)/(glyphSide-1)-0.5
		a, t := float64(alpha)/255, 0.5+(cos*x+sin*y)/math.Sqrt2
		for c := range colours {
			pixels = append(pixels, uint8(255*(a*letter[c]+(1-a)*((1-t)*first[c]+t*second[c]))+0.5))
		}
	}
	return pixels
}

type colour [colours]float64

// luma is the grey value of a colour as torchvision computes it.
func (c colour) luma() float64 { return 0.299*c[0] + 0.587*c[1] + 0.114*c[2] }

// contrasting draws three colours. The letter is lighter than both others or darker than both, by at least 0.3.
func contrasting(rng *rand.Rand) (letter, first, second colour) {
	for {
		for _, c := range []*colour{&letter, &first, &second} {
			*c = colour{rng.Float64(), rng.Float64(), rng.Float64()}
		}
		a, b := letter.luma()-first.luma(), letter.luma()-second.luma()
		if min(a, b) >= 0.3 || max(a, b) <= -0.3 {
			return letter, first, second
		}
	}
}
