package images

import (
	"omm-go/ommlx/artifact/representation"
)

// Pixels is the baseline for [Experiment.Method]: the features are the normalised pixels of the images.
const Pixels = "pixels"

func (e Experiment) learns() bool { return e.Method != Pixels }

// plain drops what only learning needs.
func (e Experiment) plain() Experiment {
	return Experiment{Data: e.Data, Method: e.Method, Recipe: e.Recipe, Probe: e.Probe,
		Seeds: e.Seeds[:min(len(e.Seeds), baselineRuns)]}
}

// pixels returns the normalised pixels of N images, N×HWC.
func (e Experiment) pixels(d *Set, s Images) representation.Features {
	x := make([]float32, len(s.Pixels))
	for i, v := range s.Pixels {
		c := i % d.Channels
		x[i] = float32((float64(v)/255 - e.Recipe.Mean[c]) / e.Recipe.Std[c])
	}
	return representation.Features{X: x, Dim: len(x) / s.Len(), Labels: s.Labels}
}
