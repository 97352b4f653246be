package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute"

	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/probe"
	"operator-omm/ommlx/sparse"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/train"
)

// classical is the task of training probes on features or eigenvectors.
func (e Experiment) classical(b compute.Backend, s *sight) (t lab.Task[Run], err error) {
	of, values := table(s.Features, s.FeaturesOf), []float64(nil)
	propagated, spread := 0.0, 0.0
	if e.Method == Eigenvectors {
		of, values, err = s.eigenvectors(e.K)
	} else {
		propagated, spread, err = s.withoutFunctions()
	}
	if err != nil {
		return t, err
	}
	training, err := of(s.training)
	if err != nil {
		return t, err
	}
	l := e.linear(s.Classes)
	if t.Problem, err = l.Problem(s.labelled(training[0], s.training), e.Seeds); err != nil {
		return t, err
	}
	t.Config = l.Config(len(s.training))
	t.Judge = func(ctx context.Context, trained *train.Result) ([]Run, error) {
		judged, err := e.assess(ctx, b, s, of, 0, trained.Params, 1)
		if err != nil {
			return nil, err
		}
		runs := make([]Run, len(e.Seeds))
		for r := range runs {
			own := Judged{Test: judged[0].Test[r : r+1], Smoothed: judged[0].Smoothed[r : r+1]}
			if judged[0].Unseen != nil {
				own.Unseen = judged[0].Unseen[r : r+1]
			}
			runs[r] = Run{Embedding: &own, Ritz: values, Propagated: propagated, Spread: spread}
		}
		return e.results(runs, trained), nil
	}
	return t, nil
}

// withoutFunctions are the accuracies of label propagation, 50 times with weight 0.9, and of Correct & Smooth on the
// same prediction for all nodes: what known labels give alone.
func (s *sight) withoutFunctions() (propagated, spread float64, err error) {
	z, err := probe.PropagateLabels(s.seen, s.Classes, s.labels, s.training, 50, 0.9)
	if err != nil {
		return 0, 0, err
	}
	propagated = s.accuracy(z, s.test)
	for i := range z {
		z[i] = 1 / float32(s.Classes)
	}
	if z, err = (probe.CorrectAndSmooth{}).Apply(s.seen, z, s.Classes, s.labels, s.training); err != nil {
		return 0, 0, err
	}
	return propagated, s.accuracy(z, s.test), nil
}

// eigenvectors encodes nodes by the k leading eigenvectors of S, scaled to mean square 1.
func (s *sight) eigenvectors(k int) (encode, []float64, error) {
	m, n := s.seen.Symmetric(), s.Nodes()
	found, err := spectral.Lanczos{K: k, Tolerance: 1e-4}.Solve(n, func(dst, src []float64) {
		sparse.Multiply(m, dst, src, 1)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("eigenvectors of the normalised adjacency matrix: %w", err)
	}
	scale := math.Sqrt(float64(n))
	return table(k, func(node int, dst []float32) {
		for c := range dst {
			dst[c] = float32(scale * found.Vectors.At(node, c))
		}
	}), found.Values, nil
}
