package rl

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"
)

// Theirs are the runs of the public code of a method in an environment by [May]: 242 of the training histories that
// are public (repository samueltzhou/laplacian_dual_dynamics_omm, commit 3bf3a50, files
// results/visuals/ENVIRONMENT/RUN/training_history.json). All began from one seed on the same data; what they differ in
// is rounding.
type Theirs struct {
	Method      string    `json:"method"`
	Environment string    `json:"environment"`
	Shift       float64   `json:"shift"`
	Runs        []float64 `json:"runs"`  // average cosine similarity at the end of each
	Curve       []float64 `json:"curve"` // the mean over the runs after step 1 and every 4,000 steps
}

//go:embed public_runs.json
var theirRuns []byte

var readTheirs = sync.OnceValue(func() (all []Theirs) {
	if err := json.Unmarshal(theirRuns, &all); err != nil {
		panic(fmt.Errorf("public_runs.json: %w", err))
	}
	return all
})

// theirs returns the runs of the public code by the protocol of e, and false where it has none or e is smaller.
func (e Experiment) theirs() (Theirs, bool) {
	if e.K != spectrumModes || e.Walks != WalksPublic || e.Generated || !e.atPaperScale() {
		return Theirs{}, false
	}
	all := readTheirs()
	i := slices.IndexFunc(all, func(t Theirs) bool {
		return t.Method == e.Method && t.Environment == e.Environment && t.Shift == e.Shift
	})
	if i < 0 {
		return Theirs{}, false
	}
	return all[i], true
}

// mean is that over the runs, at the end.
func (t Theirs) mean() float64 { return stat.Mean(t.Runs, nil) }

// theirInterval is the number of steps between the points of [Theirs.Curve], of which the first is after one step.
const theirInterval = 4_000

// points is the curve.
func (t Theirs) points() []CurvePoint {
	points := make([]CurvePoint, len(t.Curve))
	for i, mean := range t.Curve {
		points[i] = CurvePoint{Step: max(1, i*theirInterval), Mean: mean}
	}
	return points
}
