package images

import (
	"cmp"
	"context"
	"slices"

	"github.com/gomlx/compute"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// block is the number of images in a call of the network.
const block = 256

// Start reads the data and builds the problem and its evaluation by linear probes on the features of images without
// augmentation. If the features are not learned, the problem is the training of the probes.
func (e Experiment) Start(b compute.Backend) (t run.Prepared, err error) {
	d, err := e.read()
	if err != nil {
		return t, err
	}
	if !e.learns() {
		training, test := e.pixels(d, d.Train), []representation.Features{e.pixels(d, d.Test)}
		t.Problem, t.Config, err = e.Probe.Problem([]representation.Features{training}, len(d.Classes), e.Seeds)
		t.Close = func() {}
		t.Runs = run.Encoded(func(_ context.Context, trained *train.Result) ([]Run, error) {
			return e.runs(trained, trained.Snapshot, test), nil
		})
		return t, err
	}
	if t.Problem, err = e.problem(d); err != nil {
		return t, err
	}
	networks := representation.NewExtractor(b, e.encoder(), e.Recipe.Normalise, block, d.Height, d.Width, d.Channels)
	t.Config, t.Close = e.config(d.Train.Len()), networks.Close
	t.Runs = run.Encoded(func(ctx context.Context, trained *train.Result) ([]Run, error) {
		training, err1 := representation.Extract(networks, trained.Snapshot, d.Train.Pixels, d.Train.Labels)
		test, err2 := representation.Extract(networks, trained.Snapshot, d.Test.Pixels, d.Test.Labels)
		if err := cmp.Or(err1, err2); err != nil {
			return nil, err
		}
		probes, err := e.Probe.Train(ctx, training[0], len(d.Classes), []int64{1}, train.Options{Backend: b})
		if err != nil {
			return nil, err
		}
		return e.runs(trained, probes.Snapshot, test[0]), nil
	})
	return t, nil
}

// runs returns the runs of a training, with the accuracy of each one's probe on the features of the test images.
func (e Experiment) runs(trained *train.Result, probes train.Snapshot, test []representation.Features) []Run {
	runs := make([]Run, len(e.Seeds))
	for r, linear := range slices.Concat(representation.Accuracies(probes, test)...) {
		runs[r] = Run{Seed: e.Seeds[r], Linear: linear}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	return runs
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
