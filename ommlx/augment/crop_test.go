package augment

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/train"
)

// hostBox is the law of torchvision's RandomResizedCrop as a loop, for the uniform numbers of one image. tries is the
// number of candidates drawn, 11 for the central box.
func hostBox(c Crop, u []float64, height, width int) (top, left, h, w, tries int) {
	for i := range 10 {
		area := float64(height*width) * (c.Scale.Low + (c.Scale.High-c.Scale.Low)*u[atArea+i])
		ratio := c.Ratio.Low * math.Pow(c.Ratio.High/c.Ratio.Low, u[atRatio+i])
		w := int(math.RoundToEven(math.Sqrt(area * ratio)))
		h := int(math.RoundToEven(math.Sqrt(area / ratio)))
		if 0 < w && w <= width && 0 < h && h <= height {
			return int(u[atTop] * float64(height-h+1)), int(u[atLeft] * float64(width-w+1)), h, w, i + 1
		}
	}
	h, w = height, width
	if ratio := float64(width) / float64(height); ratio < c.Ratio.Low {
		h = int(math.RoundToEven(float64(width) / c.Ratio.Low))
	} else if ratio > c.Ratio.High {
		w = int(math.RoundToEven(float64(height) * c.Ratio.High))
	}
	return (height - h) / 2, (width - w) / 2, h, w, 11
}

func stacked(b *box) *Node { return Stack([]*Node{b.top, b.left, b.height, b.width}, 1) }

// TestBoxes are those of the loop on the same numbers, also where several candidates or all of them do not fit.
func TestBoxes(t *testing.T) {
	const n = 3000
	wide := Crop{Scale: Range{0.8, 1}, Ratio: Range{0.3, 3}}
	narrow := Crop{Scale: Range{0.9, 1}, Ratio: Range{0.9, 1.1}}
	for _, c := range []struct {
		crop          Crop
		height, width int
		central       bool
	}{
		{SoloLearn().Crop, 32, 32, false},
		{Digits().Crop, 8, 8, false},
		{wide, 32, 32, true},
		{narrow, 12, 40, true}, // no candidate fits
		{narrow, 40, 12, true},
		{Crop{Scale: Range{1e-5, 0.005}, Ratio: Range{1, 1}}, 8, 8, true}, // candidates without pixels
	} {
		u := uniform(graphtest.NewRand(1), n)
		got := evaluate(t, func(in []*Node) []*Node {
			return []*Node{stacked(c.crop.draw(in[0], c.height, c.width))}
		}, u)
		most, least := 0, 11
		for i := range n {
			top, left, h, w, tries := hostBox(c.crop, u.Run(i).Data, c.height, c.width)
			want := []float64{float64(top), float64(left), float64(h), float64(w)}
			require.Equal(t, want, got[0].Run(i).Data, "image %d of %d×%d", i, c.height, c.width)
			most, least = max(most, tries), min(least, tries)
		}
		assert.Equal(t, c.central, most == 11, "%+v", c)
		assert.Greater(t, most, 1)
	}
}

// TestLawOfBoxes: sizes drawn with the generator of package train have the probabilities of the definition. A candidate
// has the size h×w with the measure of all (area, log ratio) that round to it; drawing again where it does not fit
// divides by the measure of those that do.
func TestLawOfBoxes(t *testing.T) {
	t.Parallel()
	const draws, grid = 60_000, 2000
	for _, c := range []struct {
		crop Crop
		size int
	}{{SoloLearn().Crop, 32}, {Digits().Crop, 8}} {
		type size struct{ h, w int }
		var measure [33][33]float64
		fitting := 0.0
		for i := range grid {
			for j := range grid {
				u, v := (float64(i)+0.5)/grid, (float64(j)+0.5)/grid
				area := float64(c.size*c.size) * (c.crop.Scale.Low + (c.crop.Scale.High-c.crop.Scale.Low)*u)
				ratio := c.crop.Ratio.Low * math.Pow(c.crop.Ratio.High/c.crop.Ratio.Low, v)
				h, w := int(math.Round(math.Sqrt(area/ratio))), int(math.Round(math.Sqrt(area*ratio)))
				if h <= c.size && w <= c.size {
					measure[h][w]++
					fitting++
				}
			}
		}
		none := math.Pow(1-fitting/(grid*grid), 10) // that no candidate fits
		law := map[any]float64{}
		for h := range measure {
			for w, m := range measure[h] {
				if m > 0 {
					law[size{h, w}] = m * (1 - none) / fitting
				}
			}
		}
		law[size{c.size, c.size}] += none
		boxes := drawn(t, 5, func(random *train.Random) []*Node {
			p := parametersOf(Recipe{Crop: c.crop}, random, draws, c.size, c.size)
			return []*Node{InsertAxes(stacked(p.box), 0)}
		})[0]
		counts, offCentre := map[any]int{}, 0.0
		for i := range draws {
			row := boxes.RawRowView(i)
			counts[size{int(row[2]), int(row[3])}]++
			for axis := range 2 {
				last := float64(c.size) - row[2+axis]
				require.True(t, row[axis] >= 0 && row[axis] <= last, "the box %v leaves the image", row)
				offCentre += (row[axis] - last/2) / float64(c.size)
			}
		}
		requireLaw(t, law, counts)
		assert.InDelta(t, 0, offCentre/(2*draws), 5*0.2/math.Sqrt(2*draws))
	}
}

