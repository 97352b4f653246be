package images

import (
	"context"

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

// judge evaluates encoders of a problem.
type judge struct {
	experiment Experiment
	data       *Set
	problem    train.Problem
	backend    compute.Backend
	networks   *probe.Extractor
}

// features returns the backbone's features of the first n images of a split, without augmentation, for each run.
func (j *judge) features(now train.Snapshot, s Images, n int) ([]probe.Features, error) {
	both, err := j.networks.On(now, s.Labels[:n], func(first int) *tensors.Tensor {
		return j.data.tensor(s, first, block)
	})
	return both[0], err
}

func (j *judge) both(now train.Snapshot, n int) (training, test []probe.Features, err error) {
	if training, err = j.features(now, j.data.Train, n); err != nil {
		return nil, nil, err
	}
	test, err = j.features(now, j.data.Test, j.data.Test.Len())
	return training, test, err
}

// Score returns the nearest-neighbour accuracies, with neighbours among the first training images.
func (j *judge) Score(now train.Snapshot) ([]float64, error) {
	training, test, err := j.both(now, min(j.data.Train.Len(), neighbourImages))
	if err != nil {
		return nil, err
	}
	found, err := probe.Neighbours.Score(j.backend, training, test)
	return xslices.Map(found, func(a probe.Accuracy) float64 { return a.Top1 }), err
}

func (j *judge) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	training, test, err := j.both(trained.Snapshot, j.data.Train.Len())
	if err != nil {
		return nil, err
	}
	linear, err := j.experiment.Probe.Run(ctx, training, test, len(j.data.Classes), []int64{1},
		train.Options{Backend: j.backend})
	if err != nil {
		return nil, err
	}
	neighbours, err := probe.Neighbours.Score(j.backend, training, test)
	if err != nil {
		return nil, err
	}
	spectra, err := j.spectra(trained.Snapshot)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(test))
	for r, seed := range j.experiment.Seeds {
		runs[r] = Run{Seed: seed, Linear: linear[r][0], Neighbours: neighbours[r], Spectrum: spectra[r]}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	return runs, nil
}

// spectra returns the spectrum of each run's embeddings of two views of test images.
func (j *judge) spectra(now train.Snapshot) ([]ViewSpectrum, error) {
	e, p := j.experiment, j.problem
	network := e.encoder(j.data.Channels)
	p.Data = []*tensors.Tensor{j.data.tensor(j.data.Test, 0, min(j.data.Test.Len(), spectrumImages))}
	views, err := p.Evaluate(j.backend, now, func(in train.Inputs) []*Node {
		images := in.Data[0]
		every := Iota(images.Graph(), shapes.Make(dtypes.Int32, len(e.Seeds), images.Shape().Dim(0)), -1)
		first, second := j.data.Views(e.Recipe, images, every, in.Random)
		_, f := network.Apply(in.Params, in.State, first)
		_, g := network.Apply(in.Params, in.State, second)
		return []*Node{e.Norm.Apply(f), e.Norm.Apply(g)}
	})
	if err != nil {
		return nil, err
	}
	all := make([]ViewSpectrum, len(views))
	for r, v := range views {
		if all[r], err = spectrumOf(v[0], v[1]); err != nil { // features are all zero or not finite
			all[r] = ViewSpectrum{Spent: make([]float64, e.K)}
		}
	}
	return all, nil
}
