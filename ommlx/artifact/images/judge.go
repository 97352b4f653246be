package images

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/dataset"
	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/train"
)

// The sizes of what is judged.
const (
	block    = 256   // images that the network gets at once
	viewed   = 2_048 // test images, at most, of whose views the spectrum is
	lookedAt = 5_000 // training images, at most, among which a look during a training finds neighbours
)

// judge evaluates encoders in training, and trained ones.
type judge struct {
	experiment Experiment
	statistics int // number of running statistics
	data       *dataset.Images
	backend    compute.Backend
	encode     *Exec // parameters, running statistics, images [B, H, W, C] → features [R, B, d], embeddings [R, B, k]
	views      *Exec // state of a generator, pixels [B, H, W, C] → two views of each, [B, H, W, C]
	normal     *Exec // pixels [B, H, W, C] → the images as they are
	vote       func(training, test probe.Features) (probe.Accuracy, error)
	freeVote   func()
}

func newJudge(b compute.Backend, e Experiment, d *dataset.Images) (*judge, error) {
	n := e.encoder(d.Channels)
	params, statistics := n.Init(e.Seeds[:1])
	j := &judge{experiment: e, statistics: len(statistics), data: d, backend: b}
	var errs [3]error
	j.encode, errs[0] = NewExec(b, func(in []*Node) []*Node {
		last := len(in) - 1
		features, f := n.Apply(in[:len(params)], in[len(params):last], in[last])
		return []*Node{features, f}
	})
	j.views, errs[1] = NewExec(b, func(state, pixels *Node) (first, second *Node) {
		first, second = e.Recipe.Views(pixels, once{state})
		return Squeeze(first, 0), Squeeze(second, 0)
	})
	j.normal, errs[2] = NewExec(b, func(pixels *Node) *Node { return e.Recipe.Normalise(pixels) })
	j.vote, j.freeVote = probe.KNN{}.Scorer(b)
	return j, errors.Join(errs[:]...)
}

func (j *judge) close() {
	for _, exec := range []*Exec{j.encode, j.views, j.normal} {
		exec.Finalize()
	}
	j.freeVote()
}

// once draws the numbers of one run from the state of a generator.
type once struct{ state *Node }

// Uniform is [augment.Random]'s.
func (o once) Uniform(dtype dtypes.DType, dims ...int) *Node {
	_, values := RandomUniform(o.state, shapes.Make(dtype, dims...))
	return InsertAxes(values, 0)
}

// encoded are features or embeddings of each run, of as many images.
type encoded [][]float32

// silence puts zeros in the place of all that a run's encoder gives if any of it is not finite, as in a run that has
// diverged: it says nothing then, and the runs beside it are judged as without it.
func (e encoded) silence() {
	for _, x := range e {
		if slices.ContainsFunc(x, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }) {
			clear(x)
		}
	}
}

// of returns the features and the embeddings that each run's encoder gives to n images; images returns a block of them,
// [block, H, W, C], the last one filled up in any way.
func (j *judge) of(now train.Snapshot, n int, images func(first int) (*tensors.Tensor, error)) (
	features, embeddings encoded, err error) {
	runs := len(j.experiment.Seeds)
	features, embeddings = make(encoded, runs), make(encoded, runs)
	defer func() { features.silence(); embeddings.silence() }()
	statistics := now.State[len(now.State)-j.statistics:] // behind the place in the epochs
	for first := 0; first < n; first += block {
		x, err := images(first)
		if err != nil {
			return nil, nil, err
		}
		var args []any
		for _, t := range now.Params {
			args = append(args, t)
		}
		for _, t := range statistics {
			args = append(args, t)
		}
		out, err := j.encode.Call(append(args, x)...)
		x.FinalizeAll()
		if err != nil {
			return nil, nil, fmt.Errorf("features on %s: %w", j.backend.Name(), err)
		}
		for i, all := range []encoded{features, embeddings} {
			width := out[i].Shape().Dim(2)
			flat := tensors.MustCopyFlatData[float32](out[i])
			for r := range all {
				run := flat[r*block*width:]
				all[r] = append(all[r], run[:min(block, n-first)*width]...)
			}
			out[i].FinalizeAll()
		}
	}
	return features, embeddings, nil
}

// pixels is a block of images of a split, the last one filled up with its own first images.
func (j *judge) pixels(s dataset.Split, first int) *tensors.Tensor {
	size := j.data.Height * j.data.Width * j.data.Channels
	flat := make([]uint8, 0, block*size)
	for i := range block {
		at := (first + i) % s.Len()
		flat = append(flat, s.Pixels[at*size:(at+1)*size]...)
	}
	return tensors.FromFlatDataAndDimensions(flat, block, j.data.Height, j.data.Width, j.data.Channels)
}

// features are the backbone's on the first n images of a split as they are, of each run, with their labels.
func (j *judge) features(now train.Snapshot, s dataset.Split, n int) ([]probe.Features, error) {
	features, _, err := j.of(now, n, func(first int) (*tensors.Tensor, error) {
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
	all := make([]probe.Features, len(features))
	for r, x := range features {
		all[r] = probe.Features{X: x, Dim: len(x) / n, Labels: s.Labels[:n]}
	}
	return all, nil
}

// both are the features of the first n training images, and of all test images.
func (j *judge) both(now train.Snapshot, n int) (training, test []probe.Features, err error) {
	if training, err = j.features(now, j.data.Train, n); err != nil {
		return nil, nil, err
	}
	test, err = j.features(now, j.data.Test, j.data.Test.Len())
	return training, test, err
}

// neighbours are the accuracies of the nearest neighbours on the test images, among all training images given.
func (j *judge) neighbours(training, test []probe.Features) ([]probe.Accuracy, error) {
	all := make([]probe.Accuracy, len(test))
	for r, f := range training {
		var err error
		if all[r], err = j.vote(f, test[r]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// look is how many training images a look during the training has.
func (j *judge) look() int { return min(j.data.Train.Len(), lookedAt) }

// linear are the accuracies of linear probes on the test images.
func (j *judge) linear(ctx context.Context, training, test []probe.Features) ([]probe.Accuracy, error) {
	l := j.experiment.linear(len(j.data.Classes))
	outcome, err := l.Run(ctx, training, test, []int64{1}, train.Options{Backend: j.backend})
	if err != nil {
		return nil, err
	}
	all := make([]probe.Accuracy, len(test))
	for r, of := range outcome.Accuracy {
		all[r] = of[0]
	}
	return all, nil
}

// linear is the probe for a number of classes.
func (e Experiment) linear(classes int) probe.Linear {
	p := e.Probe
	return probe.Linear{Classes: classes, Batch: p.Batch, Epochs: p.Epochs, Optimiser: p.SGD}
}

// spectra are those of each run's normalised embeddings of two views of test images, which are the same for all runs.
func (j *judge) spectra(now train.Snapshot) ([]Spectrum, error) {
	n := min(j.data.Test.Len(), viewed)
	var both [2]encoded
	for i := range both {
		_, embeddings, err := j.of(now, n, func(first int) (*tensors.Tensor, error) {
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
		both[i] = embeddings
	}
	all := make([]Spectrum, len(j.experiment.Seeds))
	for r := range all {
		var views [2]*mat.Dense
		for i := range views {
			views[i] = j.normalised(both[i][r], n)
		}
		s, err := spectral.Views(views[0], views[1])
		if err != nil { // all is zero
			s = spectral.ViewSpectrum{Spent: make([]float64, j.experiment.K)}
		}
		all[r] = newSpectrum(s)
	}
	return all, nil
}

// normalised are embeddings of n samples with the experiment's norm.
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
