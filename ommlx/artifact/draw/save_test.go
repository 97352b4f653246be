package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn are the pixels of a figure.
func drawn(t *testing.T, fig *Figure, err error) image.Image {
	t.Helper()
	require.NoError(t, err)
	return fig.pixels()
}

// difference is the smallest box of pixels that holds all where a and b differ.
func difference(t *testing.T, a, b image.Image) image.Rectangle {
	t.Helper()
	require.Equal(t, a.Bounds(), b.Bounds())
	box := image.Rectangle{}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

func TestSaveWritesThreeReadableFilesAndTheSameBytesAgain(t *testing.T) {
	fig, err := fakeFig1().Figure()
	require.NoError(t, err)
	first, second := filepath.Join(t.TempDir(), "fig"), filepath.Join(t.TempDir(), "fig")
	require.NoError(t, Save(fig, first))
	again, err := fakeFig1().Figure()
	require.NoError(t, err)
	require.NoError(t, Save(again, second))
	for _, suffix := range []string{".png", ".svg", ".pdf"} {
		a, err := os.ReadFile(first + suffix)
		require.NoError(t, err)
		b, err := os.ReadFile(second + suffix)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(a, b), "two drawings of the same data differ in %s", suffix)
		switch suffix {
		case ".png":
			config, err := png.DecodeConfig(bytes.NewReader(a))
			require.NoError(t, err)
			assert.InDelta(t, fig.Width.Points()/72*DPI, config.Width, 1)
			assert.InDelta(t, fig.Height.Points()/72*DPI, config.Height, 1)
		case ".svg":
			assertWellFormed(t, a)
			assert.Equal(t, bytes.Count(a, []byte("<text")), bytes.Count(a, []byte("textLength=")),
				"every text has its width stated")
			assert.Contains(t, string(a), "× hard (stand-in)")
		case ".pdf":
			assert.True(t, bytes.HasPrefix(a, []byte("%PDF-")))
			assert.Contains(t, string(a), "LiberationSans", "the font is embedded")
			assert.Equal(t, 2, bytes.Count(a, []byte("(D:19700101000000)")), "both dates are fixed")
		}
	}
	entries, err := os.ReadDir(filepath.Dir(first))
	require.NoError(t, err)
	assert.Len(t, entries, 3, "no temporary file stays behind")
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

func TestSaveReplacesAnOldFigure(t *testing.T) {
	base := filepath.Join(t.TempDir(), "fig")
	require.NoError(t, os.WriteFile(base+".png", []byte("old"), 0o600))
	fig, err := Fig3{Grids: []Grid{{Name: "one", Rows: []string{" "}}}}.Figure()
	require.NoError(t, err)
	require.NoError(t, Save(fig, base))
	b, err := os.ReadFile(base + ".png")
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(b, []byte("\x89PNG")))
}

func TestSaveRefuses(t *testing.T) {
	fig, err := Fig3{Grids: []Grid{{Name: "one", Rows: []string{" "}}}}.Figure()
	require.NoError(t, err)
	assert.ErrorContains(t, Save(fig, filepath.Join(t.TempDir(), "nowhere", "fig")), "cannot write")

	greek, err := Fig3{Grids: []Grid{{Name: "λ", Rows: []string{" "}}}}.Figure()
	require.NoError(t, err)
	base := filepath.Join(t.TempDir(), "fig")
	assert.ErrorContains(t, Save(greek, base), "λ")
	entries, err := os.ReadDir(filepath.Dir(base))
	require.NoError(t, err)
	assert.Empty(t, entries, "nothing is written when one format fails")
}
