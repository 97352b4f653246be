package images

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
)

// testImages returns images [N, H, W, C] of multiples of 1/255: waves of several lengths; half of the images also have
// a rectangle with hard edges in a saturated colour, and half of those noise.
func testImages(rng *rand.Rand, n, height, width, channels int) testkit.Array {
	a := testkit.NewArray(n, height, width, channels)
	for i := range n {
		image := a.Run(i).Data
		for c := range channels {
			kx, ky, phase := rng.Float64(), rng.Float64(), 2*math.Pi*rng.Float64()
			paint := math.Round(rng.Float64())
			for y := range height {
				for x := range width {
					v := 0.5 + 0.45*math.Sin(kx*float64(x)+ky*float64(y)+phase)
					if i%2 == 1 && x > width/4 && x < width/2 && y > height/3 {
						v = paint
					}
					if i%4 == 3 {
						v += 0.2 * rng.NormFloat64()
					}
					image[(y*width+x)*channels+c] = math.Round(255*min(max(v, 0), 1)) / 255
				}
			}
		}
	}
	return a
}

// uniform returns numbers in [0, 1), [dims…, numbers].
func uniform(rng *rand.Rand, dims ...int) testkit.Array {
	u := testkit.NewArray(append(dims, numbers)...)
	for i := range u.Data {
		u.Data[i] = rng.Float64()
	}
	return u
}

func viewsOf(t *testing.T, r Recipe, images, u testkit.Array) []testkit.Array {
	t.Helper()
	return testkit.Compile(t, func(in []*Node) []*Node {
		first, second := r.views(in[0], in[1])
		return []*Node{first, second}
	}).Call(t, images, u)
}

// TestViews compares views with the host's, by image, run and view, with no effect of one run on another. The recipes
// include each operation alone: crops that fit only sometimes or never, jitters in any order, and blurs of images
// smaller than the filter.
func TestViews(t *testing.T) {
	const runs, batch = 2, 12
	rng := testkit.NewRand(12)
	cifar, grey := SoloLearn(), Recipe{Crop: Crop{Scale: Range{0.5, 1}, Ratio: Range{3. / 4, 4. / 3}}}
	grey.Mean, grey.Std = []float64{0.3}, []float64{0.4}
	for _, c := range []struct {
		recipe                  Recipe
		height, width, channels int
	}{{cifar, 32, 32, 3}, {grey, 8, 8, 1}, {Recipe{Flip: 0.4}, 6, 5, 2}, {Recipe{}, 6, 5, 2},
		{Recipe{Crop: Crop{Scale: Range{0.02, 1}, Ratio: Range{0.3, 3}}}, 9, 14, 2},
		{Recipe{Crop: Crop{Scale: Range{0.9, 1}, Ratio: Range{0.3, 3}}}, 8, 8, 1},
		{Recipe{Crop: Crop{Scale: Range{1e-5, 0.005}, Ratio: Range{1, 1}}}, 8, 8, 1}, // boxes without pixels
		{Recipe{Jitter: Jitter{0.9, 0.8, 1.5, 0.3, 0.5}}, 12, 9, 3}, {Recipe{Grey: 0.5}, 5, 6, 3},
		{Recipe{Blur: Blur{0.9, Range{0, 9}}}, 2, 5, 2}} {
		own := testImages(rng, runs*batch, c.height, c.width, c.channels)
		own.Dims = []int{runs, batch, c.height, c.width, c.channels}
		u := uniform(rng, runs, 2, batch)
		got := viewsOf(t, c.recipe, own, u)
		for r := range runs {
			source := own.Run(r)
			for v := range 2 {
				want := testkit.NewArray(source.Dims...)
				for i := range batch {
					copy(want.Run(i).Data, hostView(c.recipe, source.Run(i), u.Run(r).Run(v).Run(i).Data).Data)
				}
				require.Equal(t, own.Dims, got[v].Dims)
				testkit.RequireClose(t, want, got[v].Run(r), 1e-9, "views")
			}
		}
	}
}

// TestIdentityRecipes: these recipes change no bit: a crop of the whole image, where the kernel is 1 or 0, factors of 1
// with no turn of the hue, and a blur of width 0.
func TestIdentityRecipes(t *testing.T) {
	rng := testkit.NewRand(4)
	images, u := testImages(rng, 4, 10, 7, 3), uniform(rng, 1, 2, 4)
	images.Dims = append([]int{1}, images.Dims...)
	for _, r := range []Recipe{{Crop: Crop{Scale: Range{1, 1}, Ratio: Range{0.7, 0.7}}},
		{Jitter: Jitter{Probability: 1}}, {Blur: Blur{Probability: 1}}} {
		for _, view := range viewsOf(t, r, images, u) {
			assert.Equal(t, images.Data, view.Data, "%+v", r)
		}
	}
}

// Bytes become intensities in steps of 1/255, in float32; float64 stays float64.
func TestTypesOfImages(t *testing.T) {
	images := testImages(testkit.NewRand(13), 5, 8, 8, 3)
	bytes := make([]uint8, len(images.Data))
	for i, v := range images.Data {
		bytes[i] = uint8(math.Round(255 * v))
	}
	out := testkit.Must(testkit.Compile(t, func(in []*Node) []*Node {
		doubles := DivScalar(ConvertDType(in[0], dtypes.Float64), 255)
		return []*Node{SoloLearn().Normalise(in[0]), SoloLearn().Normalise(doubles)}
	}).Try(tensors.FromFlatDataAndDimensions(bytes, images.Dims...)))
	assert.Equal(t, []dtypes.DType{dtypes.Float32, dtypes.Float64}, []dtypes.DType{out[0].DType(), out[1].DType()})
	values := xslices.Map(out, tensorx.Numbers)
	assert.InDelta(t, (images.Data[4]-0.4865)/0.2564, values[0][4], 1e-5)
	assert.InDeltaSlice(t, values[0], values[1], 1e-5)
}

func TestLastPlaceIsInsideTheImage(t *testing.T) {
	const size = 33
	lengths := testkit.NewArray(size)
	for i := range lengths.Data {
		lengths.Data[i] = float64(i + 1)
	}
	for dtype, below := range map[dtypes.DType]float64{
		dtypes.Float32: float64(math.Nextafter32(1, 0)), dtypes.Float64: math.Nextafter(1, 0),
	} {
		got := testkit.Compile(t, testkit.In(dtype, func(in []*Node) []*Node {
			return []*Node{place(MulScalar(OnesLike(in[0]), below), in[0], size)}
		})).Call(t, lengths)[0].Data
		for i, last := range got {
			assert.Equal(t, float64(size-1-i), last, "%s, length %d", dtype, i+1)
		}
	}
}
