package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Start implements [run.Experiment]: it opens the graph and builds the problem and its evaluation.
func (e Experiment) Start(b compute.Backend) (t run.Prepared, err error) {
	d, err := e.open()
	if err != nil {
		return t, err
	}
	return (&evaluator{e: e, view: hideEdges(d, e.Unseen), backend: b}).prepared()
}

// evaluator evaluates functions of the nodes by linear probes. If the functions are not learned, the problem is the
// training of the probes.
type evaluator struct {
	e Experiment
	*view
	backend  compute.Backend
	networks *representation.Extractor // nil if the functions are not learned
	fixed    encode                    // the functions that are not learned
	common   Run                       // what the runs share
}

func (v *evaluator) prepared() (t run.Prepared, err error) {
	if t.Runs, t.Close = run.Encoded(v.Runs), func() {}; v.e.learns() {
		if t.Problem, err = v.e.problem(v.view); err != nil {
			return t, err
		}
		v.networks = representation.NewExtractor(v.backend, v.e.encoder(v.Features), Identity, block, v.Features)
		t.Config, t.Eval, t.Close = v.e.config(), v.Captured, v.networks.Close
		return t, nil
	}
	x := v.X
	switch v.e.Method {
	case Features:
		v.common.Propagated = v.accuracy(PropagateLabels(v.seen, v.Classes, v.Labels, v.training), v.test)
	case Eigenvectors:
		x, v.common.Ritz, err = v.eigenvectors(v.e.K)
	case Optimum:
		x, v.common.Ritz, err = v.optimum(v.e.K)
	}
	if err != nil {
		return t, err
	}
	v.fixed = v.table(x)
	training, err := v.fixed(v.training)
	if err != nil {
		return t, err
	}
	t.Problem, t.Config, err = v.e.Probe.Problem(training, v.Classes, v.e.Seeds)
	return t, err
}

// The outputs of the networks.
const (
	backbone  = iota // the representation
	embedding        // the functions
)

// learned encodes nodes by an output of the networks, during training or after it.
func (v *evaluator) learned(now train.Snapshot, output int) encode {
	return func(nodes []int) ([]representation.Features, error) {
		both, err := representation.Extract(v.networks, now, v.gather(v.X, nodes), xslices.Gather(v.Labels, nodes))
		return both[output], err
	}
}

// Captured returns the sum of the leading eigenvalues of S in the span of the embedding, for each run.
func (v *evaluator) Captured(now train.Snapshot) ([]float64, error) {
	ritz, _, err := v.ritz(v.learned(now, embedding), len(v.e.Seeds), v.e.K, ritzNumbers)
	return xslices.Map(ritz, v.e.captured), err
}

// Runs measures probes on the functions of each run. It trains them if the functions are learned.
func (v *evaluator) Runs(ctx context.Context, trained *train.Result) ([]Run, error) {
	runs := slices.Repeat([]Run{v.common}, len(v.e.Seeds))
	if !slices.Contains(trained.Diverged, 0) {
		return v.e.results(runs, trained), nil
	}
	if v.networks == nil {
		probed, err := v.accuracies(ctx, v.fixed, trained.Snapshot)
		for r := range probed {
			runs[r].Embedding = &probed[r]
		}
		return v.e.results(runs, trained), err
	}
	var probed [2][]Accuracies
	for output := range probed {
		var err error
		if probed[output], err = v.probed(ctx, v.learned(trained.Snapshot, output)); err != nil {
			return nil, err
		}
	}
	ritz, _, err := v.ritz(v.learned(trained.Snapshot, embedding), len(runs), v.e.K, ritzNumbers)
	if err != nil {
		return nil, err
	}
	for r := range runs {
		runs[r] = Run{Representation: &probed[backbone][r], Embedding: &probed[embedding][r], Ritz: ritz[r]}
	}
	return v.e.results(runs, trained), nil
}

// probed trains linear probes on the encoded training nodes and returns their accuracies, for each run.
func (v *evaluator) probed(ctx context.Context, of encode) ([]Accuracies, error) {
	training, err := of(v.training)
	if err != nil {
		return nil, err
	}
	trained, err := v.e.Probe.Train(ctx, training, v.Classes, run.Seeds(v.e.Probe.Repetitions),
		train.Options{Backend: v.backend})
	if err != nil {
		return nil, err
	}
	return v.accuracies(ctx, of, trained.Snapshot)
}

// eigenvectors returns the k leading eigenvectors of S, scaled to mean square 1, [N, k], and their eigenvalues.
func (s *view) eigenvectors(k int) ([]float32, []float64, error) {
	m, n := s.seen.Symmetric(), s.Nodes()
	found, err := spectral.Lanczos{K: k, Tolerance: 1e-4}.Solve(n, func(dst, src []float64) {
		Multiply(m, dst, src, 1)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("graphs: eigenvectors of S: %w", err)
	}
	found.Vectors.Scale(math.Sqrt(float64(n)), found.Vectors)
	return representation.FeaturesOf(found.Vectors, s.Labels).X, found.Values, nil
}
