package augment

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/testkit"
)

// picture is one image in float64, for reference implementations on the host.
type picture struct {
	height, width, channels int
	data                    []float64
}

func newPicture(height, width, channels int) picture {
	return picture{height, width, channels, make([]float64, height*width*channels)}
}

func (p picture) at(y, x, c int) *float64 { return &p.data[(y*p.width+x)*p.channels+c] }

// pictures returns views of images [N, H, W, C] that share their data.
func pictures(images testkit.Array) (out []picture) {
	for n := range images.Dims[0] {
		out = append(out, picture{images.Dims[1], images.Dims[2], images.Dims[3], images.Run(n).Data})
	}
	return out
}

func join(list []picture) testkit.Array {
	a := testkit.NewArray(len(list), list[0].height, list[0].width, list[0].channels)
	for n, p := range list {
		copy(a.Run(n).Data, p.data)
	}
	return a
}

// testImages returns images [N, H, W, C] of multiples of 1/255: waves of several lengths; half of the images also have
// a rectangle with hard edges in a saturated colour, and half of those noise.
func testImages(rng *rand.Rand, n, height, width, channels int) testkit.Array {
	a := testkit.NewArray(n, height, width, channels)
	for i, p := range pictures(a) {
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
					*p.at(y, x, c) = math.Round(255*min(max(v, 0), 1)) / 255
				}
			}
		}
	}
	return a
}

// column returns an array [N] with one number per image.
func column(x ...float64) testkit.Array { return testkit.Array{Dims: []int{len(x)}, Data: x} }

// uniform returns numbers in [0, 1), [n, numbers].
func uniform(rng *rand.Rand, n int) testkit.Array {
	u := testkit.NewArray(n, numbers)
	for i := range u.Data {
		u.Data[i] = rng.Float64()
	}
	return u
}

func evaluate(t *testing.T, fn func(in []*Node) []*Node, in ...testkit.Array) []testkit.Array {
	t.Helper()
	return testkit.NewProgram(t, fn).Call(t, in...)
}
