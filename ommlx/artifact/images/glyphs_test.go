package images

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/train"
)

func TestGlyphsHaveEachLetterEquallyOften(t *testing.T) {
	d := Glyphs()
	require.Equal(t, d, Glyphs(), "repeated call")
	require.Equal(t, glyphImages, d.Train.Len())
	for n, part := range map[int]Images{12 * 16: d.Train, 4 * 16: d.Test} {
		counts := make([]int, len(d.Classes))
		for _, label := range part.Labels {
			counts[label]++
		}
		assert.Equal(t, slices.Repeat([]int{n}, 26), counts)
		assert.Len(t, part.Pixels, 26*n*glyphSide*glyphSide*colours)
	}
	for i, label := range d.Test.Labels {
		require.Equal(t, d.Test.Labels[i/d.Draws*d.Draws], label, "images of one glyph are in a row")
	}
}

// Whatever the draw of an I, the ink lies around the middle and some of it is opaque.
func TestInkIsInTheMiddle(t *testing.T) {
	_, faces := glyphFaces()
	outline := outlineOf(faces[0], 'I')
	rng := testkit.NewRand(3)
	for range 100 {
		var sum, x, y float64
		covered := ink(outline, rng)
		for i, alpha := range covered.Pix {
			a := float64(alpha) / 255
			sum, x, y = sum+a, x+a*(float64(i%glyphSide)+0.5), y+a*(float64(i/glyphSide)+0.5)
		}
		require.InDelta(t, glyphSide/2, x/sum, 1.5)
		require.InDelta(t, glyphSide/2, y/sum, 1.5)
		require.Greater(t, sum, 5.0, "a stem of eight pixels")
		require.Less(t, sum, 40.0)
		require.Greater(t, slices.Max(covered.Pix), uint8(128))
	}
}

// About half of the letters are lighter than their ground, and each is apart from both ends of it.
func TestColoursContrast(t *testing.T) {
	rng, lighter := testkit.NewRand(4), 0
	for range 1_000 {
		letter, first, second := contrasting(rng)
		a, b := letter.luma()-first.luma(), letter.luma()-second.luma()
		require.Positive(t, a*b)
		require.GreaterOrEqual(t, min(math.Abs(a), math.Abs(b)), 0.3)
		if a > 0 {
			lighter++
		}
	}
	require.InDelta(t, 500, lighter, 80)
}

// The second view is any image of the subject of the first, each about equally often.
func TestSecondViewIsOfTheSameSubject(t *testing.T) {
	const subjects, draws, times = 3, 4, 400
	flat := make([]float32, subjects*draws) // each image is one pixel
	for i := range flat {
		flat[i] = float32(i)
	}
	d := &Set{Draws: draws}
	p := train.Problem{Seeds: []int64{1}, Data: []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(flat, len(flat), 1, 1, 1)}}
	none := train.Snapshot{Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{0}, 1)}}
	views := testkit.Must(p.Evaluate(testkit.PureGo(t), none, func(in train.Inputs) []*Node {
		samples := Const(in.Data[0].Graph(), [][]int32{slices.Repeat([]int32{0, 5, 11}, times)})
		first, second := d.Views(Recipe{}, in.Data[0], samples, in.Random)
		return []*Node{Reshape(first, 1, -1, 1), Reshape(second, 1, -1, 1)}
	}))[0]
	counts := map[int]int{}
	for i := range subjects * times {
		first, second := int(views[0].At(i, 0)), int(views[1].At(i, 0))
		require.Equal(t, []int{0, 5, 11}[i%3], first)
		require.Equal(t, first/draws, second/draws)
		counts[second]++
	}
	require.Len(t, counts, subjects*draws)
	for _, n := range counts {
		require.InDelta(t, times/draws, n, 40, "4.6 standard deviations")
	}
}
