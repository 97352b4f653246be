package images

import (
	"context"

	"github.com/gomlx/compute"

	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/train"
)

// Pixels is the baseline for [Experiment.Method] that learns no features: the normalised pixels of the images.
const Pixels = "pixels"

func (e Experiment) learns() bool { return e.Method != Pixels }

// plain drops what only learning needs.
func (e Experiment) plain() Experiment {
	return Experiment{Data: e.Data, Method: e.Method, Recipe: e.Recipe, Probe: e.Probe, Seeds: e.Seeds}
}

// pixels returns the normalised pixels of images.
func (e Experiment) pixels(d *Set, s Images) []probe.Features {
	x := make([]float32, len(s.Pixels))
	for i, v := range s.Pixels {
		c := i % d.Channels
		x[i] = float32((float64(v)/255 - e.Recipe.Mean[c]) / e.Recipe.Std[c])
	}
	return []probe.Features{{X: x, Dim: len(x) / s.Len(), Labels: s.Labels}}
}

func (e Experiment) probing(b compute.Backend, d *Set) (t run.Task[Run], err error) {
	p := probes{e, b, e.pixels(d, d.Train), e.pixels(d, d.Test)}
	t.Judge = p
	t.Problem, t.Config, err = e.Probe.Problem(p.training, len(d.Classes), e.Seeds)
	return t, err
}

// probes judges linear probes on features that are not learned.
type probes struct {
	experiment     Experiment
	backend        compute.Backend
	training, test []probe.Features
}

func (probes) Close() {}

func (p probes) Runs(_ context.Context, trained *train.Result) ([]Run, error) {
	neighbours, err := probe.Neighbours.Score(p.backend, p.training, p.test)
	if err != nil {
		return nil, err
	}
	linear, err := probe.LinearScore(p.backend, trained.Snapshot, p.test)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(p.experiment.Seeds))
	for r, seed := range p.experiment.Seeds {
		runs[r] = Run{Seed: seed, Linear: linear[0][r], Neighbours: neighbours[0]}
		runs[r].Diverged, runs[r].Note = run.Stopped(trained, r)
	}
	return runs, nil
}
