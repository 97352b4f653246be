package ommlx_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/losstest"
)

// parityCase is what testdata/parity.py reads: the settings of an objective in words, and numbers to evaluate it on.
type parityCase struct {
	objective ommlx.Objective

	ID      string    `json:"id"`
	Nesting string    `json:"nesting"`
	Orders  []float64 `json:"orders"`
	Alpha   []float64 `json:"alpha"`
	Kappa   float64   `json:"kappa"`

	Graph           string  `json:"graph"`
	ErrorRate       float64 `json:"error_rate"`
	DualRate        float64 `json:"dual_rate"`
	MaxDual         float64 `json:"max_dual"`
	BarrierRate     float64 `json:"barrier_rate"`
	MaxBarrier      float64 `json:"max_barrier"`
	BarrierForDuals bool    `json:"barrier_for_duals"`
	Decay           float64 `json:"decay"`

	F     graphtest.Array   `json:"f"`
	TF    graphtest.Array   `json:"tf"`
	C1    graphtest.Array   `json:"c1"`
	C2    graphtest.Array   `json:"c2"`
	State []graphtest.Array `json:"state"`
}

// describe says in words what an objective is.
func describe(t *testing.T, o ommlx.Objective, k int) parityCase {
	c := parityCase{objective: o}
	alpha := func(weights []float64) []float64 {
		if weights != nil {
			return weights
		}
		uniform := make([]float64, k)
		for i := range uniform {
			uniform[i] = 1 / float64(k)
		}
		return uniform
	}
	switch o := o.(type) {
	case ommlx.OMM:
		c.ID = map[ommlx.PrintedJoint]string{ommlx.NotPrinted: "omm", ommlx.JointPseudocode: "joint_pseudocode",
			ommlx.JointEquation: "joint_equation"}[o.Printed]
		c.Nesting, c.Orders, c.Alpha = o.Nesting.String(), o.Orders, alpha(o.Weights)
		if o.Orders == nil {
			c.Orders = []float64{1}
		}
	case ommlx.LoRA:
		c.ID, c.Nesting, c.Alpha = "lora", o.Nesting.String(), alpha(o.Weights)
	case ommlx.Sanger:
		c.ID = map[ommlx.PrintedSanger]string{ommlx.SangersRule: "sanger", ommlx.SangerDetached: "sanger_detached",
			ommlx.SangerBothGradients: "sanger_both"}[o.Printed]
	case ommlx.ALLO:
		c.ID = "allo"
		c.Graph = map[ommlx.ALLOGraph]string{ommlx.GraphSampled: "sampled", ommlx.GraphMoments: "moments"}[o.Graph]
		c.ErrorRate, c.DualRate, c.MaxDual, c.BarrierRate, c.MaxBarrier = 0.1, 1e-4, 100, 0.01, 1e4
		if o.DualRate != 0 {
			c.DualRate, c.MaxDual, c.BarrierRate = o.DualRate, o.MaxDual, o.BarrierRate
		}
		c.BarrierForDuals = o.BarrierForDuals
	case ommlx.NeuralEF:
		c.ID = "neuralef"
	case ommlx.SpIN:
		c.ID, c.Decay = "spin", 0.01
		if o.Decay != 0 {
			c.Decay = o.Decay
		}
	case ommlx.Shifted:
		c = describe(t, o.Objective, k)
		c.objective, c.Kappa = o, o.Kappa
	default:
		t.Fatalf("objective %s has no counterpart in testdata/parity.py", o.Name())
	}
	return c
}

// askPyTorch runs testdata/parity.py on a request, or skips the test where that cannot be.
func askPyTorch(t *testing.T, request []byte) []byte {
	t.Helper()
	python := os.Getenv("OMM_PYTHON")
	if python == "" {
		python = "python3"
	}
	var answer, complaint bytes.Buffer
	command := exec.Command(python, "testdata/parity.py")
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(request), &answer, &complaint
	err := command.Run()
	const noTorch = 3 // the script's exit code for that
	if command.ProcessState == nil || command.ProcessState.ExitCode() == noTorch {
		t.Skipf("PyTorch cannot be imported by %q (%v): run `make parity`, or set OMM_PYTHON to a Python that has it",
			python, err)
	}
	require.NoError(t, err, "%s", &complaint)
	return answer.Bytes()
}

// Loss, every gradient and the next state of every objective are those of testdata/parity.py, which is written from the
// equations and shares nothing with this package; also the first step of ALLO, whose running mean starts from nothing.
func TestParityPyTorch(t *testing.T) {
	const batch, k = 40, 4
	rng := graphtest.NewRand(91)
	var cases []parityCase
	for _, o := range objectives(t) {
		c := describe(t, o, k)
		at := losstest.GaussianPoint(rng, batch, k)
		c.F, c.TF, c.C1, c.C2, c.State = at.F, at.TF, at.C1, at.C2, lateState(o, 0, k)
		cases = append(cases, c)
		if len(c.State) > 0 {
			c.State = initState(o, 0, k)
			cases = append(cases, c)
		}
	}
	request, err := json.Marshal(map[string]any{"cases": cases})
	require.NoError(t, err)
	var reply struct {
		Torch   string              `json:"torch"`
		Results [][]graphtest.Array `json:"results"`
	}
	require.NoError(t, json.Unmarshal(askPyTorch(t, request), &reply))
	require.Len(t, reply.Results, len(cases))
	t.Logf("PyTorch %s", reply.Torch)

	for i, c := range cases {
		t.Run(c.objective.Name(), func(t *testing.T) {
			got := losstest.EvaluateOnce(t, c.objective, losstest.Point{F: c.F, TF: c.TF, C1: c.C1, C2: c.C2}, c.State)
			require.Len(t, reply.Results[i], len(got.Everyone))
			for j, want := range reply.Results[i] {
				if len(want.Dims) == 0 {
					want.Dims = got.Everyone[j].Dims // JSON has [] where Go has nil
				}
				graphtest.RequireClose(t, want, got.Everyone[j], 1e-10, "PyTorch")
			}
		})
	}
}
