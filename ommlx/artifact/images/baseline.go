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

func (e Experiment) plain(method string) Experiment {
	p := Experiment{Data: e.Data, Method: method, Recipe: e.Recipe, Probe: e.Probe, Seeds: e.Seeds}
	if method == Components {
		p.K = e.K
	}
	return p
}

func (e Experiment) inputs(d *Set, s Images) probe.Features {
	x := make([]float32, len(s.Pixels))
	for i, v := range s.Pixels {
		c := i % d.Channels
		x[i] = float32((float64(v)/255 - e.Recipe.Mean[c]) / e.Recipe.Std[c])
	}
	return probe.Features{X: x, Dim: len(x) / s.Len(), Labels: s.Labels}
}

// components replaces the pixels of each set by principal components of the training images.
func components(k int, training probe.Features, sets ...*probe.Features) error {
	dense := func(f probe.Features) *mat.Dense {
		x := make([]float64, len(f.X))
		for i, v := range f.X {
			x[i] = float64(v)
		}
		return mat.NewDense(len(f.Labels), f.Dim, x)
	}
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, dense(training), nil)
	principal, err := spectral.SymEigen(&covariance)
	if err != nil {
		return fmt.Errorf("principal components: %w", err)
	}
	axes := mat.DenseCopyOf(principal.Vectors.Slice(0, training.Dim, 0, k))
	axes.Apply(func(_, c int, x float64) float64 { return x / math.Sqrt(max(1e-12, principal.Values[c])) }, axes)
	for _, s := range sets {
		var projected mat.Dense
		projected.Mul(dense(*s), axes)
		*s = probe.FeaturesOf(&projected, s.Labels)
	}
	return nil
}

func (e Experiment) probing(b compute.Backend, d *Set) (t run.Task[Run], err error) {
	training, test := e.inputs(d, d.Train), e.inputs(d, d.Test)
	if e.Method == Components {
		if err = components(e.K, training, &training, &test); err != nil {
			return t, err
		}
	}
	l := e.linear(len(d.Classes))
	if t.Problem, err = l.Problem([]probe.Features{training}, e.Seeds); err != nil {
		return t, err
	}
	t.Config, t.Judge = l.Config(d.Train.Len()), probes{e, l, b, training, test}
	return t, nil
}

type probes struct {
	e              Experiment
	linear         probe.Linear
	backend        compute.Backend
	training, test probe.Features
}

func (probes) Close() {}

func (p probes) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	training, test := []probe.Features{p.training}, []probe.Features{p.test}
	neighbours, err := probe.Neighbours.Score(p.backend, training, test)
	if err != nil {
		return nil, err
	}
	linear, err := p.linear.Score(p.backend, trained.Snapshot, test)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(p.e.Seeds))
	for r, seed := range p.e.Seeds {
		runs[r] = Run{Seed: seed, Linear: linear[0][r], Neighbours: neighbours[0]}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	return runs, nil
}
