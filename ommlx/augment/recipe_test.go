package augment

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestValidate(t *testing.T) {
	for _, r := range []Recipe{{}, SoloLearn(), Digits()} {
		assert.NoError(t, r.Validate())
	}
	nan := math.NaN()
	for words, spoil := range map[string]func(r *Recipe){
		"Grey is -0.1; a probability must be from 0 to 1": func(r *Recipe) { r.Grey = -0.1 },
		"Flip is NaN":                                            func(r *Recipe) { r.Flip = nan },
		"Jitter.Probability is 2":                                func(r *Recipe) { r.Jitter.Probability = 2 },
		"Blur.Probability is 1.5":                                func(r *Recipe) { r.Blur.Probability = 1.5 },
		"Crop.Scale is from 0 to 1; bounds must be":              func(r *Recipe) { r.Crop.Scale.Low = 0 },
		"Crop.Scale is from 0.08 to 1.2":                         func(r *Recipe) { r.Crop.Scale.High = 1.2 },
		"Crop.Scale is from 0 to 0":                              func(r *Recipe) { r.Crop.Scale = Range{} },
		"Crop.Ratio is from 2 to 1.3":                            func(r *Recipe) { r.Crop.Ratio.Low = 2 },
		"Crop.Ratio is from 0.75 to +Inf; bounds must be":        func(r *Recipe) { r.Crop.Ratio.High = math.Inf(1) },
		"Jitter.Hue is 0.6; it must be from 0 to 0.5":            func(r *Recipe) { r.Jitter.Hue = 0.6 },
		"Jitter.Contrast is -1; it must be finite and":           func(r *Recipe) { r.Jitter.Contrast = -1 },
		"Jitter.Brightness is +Inf; it must be finite":           func(r *Recipe) { r.Jitter.Brightness = math.Inf(1) },
		"Jitter.Saturation is NaN":                               func(r *Recipe) { r.Jitter.Saturation = nan },
		"Blur.Sigma is from -1 to 2":                             func(r *Recipe) { r.Blur.Sigma.Low = -1 },
		"3 numbers in Mean and 2 in Std":                         func(r *Recipe) { r.Std = r.Std[:2] },
		"channel 1 has mean 0.4865 and standard deviation 0":     func(r *Recipe) { r.Std[1] = 0 },
		"channel 2 has mean NaN and standard deviation 0.2762; ": func(r *Recipe) { r.Mean[2] = nan },
	} {
		r := SoloLearn()
		spoil(&r)
		assert.ErrorContains(t, r.Validate(), words)
	}
}
