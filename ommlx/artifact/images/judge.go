package images

import (
	"context"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// Sizes for the evaluation.
const (
	block           = 256   // images per call of the network
	spectrumImages  = 2_048 // maximum number of test images for the spectrum
	neighbourImages = 5_000 // maximum number of training images for neighbours during training
)

type judge struct {
	experiment Experiment
	data       *Set
	backend    compute.Backend
	networks   *probe.Evaluator
	views      *Exec // generator state, pixels [B, H, W, C] → two views, [B, H, W, C] each
	normal     *Exec // pixels [B, H, W, C] → normalised images
	neighbours func(training, test []probe.Features) ([]probe.Accuracy, error)
	free       func() // frees neighbours
}

func newJudge(b compute.Backend, e Experiment, d *Set) (*judge, error) {
	networks, err := e.encoder(d.Channels).Evaluator(b)
	j := &judge{experiment: e, data: d, backend: b, networks: networks, normal: MustNewExec(b, e.Recipe.Normalise),
		views: MustNewExec(b, func(state, pixels *Node) (first, second *Node) {
			first, second = e.Recipe.Views(pixels, singleRun{state})
			return Squeeze(first, 0), Squeeze(second, 0)
		})}
	j.neighbours, j.free = probe.KNN{}.Scorer(b)
	return j, err
}

func (j *judge) Close() {
	j.networks.Close()
	j.views.Finalize()
	j.normal.Finalize()
	j.free()
}

// singleRun draws the random numbers of one run from a generator state.
type singleRun struct{ state *Node }

func (o singleRun) Uniform(dtype dtypes.DType, dims ...int) *Node {
	_, values := RandomUniform(o.state, shapes.Make(dtype, dims...))
	return InsertAxes(values, 0)
}

// pixels returns a block of images of a split; the last block is filled up with its own first images.
func (j *judge) pixels(s Images, first int) *tensors.Tensor {
	size := j.data.Height * j.data.Width * j.data.Channels
	flat := make([]uint8, 0, block*size)
	for i := range block {
		at := (first + i) % s.Len()
		flat = append(flat, s.Pixels[at*size:(at+1)*size]...)
	}
	return tensors.FromFlatDataAndDimensions(flat, block, j.data.Height, j.data.Width, j.data.Channels)
}

// features returns the backbone's features of the first n images of a split, without augmentation, for each run, with
// labels.
func (j *judge) features(now train.Snapshot, s Images, n int) ([]probe.Features, error) {
	both, err := j.networks.On(now.Params, now.State, n, func(first int) (*tensors.Tensor, error) {
		pixels := j.pixels(s, first)
		defer pixels.FinalizeAll()
		out, err := j.normal.Call(pixels)
		if err != nil {
			return nil, err
		}
		return out[0], nil
	})
	if err != nil {
		return nil, err
	}
	all := make([]probe.Features, len(both[0].Runs))
	for r, x := range both[0].Runs {
		all[r] = probe.Features{X: x, Dim: both[0].Dim, Labels: s.Labels[:n]}
	}
	return all, nil
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
	found, err := j.neighbours(training, test)
	values := make([]float64, len(found))
	for r, a := range found {
		values[r] = a.Top1
	}
	return values, err
}

func (j *judge) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	training, test, err := j.both(trained.Snapshot, j.data.Train.Len())
	if err != nil {
		return nil, err
	}
	linear, err := j.experiment.linear(len(j.data.Classes)).Run(ctx, training, test, []int64{1},
		train.Options{Backend: j.backend})
	if err != nil {
		return nil, err
	}
	neighbours, err := j.neighbours(training, test)
	if err != nil {
		return nil, err
	}
	spectra, err := j.spectra(trained.Snapshot)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(test))
	for r, seed := range j.experiment.Seeds {
		runs[r] = Run{Seed: seed, Linear: linear.Accuracy[r][0], Neighbours: neighbours[r], Spectrum: spectra[r]}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	return runs, nil
}

func (e Experiment) linear(classes int) probe.Linear {
	p := e.Probe
	return probe.Linear{Classes: classes, Batch: p.Batch, Epochs: p.Epochs, Optimiser: p.SGD}
}

// spectra returns the spectrum of each run's normalised embeddings of two views of test images; all runs get the same
// views.
func (j *judge) spectra(now train.Snapshot) ([]ViewSpectrum, error) {
	n := min(j.data.Test.Len(), spectrumImages)
	var both [2][][]float32
	for i := range both {
		found, err := j.networks.On(now.Params, now.State, n, func(first int) (*tensors.Tensor, error) {
			state, err := RNGStateFromSeed(int64(first))
			if err != nil {
				return nil, err
			}
			pixels := j.pixels(j.data.Test, first)
			defer pixels.FinalizeAll()
			out, err := j.views.Call(state, pixels)
			if err != nil {
				return nil, err
			}
			out[1-i].FinalizeAll()
			return out[i], nil
		})
		if err != nil {
			return nil, err
		}
		both[i] = found[1].Runs
	}
	all := make([]ViewSpectrum, len(both[0]))
	for r := range all {
		s, err := Views(j.normalised(both[0][r], n), j.normalised(both[1][r], n))
		if err != nil { // all features are zero
			s = ViewSpectrum{Spent: make([]float64, j.experiment.K)}
		}
		all[r] = s
	}
	return all, nil
}

func (j *judge) normalised(flat []float32, n int) *mat.Dense {
	k := len(flat) / n
	m := mat.NewDense(n, k, nil)
	for i := range n {
		row := m.RawRowView(i)
		for c := range row {
			row[c] = float64(flat[i*k+c])
		}
		norm := floats.Norm(row, 2)
		switch {
		case norm == 0:
		case j.experiment.Norm == Unit:
			floats.Scale(1/norm, row)
		case j.experiment.Norm == Root:
			floats.Scale(math.Sqrt(float64(k))/norm, row)
		}
	}
	return m
}
