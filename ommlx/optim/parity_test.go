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

// parityCase is the input of testdata/parity.py.
type parityCase struct {
	name      string
	optimiser optim.Optimiser

	LARS        bool              `json:"lars"`
	Rate        float64           `json:"rate"`
	Momentum    float64           `json:"momentum"`
	WeightDecay float64           `json:"weight_decay"`
	Trust       float64           `json:"trust"`
	Clipped     bool              `json:"clipped"`
	Schedule    optim.Schedule    `json:"schedule"`
	Params      []testkit.Array   `json:"params"`
	Grads       [][]testkit.Array `json:"grads"`
}

func ofSGD(name string, s optim.SGD) parityCase {
	full := s.WithDefaults()
	return parityCase{name: "SGD, " + name, optimiser: s, Rate: full.LearningRate, Momentum: full.Momentum,
		WeightDecay: full.WeightDecay, Schedule: s.Schedule}
}

func ofLARS(name string, l optim.LARS) parityCase {
	full := l.WithDefaults()
	return parityCase{name: "LARS, " + name, optimiser: l, LARS: true, Rate: full.LearningRate, Momentum: full.Momentum,
		WeightDecay: full.WeightDecay, Trust: full.Trust, Clipped: !full.Unclipped, Schedule: l.Schedule}
}

// TestParityPyTorch: every step of SGD equals torch.optim.SGD's under torch's own schedules, and every step of LARS
// equals the one in testdata/parity.py, which is written from the equations and shares no code with this package.
func TestParityPyTorch(t *testing.T) {
	const steps = 30
	cosine := optim.Schedule{Decay: optim.Cosine, Steps: steps}
	solo := optim.Schedule{Warmup: 7, WarmupFrom: 1e-4, Decay: optim.Cosine, Steps: steps}
	tenths := optim.Schedule{Decay: optim.Tenths, Milestones: []int{12, 24}}
	cases := []parityCase{
		ofSGD("the paper's", optim.SGD{}),
		ofSGD("solo-learn's linear probe", optim.SGD{Momentum: 0.9, Schedule: tenths}),
		ofSGD("with decay", optim.SGD{LearningRate: 0.01, Momentum: 0.9, WeightDecay: 1e-3, Schedule: cosine}),
		ofSGD("strong decay", optim.SGD{LearningRate: 0.02, WeightDecay: 0.5, Schedule: solo}),
		ofLARS("the paper's", optim.LARS{Schedule: solo}),
		ofLARS("the public configuration's", optim.LARS{LearningRate: 0.4, WeightDecay: 1e-4, Schedule: solo}),
		ofLARS("strong decay", optim.LARS{LearningRate: 0.1, Momentum: 0.5, WeightDecay: 0.3, Schedule: tenths}),
		ofLARS("unclipped", optim.LARS{Trust: 1e-3, Unclipped: true, WeightDecay: 0.1, Schedule: cosine}),
	}
	for i := range cases {
		cases[i].Params, cases[i].Grads = larsProblem(steps)
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
			got := trajectory(t, dtypes.Float64, c.optimiser, c.Params, c.Grads)
			require.Len(t, reply.Results[i], steps)
			for s, want := range reply.Results[i] {
				for j := range want {
					testkit.RequireClose(t, want[j], got[s][j], 1e-12, "PyTorch")
				}
			}
		})
	}
}
