package images

import (
	"fmt"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
)

// Result is the result of one [Experiment]. Its history has the losses.
type Result = run.Decoded[Experiment, Run]

// Run is one run, evaluated on the test images.
type Run struct {
	Seed     int64                   `json:"seed"`
	Linear   representation.Accuracy `json:"linear"` // of a linear probe on the backbone's features
	Diverged int                     `json:"diverged_at_step,omitempty"`
	Note     string                  `json:"note,omitempty"`
}

// Cost estimates time and memory from the convolutions, forward and backward, for two views per image.
func (e Experiment) Cost() run.Cost {
	const perStep, perSecond, program = 25e-3, 150e9, 1 << 30 // seconds, operations, bytes
	images, side := cifarImages, cifarSide
	if e.Data == GlyphsName {
		images, side = glyphImages, glyphSide
	}
	if !e.learns() {
		return run.Cost{Seconds: 2e-3 * float64(e.Probe.Epochs*(images/e.Probe.Batch)),
			Memory: program + 16*int64(images*side*side*colours)}
	}
	w := float64(e.Width)
	pixels := float64((side + 2) * (side + 2)) // of the first stage; each later stage has a quarter of the one before
	// With b blocks the stages have 2b, 2b − ½, 2b − ½ and 2b − ½ convolutions of w, 2w, 4w and 8w channels on pixels,
	// pixels/4, …
	multiplications := 9 * pixels * w * (colours + w*(8*float64(e.Blocks)-1.5))
	// 40 numbers per pixel and channel of the first stage, measured with the paper's batch.
	activations := int64(2*e.Batch) * int64(pixels*w) * 4 * 40
	steps := float64(len(e.Seeds) * e.Epochs * e.minibatches(images).PerEpoch()) // of all runs
	return run.Cost{Seconds: steps * (perStep + 12*multiplications*float64(e.Batch)/perSecond),
		Memory: program + int64(images*side*side*colours) + int64(len(e.Seeds))*activations}
}

// Summary implements [run.Evaluated].
func (r Run) Summary() run.Summary {
	score := fmt.Sprintf("linear probe %.1f%% top-1, %.1f%% top-5", 100*r.Linear.Top1, 100*r.Linear.Top5)
	return run.Summary{Seed: r.Seed, Diverged: r.Diverged, Text: score, Score: r.Linear.Top1}
}
