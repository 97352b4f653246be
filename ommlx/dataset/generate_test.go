package dataset

import (
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
)

func TestGeneratedImagesAreThoseOfTheirSeed(t *testing.T) {
	one := testkit.Must(Generate(Generation{Classes: 7, Images: 40, Seed: 3}))
	assert.Equal(t, "generated", one.Name)
	assert.Equal(t, []int{40, 8, 7}, []int{one.Train.Len(), one.Test.Len(), len(one.Classes)})
	assert.Len(t, one.Train.Pixels, 40*32*32*3)
	again := testkit.Must(Generate(Generation{Classes: 7, Images: 40, Seed: 3}))
	assert.Equal(t, one, again)
	other := testkit.Must(Generate(Generation{Classes: 7, Images: 40, Seed: 4}))
	assert.NotEqual(t, one.Train.Pixels, other.Train.Pixels)
	assert.NotEqual(t, one.Train.Pixels[:32*32*3], one.Test.Pixels[:32*32*3], "test images are not training images")
}

func TestGenerationThatCannotBe(t *testing.T) {
	for want, g := range map[string]Generation{
		"generated images have 2 to 100 classes, not 1":                          {Classes: 1, Images: 10},
		"generated images have 2 to 100 classes, not 101":                        {Classes: 101, Images: 5000},
		"with 10 classes 50 to 50000 training images are generated, not 49":      {Classes: 10, Images: 49},
		"with 100 classes 500 to 50000 training images are generated, not 50001": {Classes: 100, Images: 50001},
	} {
		_, err := Generate(g)
		assert.EqualError(t, err, want)
		_, err = WriteGenerated(g)
		assert.EqualError(t, err, want)
	}
}

// TestClassesDiffer: with the same random numbers no two of the 100 classes are the same image.
func TestClassesDiffer(t *testing.T) {
	s := newScene(rand.New(rand.NewPCG(1, 1)))
	s.size, s.stripe = 9, 3 // the smallest shape, with the fewest stripes
	var seen []string
	for class := range len(shapes) * len(textures) {
		var picture []byte
		for p := range plane {
			picture = append(picture, byte(s.part(class, p%cifarSide, p/cifarSide)))
		}
		seen = append(seen, string(picture))
	}
	slices.Sort(seen)
	assert.Len(t, slices.Compact(seen), 100)
}

// TestShapesAndTexturesInAMirror: a mirror, which SimCLR puts up at random, leaves each shape and, at another place,
// each texture.
func TestShapesAndTexturesInAMirror(t *testing.T) {
	for _, shape := range shapes {
		for x := range 20 {
			for y := -20; y < 20; y++ {
				require.Equal(t, shape.covers(x, y, 14), shape.covers(-x, y, 14), "%s at %d, %d", shape.name, x, y)
			}
		}
	}
	const period = 12 // of all textures with stripes of 3, except what goes around the centre
	s := &scene{x: 16, y: 16, stripe: 3}
	for _, texture := range textures {
		if texture.name == "speckles" {
			continue
		}
		mirrored := func(shift int) bool {
			for x := -12; x < 12; x++ {
				for y := range 32 {
					if texture.dark(s, 16+x, y) != texture.dark(s, 16+shift-x, y) {
						return false
					}
				}
			}
			return true
		}
		found := false
		for shift := range period {
			found = found || mirrored(shift)
		}
		assert.True(t, found, texture.name)
	}
}

// describe returns how often the brightness of an image differs between neighbours at some distances: what is left of a
// texture in any colours, at any place, and in a mirror.
func describe(image []uint8) []float64 {
	grey := make([]float64, plane)
	for p := range grey {
		grey[p] = float64(brightness([3]int{int(image[3*p]), int(image[3*p+1]), int(image[3*p+2])}))
	}
	var out []float64
	for _, d := range [][2]int{{1, 0}, {0, 1}, {2, 0}, {0, 2}, {3, 0}, {0, 3}, {2, 2}, {3, 3}, {6, 0}, {0, 6}} {
		differ, all := 0.0, 0.0
		for y := range cifarSide - d[1] {
			for x := range cifarSide - d[0] {
				all++
				if math.Abs(grey[y*cifarSide+x]-grey[(y+d[1])*cifarSide+x+d[0]]) > contrast/2 {
					differ++
				}
			}
		}
		out = append(out, differ/all)
	}
	return out
}

