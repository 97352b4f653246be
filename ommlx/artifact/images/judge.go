package images

import (
	"cmp"
	"context"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// Sizes for the evaluation.
const (
	block           = 256   // images per call of the network
	spectrumImages  = 2_048 // maximum number of test images for the spectrum
	neighbourImages = 2_000 // maximum number of training images for neighbours during training
)

// judge evaluates the features of an experiment by nearest neighbours and linear probes. If the features are not
// learned, the problem is the training of the probes.
type judge struct {
	experiment     Experiment
	data           *Set
	problem        train.Problem
	backend        compute.Backend
	networks       *probe.Extractor // nil if the features are not learned
	training, test []probe.Features // not learned
}

// Start reads the data and builds the problem and its judge.
func (e Experiment) Start(b compute.Backend) (t run.Prepared, err error) {
	d, err := e.read()
	if err != nil {
		return t, err
	}
	j := &judge{experiment: e, data: d, backend: b}
	t.Runs, t.Close = run.Encoded(j.Runs), func() {}
	if !e.learns() {
		if j.training, j.test, err = e.fixed(d); err != nil {
			return t, err
		}
		t.Problem, t.Config, err = e.Probe.Problem(j.training, len(d.Classes), e.Seeds)
		return t, err
	}
	if t.Problem, err = e.problem(d); err != nil {
		return t, err
	}
	j.problem = t.Problem
	j.networks = e.encoder().Extractor(b, e.Recipe.Normalise, block, d.Height, d.Width, d.Channels)
	t.Config, t.Eval, t.Close = e.config(d.Train.Len()), j.Score, j.networks.Close
	return t, nil
}

// features returns the features of some training images and of all test images, without augmentation: a set for each
// run, or one for all runs if they are not learned.
func (j *judge) features(now train.Snapshot, some Images) (training, test []probe.Features, err error) {
	if j.networks == nil {
		return j.training, j.test, nil
	}
	of := func(s Images) []probe.Features {
		both, failed := probe.Extract(j.networks, now, s.Pixels, s.Labels)
		err = cmp.Or(err, failed)
		return both[0]
	}
	training, test = of(some), of(j.data.Test)
	return training, test, err
}

// Score returns the nearest-neighbour accuracies, with neighbours among the first training images.
func (j *judge) Score(now train.Snapshot) ([]float64, error) {
	training, test, err := j.features(now, j.data.Train.first(neighbourImages))
	if err != nil {
		return nil, err
	}
	found, err := probe.Neighbours.Score(j.backend, training, test)
	return xslices.Map(found, func(a probe.Accuracy) float64 { return a.Top1 }), err
}

func (j *judge) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	training, test, err := j.features(trained.Snapshot, j.data.Train)
	if err != nil {
		return nil, err
	}
	probes := trained
	if j.networks != nil {
		probes, err = j.experiment.Probe.Train(ctx, training, len(j.data.Classes), []int64{1},
			train.Options{Backend: j.backend})
		if err != nil {
			return nil, err
		}
	}
	linear := slices.Concat(probe.LinearScore(probes.Snapshot, test)...)
	neighbours, err := probe.Neighbours.Score(j.backend, training, test)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(linear))
	for r, seed := range j.experiment.Seeds {
		runs[r] = Run{Seed: seed, Linear: linear[r], Neighbours: neighbours[r%len(neighbours)]}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	if j.networks != nil {
		err = j.measureSpectra(trained.Snapshot, runs)
	}
	return runs, err
}

// measureSpectra sets the spectrum of each run's embeddings of two views of test images.
func (j *judge) measureSpectra(now train.Snapshot, runs []Run) error {
	e, p := j.experiment, j.problem
	network := e.encoder()
	p.Data = []*tensors.Tensor{j.data.tensor(j.data.Test.first(spectrumImages))}
	views, err := p.Evaluate(j.backend, now, func(in train.Inputs) []*Node {
		images := in.Data[0]
		every := Iota(images.Graph(), shapes.Make(dtypes.Int32, len(e.Seeds), images.Shape().Dim(0)), -1)
		first, second := j.data.Views(e.Recipe, images, every, in.Random)
		_, f := network.Apply(in.Params, in.State, first)
		_, g := network.Apply(in.Params, in.State, second)
		return []*Node{e.Norm.Apply(f), e.Norm.Apply(g)}
	})
	for r, v := range views { // none after an error
		s, failed := spectrumOf(v[0], v[1])
		if failed != nil { // features are all zero or not finite
			s = ViewSpectrum{Spent: make([]float64, e.K)}
		}
		runs[r].Spectrum = s
	}
	return err
}
