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

// evaluator evaluates the features of an experiment by linear probes. If the features are not learned, the problem is
// the training of the probes.
type evaluator struct {
	experiment     Experiment
	data           *Set
	backend        compute.Backend
	networks       *representation.Extractor // nil if the features are not learned
	training, test []representation.Features // not learned
}

// Start reads the data and builds the problem and its evaluation.
func (e Experiment) Start(b compute.Backend) (t run.Prepared, err error) {
	d, err := e.read()
	if err != nil {
		return t, err
	}
	v := &evaluator{experiment: e, data: d, backend: b}
	t.Runs, t.Close = run.Encoded(v.Runs), func() {}
	if !e.learns() {
		v.training = []representation.Features{e.pixels(d, d.Train)}
		v.test = []representation.Features{e.pixels(d, d.Test)}
		t.Problem, t.Config, err = e.Probe.Problem(v.training, len(d.Classes), e.Seeds)
		return t, err
	}
	if t.Problem, err = e.problem(d); err != nil {
		return t, err
	}
	v.networks = representation.NewExtractor(b, e.encoder(), e.Recipe.Normalise, block, d.Height, d.Width, d.Channels)
	t.Config, t.Close = e.config(d.Train.Len()), v.networks.Close
	return t, nil
}

// features returns the features of some images, without augmentation, for each run.
func (v *evaluator) features(now train.Snapshot, s Images) ([]representation.Features, error) {
	both, err := representation.Extract(v.networks, now, s.Pixels, s.Labels)
	return both[0], err
}

// Runs evaluates each run by a linear probe, trained on the features of the training images if they are learned.
func (v *evaluator) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	probes, test := trained.Snapshot, v.test
	if v.networks != nil {
		training, err1 := v.features(trained.Snapshot, v.data.Train)
		learned, err2 := v.features(trained.Snapshot, v.data.Test)
		if err := cmp.Or(err1, err2); err != nil {
			return nil, err
		}
		result, err := v.experiment.Probe.Train(ctx, training, len(v.data.Classes), []int64{1},
			train.Options{Backend: v.backend})
		if err != nil {
			return nil, err
		}
		probes, test = result.Snapshot, learned
	}
	linear := slices.Concat(representation.Accuracies(probes, test)...)
	runs := make([]Run, len(linear))
	for r, seed := range v.experiment.Seeds {
		runs[r] = Run{Seed: seed, Linear: linear[r]}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	return runs, nil
}
