package optim_test

import (
	_ "embed"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

//go:embed testdata/parity.py
var parityProgram string

// parityCase is a part of the input of testdata/parity.py.
type parityCase struct {
	name      string
	Optimiser optim.Optimiser   `json:"optimiser"`
	Params    []testkit.Array   `json:"params"`
	Grads     [][]testkit.Array `json:"grads"`
}

// TestParityPyTorch: every step of SGD equals torch.optim.SGD's under torch's own schedules.
func TestParityPyTorch(t *testing.T) {
	const steps = 30
	cosine := optim.Schedule{Decay: optim.Cosine, Steps: steps}
	solo := optim.Schedule{Warmup: 7, WarmupFrom: 1e-4, Decay: optim.Cosine, Steps: steps}
	tenths := optim.Schedule{Decay: optim.Tenths, Milestones: []int{12, 24}}
	params, grads := larsProblem(steps)
	var cases []parityCase
	for name, s := range map[string]optim.SGD{
		"the paper's":               {},
		"solo-learn's linear probe": {Momentum: 0.9, Schedule: tenths},
		"with decay":                {LearningRate: 0.01, Momentum: 0.9, WeightDecay: 1e-3, Schedule: cosine},
		"strong decay":              {LearningRate: 0.02, WeightDecay: 0.5, Schedule: solo},
	} {
		cases = append(cases, parityCase{name, s.WithDefaults(), params, grads})
	}
	var reply struct {
		Torch   string              `json:"torch"`
		Results [][][]testkit.Array `json:"results"`
	}
	testkit.AskTorch(t, parityProgram, map[string]any{"cases": cases}, &reply)
	require.Len(t, reply.Results, len(cases))
	t.Logf("PyTorch %s", reply.Torch)

	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := trajectory(t, dtypes.Float64, c.Optimiser, c.Params, c.Grads)
			require.Len(t, reply.Results[i], steps)
			for s, want := range reply.Results[i] {
				for j := range want {
					testkit.RequireClose(t, want[j], got[s][j], 1e-12, "PyTorch")
				}
			}
		})
	}
}