// colour returns the mean of each channel.
func colour(image []uint8) []float64 {
	out := make([]float64, cifarChannels)
	for i, value := range image {
		out[i%cifarChannels] += float64(value) / plane
	}
	return out
}

// augment is what SimCLR does to an image: a random part of it, here of at least half its side, in its whole size, put
// in a mirror at random, and with other brightness and contrast.
func augment(image []uint8, rng *rand.Rand) []uint8 {
	side := cifarSide/2 + rng.IntN(cifarSide/2+1)
	left, top := rng.IntN(cifarSide-side+1), rng.IntN(cifarSide-side+1)
	mirror, gain, more := rng.IntN(2) == 0, 0.8+0.4*rng.Float64(), 40*rng.Float64()-20
	out := make([]uint8, len(image))
	for p := range plane {
		x, y := p%cifarSide*side/cifarSide, p/cifarSide*side/cifarSide
		if mirror {
			x = side - 1 - x
		}
		for c := range cifarChannels {
			value := gain*float64(image[((top+y)*cifarSide+left+x)*cifarChannels+c]) + more
			out[p*cifarChannels+c] = uint8(min(max(value, 0), 255))
		}
	}
	return out
}

// nearest returns how many of the test images have the class of the training image nearest to them, by what of tells of
// each image, after change.
func nearest(d *Images, of func([]uint8) []float64, change func([]uint8) []uint8) float64 {
	told := func(s Split) (all [][]float64) {
		for i := range s.Labels {
			all = append(all, of(change(s.Pixels[i*3*plane:(i+1)*3*plane])))
		}
		return all
	}
	train, test, right := told(d.Train), told(d.Test), 0
	for i, x := range test {
		best, least := 0, math.Inf(1)
		for j, y := range train {
			distance := 0.0
			for k := range x {
				distance += (x[k] - y[k]) * (x[k] - y[k])
			}
			if distance < least {
				best, least = j, distance
			}
		}
		if d.Test.Labels[i] == d.Train.Labels[best] {
			right++
		}
	}
	return float64(right) / float64(len(test))
}

// TestClassesCanBeLearned from what augmentations leave, and not from colours. By chance one image in 10 would be
// right, with a standard deviation of 0.015 for 400 images.
func TestClassesCanBeLearned(t *testing.T) {
	d := testkit.Must(Generate(Generation{Classes: 10, Images: 2000, Seed: 1}))
	same := func(image []uint8) []uint8 { return image }
	rng := rand.New(rand.NewPCG(5, 5))
	augmented := func(image []uint8) []uint8 { return augment(image, rng) }
	plain, changed, byColour := nearest(d, describe, same), nearest(d, describe, augmented), nearest(d, colour, same)
	t.Logf("accuracy %.3f, after augmentation %.3f, by mean colour %.3f", plain, changed, byColour)
	assert.Greater(t, plain, 0.5)
	assert.Greater(t, changed, 0.3)
	assert.Less(t, byColour, 0.16)
}

func TestGeneratedImagesAreWrittenAndRead(t *testing.T) {
	data, _ := isolate(t)
	_, err := LoadGenerated()
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "get it with `omm data generate images`")

	g := Generation{Classes: 100, Images: 500, Seed: 2}
	path := testkit.Must(WriteGenerated(g))
	assert.Equal(t, filepath.Join(data, "generated", "images.tar.gz"), path)
	want := testkit.Must(Generate(g))
	got := testkit.Must(LoadGenerated())
	assert.Equal(t, want, got)

	archive := testkit.Must(os.ReadFile(path))
	require.NoError(t, os.WriteFile(path, archive[:len(archive)/2], 0o644))
	_, err = LoadGenerated()
	assert.ErrorContains(t, err, path+" cannot be used: ")
	assert.ErrorContains(t, err, "replace it with `omm data generate images`")

	require.NoError(t, os.RemoveAll(filepath.Join(data, "generated")))
	require.NoError(t, os.WriteFile(filepath.Join(data, "generated"), nil, 0o644))
	_, err = WriteGenerated(g)
	assert.ErrorContains(t, err, "cannot write data to "+filepath.Join(data, "generated"))
}
