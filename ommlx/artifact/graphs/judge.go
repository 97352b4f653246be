package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/graphs/sparse"
	"omm-go/ommlx/artifact/probe"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Start implements [run.Experiment]: it opens the graph and builds the problem and its judge.
func (e Experiment) Start(b compute.Backend) (t run.Prepared, err error) {
	d, err := e.open()
	if err != nil {
		return t, err
	}
	return (&judge{e: e, view: hideEdges(d, e.Unseen), backend: b}).prepared()
}

// judge evaluates functions of the nodes by linear probes. If the functions are not learned, the problem is the
// training of the probes.
type judge struct {
	e Experiment
	*view
	backend  compute.Backend
	networks *probe.Extractor // nil if the functions are not learned
	fixed    encode           // the functions that are not learned
	common   Run              // what the runs share
}

func (j *judge) prepared() (t run.Prepared, err error) {
	if t.Runs, t.Close = run.Encoded(j.Runs), func() {}; j.e.learns() {
		if t.Problem, err = j.e.problem(j.view); err != nil {
			return t, err
		}
		j.networks = j.e.encoder(j.Features).Extractor(j.backend, Identity, block, j.Features)
		t.Config, t.Eval, t.Close = j.e.config(), j.Score, j.networks.Close
		return t, nil
	}
	x := j.X
	switch j.e.Method {
	case Features:
		j.common.Propagated, j.common.Spread = j.withoutFunctions()
	case Eigenvectors:
		x, j.common.Ritz, err = j.eigenvectors(j.e.K)
	case Both:
		x, _, err = j.eigenvectors(j.e.K)
		x = j.beside(x)
	case Optimum:
		x, j.common.Ritz, err = j.optimum(j.e.K)
	}
	if err != nil {
		return t, err
	}
	j.fixed = j.table(x)
	training, err := j.fixed(j.training)
	if err != nil {
		return t, err
	}
	t.Problem, t.Config, err = j.e.Probe.Problem(training, j.Classes, j.e.Seeds)
	return t, err
}

// The outputs of the networks.
const (
	representation = iota
	embedding
)

// learned encodes nodes by an output of the networks, during training or after it.
func (j *judge) learned(now train.Snapshot, output int) encode {
	return func(nodes []int) ([]probe.Features, error) {
		both, err := probe.Extract(j.networks, now, j.gather(j.X, nodes), xslices.Gather(j.Labels, nodes))
		return both[output], err
	}
}

// Score returns the sum of the leading eigenvalues of S in the span of the embedding.
func (j *judge) Score(now train.Snapshot) ([]float64, error) {
	ritz, _, err := j.ritz(j.learned(now, embedding), len(j.e.Seeds), j.e.K, ritzNumbers)
	return xslices.Map(ritz, j.e.captured), err
}

// Runs assesses probes on the functions of each run. It trains them if the functions are learned.
func (j *judge) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	runs := slices.Repeat([]Run{j.common}, len(j.e.Seeds))
	if !slices.Contains(trained.Diverged, 0) {
		return j.e.results(runs, trained), nil
	}
	if j.networks == nil {
		judged, err := j.assess(ctx, j.fixed, trained.Snapshot)
		for r := range judged {
			runs[r].Embedding = &judged[r]
		}
		return j.e.results(runs, trained), err
	}
	var judged [2][]Judged
	for output := range judged {
		var err error
		if judged[output], err = j.probed(ctx, j.learned(trained.Snapshot, output)); err != nil {
			return nil, err
		}
	}
	ritz, _, err := j.ritz(j.learned(trained.Snapshot, embedding), len(runs), j.e.K, ritzNumbers)
	if err != nil {
		return nil, err
	}
	for r := range runs {
		runs[r] = Run{Representation: &judged[representation][r], Embedding: &judged[embedding][r], Ritz: ritz[r]}
	}
	return j.e.results(runs, trained), nil
}

// probed trains linear probes on the encoded training nodes and assesses them, for each run.
func (j *judge) probed(ctx context.Context, of encode) ([]Judged, error) {
	training, err := of(j.training)
	if err != nil {
		return nil, err
	}
	trained, err := j.e.Probe.Train(ctx, training, j.Classes, run.Seeds(j.e.Probe.Repetitions),
		train.Options{Backend: j.backend})
	if err != nil {
		return nil, err
	}
	return j.assess(ctx, of, trained.Snapshot)
}

// withoutFunctions returns accuracies that need only the known labels: of label propagation, 50 times with weight 0.9,
// and of Correct & Smooth on the same prediction for all nodes.
func (s *view) withoutFunctions() (propagated, spread float64) {
	z := probe.PropagateLabels(s.seen, s.Classes, s.Labels, s.training, 50, 0.9)
	propagated = s.accuracy(z, s.test)
	for i := range z {
		z[i] = 1 / float32(s.Classes)
	}
	z = probe.CorrectAndSmooth(s.seen, z, s.Classes, s.Labels, s.training)
	return propagated, s.accuracy(z, s.test)
}

// eigenvectors returns the k leading eigenvectors of S, scaled to mean square 1, [N, k], and their eigenvalues.
func (s *view) eigenvectors(k int) ([]float32, []float64, error) {
	m, n := s.seen.Symmetric(), s.Nodes()
	found, err := spectral.Lanczos{K: k, Tolerance: 1e-4}.Solve(n, func(dst, src []float64) {
		sparse.Multiply(m, dst, src, 1)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("graphs: eigenvectors of S: %w", err)
	}
	found.Vectors.Scale(math.Sqrt(float64(n)), found.Vectors)
	return probe.FeaturesOf(found.Vectors, s.Labels).X, found.Values, nil
}
