package images

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Baselines for [Experiment.Method]: features that are not learned.
const (
	// Pixels are the normalised pixels of the images.
	Pixels = "pixels"
	// Components are the k leading principal components of the training images, each with variance 1.
	Components = "components"
)

func (e Experiment) learns() bool { return e.Method != Pixels && e.Method != Components }

// plain drops what only learning needs.
func (e Experiment) plain() Experiment {
	p := Experiment{Data: e.Data, Method: e.Method, Recipe: e.Recipe, Probe: e.Probe, Seeds: e.Seeds}
	if e.Method == Components {
		p.K = e.K
	}
	return p
}

// pixels returns the normalised pixels of N images, N×HWC.
func (e Experiment) pixels(d *Set, s Images) *mat.Dense {
	x := make([]float64, len(s.Pixels))
	for i, v := range s.Pixels {
		c := i % d.Channels
		x[i] = float64(float32((float64(v)/255 - e.Recipe.Mean[c]) / e.Recipe.Std[c]))
	}
	return mat.NewDense(s.Len(), len(x)/s.Len(), x)
}

// components returns the k leading principal axes of samples x, N×d, scaled so that x along them has variance 1: d×k.
func components(x *mat.Dense, k int) (*mat.Dense, error) {
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, x, nil)
	if most := covariance.SymmetricDim(); k > most {
		return nil, fmt.Errorf("principal components: k is %d, want at most %d, the numbers of an image", k, most)
	}
	principal, err := spectral.SymEigen(&covariance)
	if err != nil {
		return nil, fmt.Errorf("principal components: %w", err)
	}
	axes := mat.DenseCopyOf(principal.Vectors.Slice(0, covariance.SymmetricDim(), 0, k))
	axes.Apply(func(_, c int, x float64) float64 { return x / math.Sqrt(max(1e-12, principal.Values[c])) }, axes)
	return axes, nil
}

func (e Experiment) probing(b compute.Backend, d *Set) (t run.Task[Run], err error) {
	x, y := e.pixels(d, d.Train), e.pixels(d, d.Test)
	if e.Method == Components {
		axes, err := components(x, e.K)
		if err != nil {
			return t, err
		}
		var training, test mat.Dense
		training.Mul(x, axes)
		test.Mul(y, axes)
		x, y = &training, &test
	}
	p := probes{e, b, []probe.Features{probe.FeaturesOf(x, d.Train.Labels)},
		[]probe.Features{probe.FeaturesOf(y, d.Test.Labels)}}
	t.Runs, t.Close = p.Runs, func() {}
	t.Problem, t.Config, err = e.Probe.Problem(p.training, len(d.Classes), e.Seeds)
	return t, err
}

// probes judges linear probes on features that are not learned.
type probes struct {
	experiment     Experiment
	backend        compute.Backend
	training, test []probe.Features
}

func (p probes) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	linear, err := probe.LinearScore(p.backend, trained.Snapshot, p.test)
	if err != nil {
		return nil, err
	}
	return p.experiment.runs(p.backend, trained, p.training, p.test, linear[0])
}
