package images

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
	recipe := SoloLearn()
	recipe.Mean, recipe.Std = nil, nil
	images, u := testImages(rng, n, size, size, 3), uniform(rng, n)
	// Torchvision does not clip tensors after resampling; these images do not reach the bounds.
	smooth := images.Clone()
	for i := range smooth.Data {
		smooth.Data[i] = 0.35 + 0.3*smooth.Data[i]
	}
	request := map[string]testkit.Array{"images": images, "smooth": smooth, "box": testkit.NewArray(n, 4),
		"factors": testkit.NewArray(n, 4), "places": testkit.NewArray(n, 4), "grey": testkit.NewArray(n),
		"sigma": testkit.NewArray(n), "flip": testkit.NewArray(n)}
	for i := range n {
		numbers := u.Run(i).Data
		top, left, h, w := hostBox(recipe.Crop, numbers, size, size)
		copy(request["box"].Run(i).Data, []float64{float64(top), float64(left), float64(h), float64(w)})
		factors, order := []float64{1, 1, 1, 0}, []int{0, 1, 2, 3}
		if numbers[atJitter] < recipe.Jitter.Probability {
			factors, order = hostFactors(recipe.Jitter, numbers)
		}
		copy(request["factors"].Run(i).Data, factors)
		for place, operation := range order {
			request["places"].Run(i).Data[operation] = float64(place)
		}
		request["sigma"].Data[i] = hostSigma(recipe.Blur, numbers)
		for name, drawn := range map[string]bool{"grey": numbers[atGrey] < recipe.Grey,
			"flip": numbers[atFlip] < recipe.Flip} {
			if drawn {
				request[name].Data[i] = 1
			}
		}
	}
	var reply struct {
		Versions string                   `json:"versions"`
		Results  map[string]testkit.Array `json:"results"`
	}
	testkit.AskPython(t, "torch, torchvision", parityProgram, request, &reply)
	t.Log(reply.Versions)

	got := testkit.Compile(t, func(in []*Node) []*Node {
		images, smooth, u := in[0], in[1], in[2]
		out := []*Node{Recipe{Crop: recipe.Crop}.view(images, u), Recipe{Crop: recipe.Crop}.view(smooth, u),
			Recipe{Jitter: recipe.Jitter}.view(images, u), recipe.view(images, u), Recipe{Grey: 1}.view(images, u),
			Recipe{Blur: recipe.Blur}.view(images, u), Recipe{Flip: 1}.view(images, u)}
		j := recipe.Jitter
		for _, only := range []Jitter{{Brightness: j.Brightness}, {Contrast: j.Contrast}, {Saturation: j.Saturation},
			{Hue: j.Hue}} {
			only.Probability = j.Probability
			out = append(out, Recipe{Jitter: only}.view(images, u))
		}
		return out
	}).Call(t, images, smooth, u)
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
