package draw

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"omm-go/ommlx/internal/testkit"
)

func drawn(d Drawing) image.Image { return testkit.Must(d.Figure()).pixels() }

func asSVG(f Drawing) string { return string(testkit.Must(SVG(testkit.Must(f.Figure())))) }

func TestThreeReadableFilesAndTheSameBytesAgain(t *testing.T) {
	fig := testkit.Must(fakeFig1().Figure())
	first := testkit.Must(Files(fig))
	second := testkit.Must(Files(testkit.Must(fakeFig1().Figure())))
	for _, suffix := range []string{".png", ".svg", ".pdf"} {
		a, b := first[suffix], second[suffix]
		assert.True(t, bytes.Equal(a, b), "two drawings of the same data differ in %s", suffix)
		switch suffix {
		case ".png":
			config := testkit.Must(png.DecodeConfig(bytes.NewReader(a)))
			assert.InDelta(t, fig.Width.Points()/72*fig.dpi, config.Width, 1)
			assert.InDelta(t, fig.Height.Points()/72*fig.dpi, config.Height, 1)
			inch := binary.BigEndian.AppendUint32([]byte("pHYs"), uint32(math.Round(math.Ceil(fig.dpi)/0.0254)))
			assert.True(t, bytes.Contains(a, inch), "the resolution is stated")
		case ".svg":
			assertWellFormed(t, a)
			assert.Equal(t, bytes.Count(a, []byte("<text")), bytes.Count(a, []byte("textLength=")),
				"every text has its width stated")
			assert.Contains(t, string(a), "× hard")
		case ".pdf":
			assert.True(t, bytes.HasPrefix(a, []byte("%PDF-")))
			assert.Contains(t, string(a), "LiberationSans", "the font is embedded")
			assert.Equal(t, 2, bytes.Count(a, []byte("(D:19700101000000)")), "both dates are fixed")
		}
	}
	assert.Len(t, first, 3)
}

func assertWellFormed(t *testing.T, document []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(document)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if !assert.NoError(t, err) {
			return
		}
	}
}

// Letters that a PDF's face does not encode are drawn by their outlines, scripts with glyphs that the face has.
func TestLettersOfAllKindsAreDrawn(t *testing.T) {
	pdf := func(name string) int {
		return len(testkit.Must(PDF(testkit.Must(Fig3{Grids: []Grid{{Name: name, Rows: []string{" "}}}}.Figure()))))
	}
	assert.Greater(t, pdf("λφα"), pdf("")+100)
	svg := asSVG(Fig3{Grids: []Grid{{Name: "α_barrier, λ₁ and omm_seq", Rows: []string{" "}}}})
	for _, part := range []string{">α<", ">barrier<", ">, λ<", ">1<", "> and omm_seq<"} {
		assert.Contains(t, svg, part)
	}
}

func TestNegativeNumbersHaveAMinusSign(t *testing.T) {
	for words, want := range map[string]string{"λ = -0.1111": "λ = −0.1111", "[-5, 5]²": "[−5, 5]", "-3": "−3",
		"GridMaze-7 of 10-20": "GridMaze-7 of 10-20"} {
		assert.Contains(t, asSVG(Fig3{Grids: []Grid{{Name: words, Rows: []string{" "}}}}), ">"+want+"<")
	}
}

func TestAFigureIsTheSameBytesEveryTime(t *testing.T) {
	row := PanelRow{Label: "a"}
	for i := range 12 {
		row.Maps = append(row.Maps, []float64{1, float64(i), -1, 0.5})
	}
	for _, f := range []Drawing{Panels{Rows: []PanelRow{row, row}},
		Contours{XLabel: "x", YLabel: "y", Note: "a bowl", Plots: []Landscape{bowl(), bowl(), bowl(), bowl()}}} {
		fig := testkit.Must(f.Figure())
		assert.Equal(t, vg.Length(TextWidth), fig.Width)
		first := testkit.Must(PDF(fig))
		for range 2 {
			require.Equal(t, first, testkit.Must(PDF(testkit.Must(f.Figure()))))
		}
	}
}

func TestFiguresRefuse(t *testing.T) {
	nan, grid := math.NaN(), Grid{Name: "g", Rows: []string{"  "}}
	land := func(spoil func(*Landscape)) Drawing {
		l := bowl()
		spoil(&l)
		return Contours{Plots: []Landscape{l}}
	}
	spoilt := func(f Curves, spoil func(*Curves)) Drawing {
		spoil(&f)
		return f
	}
	curves := func(spoil func(*Curves)) Drawing { return spoilt(flat(0.5, nil), spoil) }
	logarithmic := func(spoil func(*Curves)) Drawing { return spoilt(powerLaw(), spoil) }
	for _, c := range []struct {
		want string
		of   Drawing
	}{
		{"not finite at", land(func(l *Landscape) { l.F = func(x, _ float64) float64 { return math.Log(x) } })},
		{"finite number", land(func(l *Landscape) { l.Points[0].At[0].X = nan })},
		{"finite number", land(func(l *Landscape) { l.Paths[0].Lines[0][1].Y = nan })},

		{"as many", curves(func(f *Curves) { f.Series[0].Y = f.Series[0].Y[:2] })},
		{"least one", curves(func(f *Curves) { f.Series[0].X, f.Series[0].Y = nil, nil })},
		{"band", curves(func(f *Curves) { f.Series[0].Band = []float64{1} })},
		{"finite", curves(func(f *Curves) { f.Series[0].Y[1] = nan })},
		{"at most", curves(func(f *Curves) { f.Series = append(make([]Series, len(curveStyles)), f.Series...) })},
		{"positive", logarithmic(func(f *Curves) { f.Series[0].X[0] = 0 })},
		{"positive nu", logarithmic(func(f *Curves) { f.Series[0].Y[2] = -1 })},
		{"a band", logarithmic(func(f *Curves) { f.Series[0].Band = []float64{1, 1, 1} })},

		{"1 values, and 2 states", HeatMaps{Maps: []HeatMap{{Grid: grid, Values: []float64{1}}}}},
		{"finite", HeatMaps{Maps: []HeatMap{{Grid: grid, Values: []float64{1, nan}}}}},
		{"n×n", Panels{Rows: []PanelRow{{Maps: [][]float64{{1, 2, 3}}}}}},
		{"finite", Panels{Rows: []PanelRow{{Maps: [][]float64{{1, 2, 3, nan}}}}}},
	} {
		_, err := c.of.Figure()
		assert.ErrorContains(t, err, c.want, "%T", c.of)
	}
}
