package rl

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/stat"
)

// PublicRuns are the authors' runs of a method in an environment, by [May]: 235 of the public training histories
// (repository samueltzhou/laplacian_dual_dynamics_omm, commit 3bf3a50, files
// results/visuals/ENVIRONMENT/RUN/training_history.json). All use one seed and the same data; they differ only by
// rounding.
//
// The 48 runs named joint_omm_0.5_shift_5_14_25 count as OMM-seq: script_big.sh (a441a3d, 58e10cd) passes omm.yaml,
// whose algorithm is seq_omm, and their cosine after step 1 and their loss at the end are those of OMM-seq. Of the runs
// with κ = 1, four of OMM-seq with another loss (GridRoom-1, GridRoom-16) and three copies of one history of OMM-joint
// (GridRoom-1) are left out.
type PublicRuns struct {
	Method      string    `json:"method"`
	Environment string    `json:"environment"`
	Shift       float64   `json:"shift"`
	Runs        []float64 `json:"runs"`  // final average cosine similarity of each
	Curve       []float64 `json:"curve"` // mean over the runs after step 1 and every 4,000 steps
}

//go:embed public_runs.json
var publicRunsJSON []byte

var readPublicRuns = sync.OnceValue(func() (all []PublicRuns) {
	if err := json.Unmarshal(publicRunsJSON, &all); err != nil {
		panic(fmt.Errorf("public_runs.json: %w", err))
	}
	return all
})

// publicRuns returns the authors' runs by the protocol of e, or nil if none are known or e has fewer steps.
func (e Experiment) publicRuns() *PublicRuns {
	if e.K != spectrumModes || e.Walks != WalksPublic || e.Train.Steps < paperSteps {
		return nil
	}
	for _, t := range readPublicRuns() {
		if t.Method == e.Method && t.Environment == e.Environment && t.Shift == e.Shift {
			return &t
		}
	}
	return nil
}

func (t PublicRuns) mean() float64 { return stat.Mean(t.Runs, nil) }
