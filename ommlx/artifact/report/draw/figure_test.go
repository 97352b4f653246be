package draw

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func TestFilesDecodeAndRepeatByteForByte(t *testing.T) {
	for name, d := range sampleDrawings() {
		fig := testkit.Must(d.Figure())
		first := testkit.Must(Files(fig))
		again := testkit.Must(Files(testkit.Must(sampleDrawings()[name].Figure())))
		for _, ending := range []string{".png", ".svg"} {
			assert.True(t, bytes.Equal(first[ending], again[ending]), "%s%s differs", name, ending)
		}
		config := testkit.Must(png.DecodeConfig(bytes.NewReader(first[".png"])))
		assert.Equal(t, int(5.5*DPI), config.Width, name)
		assert.InDelta(t, float64(fig.Height)*DPI/72, config.Height, 1, name)
		assert.True(t, bytes.HasPrefix(first[".pdf"], []byte("%PDF-")), name)
		assert.Contains(t, string(first[".pdf"]), "LiberationSans", name)
		require.NoError(t, xml.Unmarshal(first[".svg"], new(struct{})), name)
		assert.True(t, bytes.HasSuffix(bytes.TrimSpace(first[".svg"]), []byte("</svg>")), name)
	}
}

func TestTextsDoNotOverlapAndStayOnThePage(t *testing.T) {
	for name, d := range sampleDrawings() {
		r := record(d)
		require.NotEmpty(t, r.texts, name)
		for i, a := range r.texts {
			inside := a.Min.X >= 0 && a.Min.Y >= 0 && a.Max.X <= r.Width && a.Max.Y <= r.Height
			assert.True(t, inside, "%s: %q is at %v", name, a.words, a.Rectangle)
			for _, b := range r.texts[:i] {
				apart := a.Max.X <= b.Min.X || b.Max.X <= a.Min.X || a.Max.Y <= b.Min.Y || b.Max.Y <= a.Min.Y
				assert.True(t, apart, "%s: %q overlaps %q", name, a.words, b.words)
			}
		}
	}
}

func TestPDFRejectsLettersOutsideWindows1252(t *testing.T) {
	_, err := Files(testkit.Must(Curves{Title: "λ", Series: []Series{sampleSeries("", 1)}}.Figure()))
	assert.ErrorContains(t, err, "λ")
	_, err = Files(testkit.Must(Curves{Title: "−1 ± ½", Series: []Series{sampleSeries("", 1)}}.Figure()))
	assert.NoError(t, err)
}

func TestLegendNamesEverySeriesOnce(t *testing.T) {
	words := slices.Sorted(slices.Values(record(sampleRow()).words()))
	for _, name := range []string{"one", "two", "dashed: others"} {
		first, found := slices.BinarySearch(words, name)
		assert.True(t, found && words[first+1] != name, name)
	}
}

func TestFiguresRejectBadNumbers(t *testing.T) {
	nan, layout := math.NaN(), Layout{Name: "g", Rows: []string{"  "}}
	curves := func(spoil func(*Series)) Drawing {
		s := sampleSeries("s", 0.5)
		spoil(&s)
		return Curves{Series: []Series{s}}
	}
	for _, c := range []struct {
		want string
		of   Drawing
	}{
		{"2 y", curves(func(s *Series) { s.Y = s.Y[:2] })},
		{"0 x", curves(func(s *Series) { s.X, s.Y = nil, nil })},
		{"band of 1", curves(func(s *Series) { s.Band = []float64{1} })},
		{`"s"`, curves(func(s *Series) { s.Y[1] = nan })},
		{`"x"`, Curves{LogX: true, Series: []Series{{Name: "x", X: []float64{0}, Y: []float64{1}}}}},
		{`"y"`, Curves{LogY: true, Series: []Series{{Name: "y", X: []float64{0}, Y: []float64{-1}}}}},
		{"1 values", HeatMaps{Maps: []HeatMap{{Layout: layout, Values: []float64{1}}}}},
		{"finite", HeatMaps{Maps: []HeatMap{{Layout: layout, Values: []float64{1, nan}}}}},
		{"3 values", Panels{Rows: []PanelRow{{Maps: [][]float64{{1, 2, 3}}}}}},
		{"finite", Panels{Rows: []PanelRow{{Maps: [][]float64{{1, 2, 3, nan}}}}}},
		{`"empty"`, Dots{Axes: []DotAxis{{Label: "empty"}}}},
	} {
		_, err := c.of.Figure()
		assert.ErrorContains(t, err, c.want, "%T", c.of)
	}
}
