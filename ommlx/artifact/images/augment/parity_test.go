package augment

import (
	_ "embed"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
)

//go:embed testdata/parity.py
var parityProgram string

// TestParityTorchvision compares every operation and the whole recipe with torchvision on float64 tensors and, up to
// rounding to 8 bits, with PIL, for the same drawn parameters.
func TestParityTorchvision(t *testing.T) {
	const n, size = 60, 32
	rng := testkit.NewRand(16)
	u := uniform(rng, n)
	recipe := SoloLearn()
	recipe.Mean, recipe.Std = nil, nil
	images := testImages(rng, n, size, size, 3)
	// Torchvision does not clip tensors after resampling; these images do not reach the bounds.
	smooth := images.Clone()
	for i := range smooth.Data {
		smooth.Data[i] = 0.35 + 0.3*smooth.Data[i]
	}
	p := evaluate(t, func(in []*Node) []*Node {
		p := recipe.draw(in[0], size, size)
		number := func(x *Node) *Node { return ConvertDType(x, in[0].DType()) }
		return []*Node{stacked(p.box), Stack(append(p.jitter.factor[:], p.jitter.turn), 1), Stack(p.jitter.place[:], 1),
			number(p.grey), p.sigma, number(p.flip)}
	}, u)
	var reply struct {
		Versions string                   `json:"versions"`
		Results  map[string]testkit.Array `json:"results"`
	}
	testkit.AskTorch(t, parityProgram, map[string]testkit.Array{"images": images, "smooth": smooth, "box": p[0],
		"factors": p[1], "places": p[2], "grey": p[3], "sigma": p[4], "flip": p[5]}, &reply)
	t.Log(reply.Versions)

	program := testkit.NewProgram(t, func(in []*Node) []*Node {
		images, smooth := in[0], in[1]
		all := recipe.draw(in[2], size, size)
		only := func(images *Node, p parameters) *Node { return recipe.apply(images, p) }
		out := []*Node{only(images, parameters{box: all.box}), only(smooth, parameters{box: all.box}),
			only(images, parameters{jitter: all.jitter}), only(images, all)}
		always := func(x *Node) *Node { return Equal(x, x) }
		out = append(out, only(images, parameters{grey: always(all.sigma)}),
			only(images, parameters{sigma: all.sigma}), only(images, parameters{flip: always(all.sigma)}))
		for operation := range jitters {
			single := &jitter{turn: ZerosLike(all.jitter.turn), place: all.jitter.place}
			for i := range single.factor {
				single.factor[i] = OnesLike(all.jitter.turn)
			}
			if operation == hue {
				single.turn = all.jitter.turn
			} else {
				single.factor[operation] = all.jitter.factor[operation]
			}
			out = append(out, only(images, parameters{jitter: single}))
		}
		return out
	})
	got := program.Call(t, images, smooth, u)
	// Differences from tensors come from rounding, from torchvision's weight of red, 0.2989, and from float32 in the
	// turn of the hue. PIL rounds each result to 8 bits, six times in a blur, and clips mixtures to whole levels. Its
	// hue has 256 steps; one step is 6 levels of the colour that changes.
	const level = 1. / 255
	for _, c := range []struct {
		name          string
		got           testkit.Array
		largest, mean float64 // allowed differences
	}{
		{"tensor crop", got[1], 1e-12, 1e-12},
		{"tensor jitter", got[2], 4e-4, 3e-5},
		{"tensor flip", got[6], 0, 0},
		{"tensor brightness", got[7], 1e-12, 1e-12},
		{"tensor contrast", got[8], 1e-4, 2e-5},
		{"tensor saturation", got[9], 1e-4, 2e-5},
		{"tensor hue", got[10], 2e-6, 2e-7},
		{"pil crop", got[0], 1.5 * level, 0.4 * level},
		{"pil jitter", got[2], 40 * level, 1.5 * level},
		{"pil recipe", got[3], 40 * level, 1.5 * level},
		{"pil grey", got[4], 0.51 * level, 0.3 * level},
		{"pil blur", got[5], 3.5 * level, 0.4 * level},
		{"pil brightness", got[7], 1.01 * level, 0.4 * level},
		{"pil contrast", got[8], 1.5 * level, 0.4 * level},
		{"pil saturation", got[9], 1.5 * level, 0.4 * level},
		{"pil hue", got[10], 20 * level, level},
	} {
		want := reply.Results[c.name]
		require.Equal(t, want.Dims, c.got.Dims, c.name)
		largest, mean := 0.0, 0.0
		for i, v := range want.Data {
			d := math.Abs(v - c.got.Data[i])
			largest, mean = max(largest, d), mean+d/float64(len(want.Data))
		}
		t.Logf("%-18s differs by at most %.1e and %.1e in the mean, %.2f and %.3f levels", c.name, largest, mean,
			largest/level, mean/level)
		assert.LessOrEqual(t, largest, c.largest, c.name)
		assert.LessOrEqual(t, mean, c.mean, c.name)
	}
}
