package augment

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

func stacked(b *box) *Node { return Stack([]*Node{b.top, b.left, b.height, b.width}, 1) }

// TestBoxes compares boxes with a loop on the same numbers, including cases where some or all candidates do not fit.
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
		u := uniform(testkit.NewRand(1), n)
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

func TestLastPlace(t *testing.T) {
	const size = 33
	lengths := testkit.NewArray(size)
	for i := range lengths.Data {
		lengths.Data[i] = float64(i + 1)
	}
	for dtype, below := range map[dtypes.DType]float64{
		dtypes.Float32: float64(math.Nextafter32(1, 0)), dtypes.Float64: math.Nextafter(1, 0),
	} {
		got := testkit.NewProgramOn(t, testkit.PureGo(t), dtype, func(in []*Node) []*Node {
			return []*Node{place(MulScalar(OnesLike(in[0]), below), in[0], size)}
		}).Call(t, lengths)[0].Data
		for i, last := range got {
			assert.Equal(t, float64(size-1-i), last, "%s, length %d", dtype, i+1)
		}
	}
}

// TestEqualNumbers: ties still give each operation its own position.
func TestEqualNumbers(t *testing.T) {
	places := evaluate(t, func(in []*Node) []*Node { return SoloLearn().Jitter.draw(in[0]).place[:] },
		testkit.NewArray(1, numbers))
	for operation, place := range places {
		assert.Equal(t, []float64{float64(operation)}, place.Data)
	}
}
