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

// judge evaluates encoders of a problem.
type judge struct {
	experiment Experiment
	data       *Set
	problem    train.Problem
	backend    compute.Backend
	networks   *probe.Extractor
}

// features returns the backbone's features of the first n training images and of all test images, without augmentation,
// for each run.
func (j *judge) features(now train.Snapshot, n int) (training, test []probe.Features, err error) {
	of := func(s Images, n int) []probe.Features {
		both, failed := j.networks.On(now, s.Labels[:n], func(first int) *tensors.Tensor {
			return j.data.tensor(s, first, block)
		})
		err = cmp.Or(err, failed)
		return both[0]
	}
	training, test = of(j.data.Train, n), of(j.data.Test, j.data.Test.Len())
	return training, test, err
}

// runs returns the runs with the accuracies of linear, one for each run, and of nearest neighbours, by the features of
// each run or, if there is one set of them, of all runs.
func (e Experiment) runs(b compute.Backend, trained *train.Result, training, test []probe.Features,
	linear []probe.Accuracy) ([]Run, error) {
	neighbours, err := probe.Neighbours.Score(b, training, test)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(e.Seeds))
	for r, seed := range e.Seeds {
		runs[r] = Run{Seed: seed, Linear: linear[r], Neighbours: neighbours[r%len(neighbours)]}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	return runs, nil
}

// Score returns the nearest-neighbour accuracies, with neighbours among the first training images.
func (j *judge) Score(now train.Snapshot) ([]float64, error) {
	training, test, err := j.features(now, min(j.data.Train.Len(), neighbourImages))
	if err != nil {
		return nil, err
	}
	found, err := probe.Neighbours.Score(j.backend, training, test)
	return xslices.Map(found, func(a probe.Accuracy) float64 { return a.Top1 }), err
}

func (j *judge) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	training, test, err := j.features(trained.Snapshot, j.data.Train.Len())
	if err != nil {
		return nil, err
	}
	linear, err := j.experiment.Probe.Run(ctx, training, test, len(j.data.Classes), []int64{1},
		train.Options{Backend: j.backend})
	if err != nil {
		return nil, err
	}
	runs, err := j.experiment.runs(j.backend, trained, training, test, slices.Concat(linear...))
	if err != nil {
		return nil, err
	}
	return runs, j.measureSpectra(trained.Snapshot, runs)
}

// measureSpectra sets the spectrum of each run's embeddings of two views of test images.
func (j *judge) measureSpectra(now train.Snapshot, runs []Run) error {
	e, p := j.experiment, j.problem
	network := e.encoder()
	p.Data = []*tensors.Tensor{j.data.tensor(j.data.Test, 0, min(j.data.Test.Len(), spectrumImages))}
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