// TestPlaces are equally likely, and the largest number below 1 stays inside of the image.
func TestPlaces(t *testing.T) {
	const size, perPlace = 33, 100
	for _, dtype := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		below := math.Nextafter(1, 0)
		if dtype == dtypes.Float32 {
			below = float64(math.Nextafter32(1, 0))
		}
		for length := 1; length <= size; length++ {
			u := []float64{below}
			places := size - length + 1
			for i := range places * perPlace {
				u = append(u, (float64(i)+0.5)/float64(places*perPlace))
			}
			program := graphtest.NewProgramOn(t, graphtest.PureGo(t), dtype, func(in []*Node) []*Node {
				return []*Node{place(in[0], fill(in[0], length), size)}
			})
			got := program.Call(t, column(u...))[0].Data
			require.Equal(t, float64(size-length), got[0])
			counts := make([]int, places)
			for _, p := range got[1:] {
				counts[int(p)]++
			}
			for _, n := range counts {
				require.InDelta(t, perPlace, n, 2, "length %d", length)
			}
		}
	}
}

// keys is the kernel of Keys (1981) with a = −½, from its general form.
func keys(d float64) float64 {
	const a = -0.5
	switch d = math.Abs(d); {
	case d <= 1:
		return (a+2)*d*d*d - (a+3)*d*d + 1
	case d < 2:
		return a*d*d*d - 5*a*d*d + 8*a*d - 4*a
	}
	return 0
}

// hostResize resamples a box of one image: columns, then rows, each a normalised sum over the pixels of the box.
func hostResize(p picture, top, left, h, w int) picture {
	resample := func(size, start, length int, pixel func(j int) float64) []float64 {
		out := make([]float64, size)
		for i := range out {
			centre := float64(start) + (float64(i)+0.5)*float64(length)/float64(size)
			sum, weights := 0.0, 0.0
			for j := start; j < start+length; j++ {
				weight := keys(float64(j) + 0.5 - centre)
				sum, weights = sum+weight*pixel(j), weights+weight
			}
			out[i] = min(max(sum/weights, 0), 1)
		}
		return out
	}
	across, out := newPicture(p.height, p.width, p.channels), newPicture(p.height, p.width, p.channels)
	for c := range p.channels {
		for y := range p.height {
			for x, v := range resample(p.width, left, w, func(j int) float64 { return *p.at(y, j, c) }) {
				*across.at(y, x, c) = v
			}
		}
		for x := range p.width {
			for y, v := range resample(p.height, top, h, func(j int) float64 { return *across.at(j, x, c) }) {
				*out.at(y, x, c) = v
			}
		}
	}
	return out
}

// resized returns the boxes of images, in float64.
func resized(t *testing.T, images graphtest.Array, boxes [4]graphtest.Array) graphtest.Array {
	t.Helper()
	return evaluate(t, func(in []*Node) []*Node {
		b := &box{top: in[1], left: in[2], height: in[3], width: in[4]}
		return []*Node{onRows(in[0], b.resize)}
	}, images, boxes[0], boxes[1], boxes[2], boxes[3])[0]
}

func TestResize(t *testing.T) {
	rng := graphtest.NewRand(3)
	for _, size := range [][3]int{{32, 32, 3}, {8, 8, 1}, {9, 14, 2}} {
		const n = 24
		images := testImages(rng, n, size[0], size[1], size[2])
		boxes := [4]graphtest.Array{column(), column(), column(), column()}
		var want []picture
		for i, p := range pictures(images) {
			h, w := 1+rng.IntN(size[0]), 1+rng.IntN(size[1])
			if i == 0 {
				h, w = 1, 1
			}
			top, left := rng.IntN(size[0]-h+1), rng.IntN(size[1]-w+1)
			boxes[0] = column(append(boxes[0].Data, float64(top))...)
			boxes[1] = column(append(boxes[1].Data, float64(left))...)
			boxes[2] = column(append(boxes[2].Data, float64(h))...)
			boxes[3] = column(append(boxes[3].Data, float64(w))...)
			want = append(want, hostResize(p, top, left, h, w))
		}
		graphtest.RequireClose(t, join(want), resized(t, images, boxes), 1e-12, "resized")
	}
}

// TestWholeImageIsTheIdentity, exactly: at distances that are whole numbers the kernel is 1 or 0.
func TestWholeImageIsTheIdentity(t *testing.T) {
	images := testImages(graphtest.NewRand(4), 4, 10, 7, 3)
	whole := [4]graphtest.Array{column(0, 0, 0, 0), column(0, 0, 0, 0), column(10, 10, 10, 10), column(7, 7, 7, 7)}
	assert.Equal(t, images, resized(t, images, whole))
}

// TestEnlargedRamp: a linear ramp keeps its slope, except near the border of a box, where the kernel is cut.
func TestEnlargedRamp(t *testing.T) {
	const size, start, length = 32, 5, 16
	ramp := newPicture(size, size, 1)
	for y := range size {
		for x := range size {
			*ramp.at(y, x, 0) = float64(x) / size
		}
	}
	box := [4]graphtest.Array{column(0), column(start), column(size), column(length)}
	got := pictures(resized(t, join([]picture{ramp}), box))[0]
	for x := 4; x < size-4; x++ {
		at := start + (float64(x)+0.5)*length/size - 0.5 // in pixels of the image
		assert.InDelta(t, at/size, *got.at(7, x, 0), 1e-12)
	}
}
