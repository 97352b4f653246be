package augment

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/train"
)

// sheet writes images [N, H, W, C] of intensities in [0, 1] as a PNG, this many to a row and enlarged by whole pixels.
func sheet(t *testing.T, path string, images []picture, perRow, zoom int) {
	t.Helper()
	const gap = 2
	height, width := images[0].height*zoom+gap, images[0].width*zoom+gap
	out := image.NewRGBA(image.Rect(0, 0, perRow*width, (len(images)+perRow-1)/perRow*height))
	for i, p := range images {
		for y := range p.height * zoom {
			for x := range p.width * zoom {
				level := func(c int) uint8 {
					return uint8(math.Round(255 * *p.at(y/zoom, x/zoom, min(c, p.channels-1))))
				}
				out.Set(i%perRow*width+x, i/perRow*height+y, color.RGBA{level(0), level(1), level(2), 255})
			}
		}
	}
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, png.Encode(file, out))
	require.NoError(t, file.Close())
}

// scene is a house with a tree below the sun, for people to look at: every colour and every edge has its place.
func scene(height, width int) picture {
	p := newPicture(height, width, 3)
	for y := range height {
		for x := range width {
			v, u := (float64(y)+0.5)/float64(height), (float64(x)+0.5)/float64(width)
			rgb := []float64{0.35 + 0.3*v, 0.6 + 0.2*v, 0.95}
			switch {
			case math.Hypot(u-0.8, v-0.2) < 0.12:
				rgb = []float64{1, 0.9, 0.2}
			case math.Hypot(u-0.2, v-0.5) < 0.14:
				rgb = []float64{0.1, 0.5, 0.15}
			case u > 0.42 && u < 0.52 && v > 0.68 && v < 0.85, u > 0.17 && u < 0.23 && v > 0.6 && v < 0.85:
				rgb = []float64{0.35, 0.2, 0.1}
			case u > 0.65 && u < 0.75 && v > 0.6 && v < 0.7:
				rgb = []float64{0.95, 0.95, 0.95}
			case u > 0.38 && u < 0.82 && v > 0.5 && v < 0.85:
				rgb = []float64{0.8, 0.2, 0.15}
			case v > 0.3 && v <= 0.5 && math.Abs(u-0.6) < (v-0.28)*1.2:
				rgb = []float64{0.4, 0.3, 0.35}
			case v > 0.8:
				rgb = []float64{0.35, 0.7, 0.3}
			}
			copy(p.data[(y*width+x)*3:], rgb)
		}
	}
	return p
}

// three is a digit of 8×8 pixels.
func three() picture {
	p := newPicture(8, 8, 1)
	rows := []string{"..4994..", ".39139..", "....59..", "..2992..", "....48..", ".....93.", ".4...94.", "..9994.."}
	for y, row := range rows {
		for x, c := range row {
			if c != '.' {
				*p.at(y, x, 0) = float64(c-'0') / 9
			}
		}
	}
	return p
}

// TestContactSheet draws an image and views of it, in the folder that OMM_SHEET names if it is set, for people to look
// at. The first image of a sheet is as it was, most others are not, and intensities are in [0, 1] up to
// rounding.
func TestContactSheet(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("OMM_SHEET")
	if folder == "" {
		folder = t.TempDir()
	}
	cifar := SoloLearn()
	cifar.Mean, cifar.Std = nil, nil
	for name, c := range map[string]struct {
		recipe  Recipe
		picture picture
		zoom    int
	}{"sololearn.png": {cifar, scene(32, 32), 3}, "digits.png": {Digits(), three(), 10}} {
		const perRow, rows = 10, 6
		p := c.picture
		size := len(p.data)
		views := drawn(t, 11, func(random *train.Random) []*Node {
			images := make([]float32, 0, (perRow*rows/2)*size)
			for range perRow * rows / 2 {
				for _, v := range p.data {
					images = append(images, float32(v))
				}
			}
			g := random.Uniform(dtypes.Float32, 1).Graph()
			batch := Reshape(Const(g, images), -1, p.height, p.width, p.channels)
			first, second := c.recipe.Views(batch, random)
			return []*Node{Reshape(Concatenate([]*Node{first, second}, 1), 1, -1, size)}
		})[0]
		list, changed := []picture{p}, 0
		for i := range perRow*rows - 1 {
			view := views.RawRowView(i)
			for _, v := range view {
				require.InDelta(t, 0.5, v, 0.5+1e-6, name)
			}
			list = append(list, picture{p.height, p.width, p.channels, view})
			if graphtest.Difference(join([]picture{p}), join(list[i+1:])) > 0.01 {
				changed++
			}
		}
		require.Greater(t, changed, perRow*rows*3/4, name)
		sheet(t, filepath.Join(folder, name), list, perRow, c.zoom)
		file, err := os.Open(filepath.Join(folder, name))
		require.NoError(t, err)
		defer file.Close()
		image, err := png.Decode(file)
		require.NoError(t, err)
		require.Equal(t, perRow*(p.width*c.zoom+2), image.Bounds().Dx())
		require.Equal(t, rows*(p.height*c.zoom+2), image.Bounds().Dy())
		r, _, _, _ := image.At(c.zoom/2, c.zoom/2).RGBA()
		require.InDelta(t, *p.at(0, 0, 0), float64(r)/0xffff, 0.003)
	}
}
