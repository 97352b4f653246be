package ommlx_test

import (
	"cmp"
	_ "embed"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

//go:embed testdata/parity.py
var parityProgram string

// parityCase is the input of testdata/parity.py: the settings of an objective and numbers to evaluate it on.
type parityCase struct {
	objective ommlx.Objective
	batchOf   testkit.Batching

	ID      string    `json:"id"`
	Nesting string    `json:"nesting"`
	Orders  []float64 `json:"orders"`
	Alpha   []float64 `json:"alpha"`
	Kappa   float64   `json:"kappa"`

	Graph       string  `json:"graph"`
	ErrorRate   float64 `json:"error_rate"`
	DualRate    float64 `json:"dual_rate"`
	MaxDual     float64 `json:"max_dual"`
	BarrierRate float64 `json:"barrier_rate"`
	MaxBarrier  float64 `json:"max_barrier"`
	Decay       float64 `json:"decay"`

	F     testkit.Array   `json:"f"`
	TF    testkit.Array   `json:"tf"`
	C1    testkit.Array   `json:"c1"`
	C2    testkit.Array   `json:"c2"`
	State []testkit.Array `json:"state"`
}

// describe returns the settings of an objective as text.
func describe(t *testing.T, o ommlx.Objective, k int) parityCase {
	c := parityCase{objective: o, batchOf: testkit.OneBatch}
	alpha := func(weights []float64, n ommlx.Nesting) []float64 {
		if weights != nil {
			return weights
		}
		each := 1.0
		if n == ommlx.Joint {
			each /= float64(k)
		}
		return slices.Repeat([]float64{each}, k)
	}
	switch o := o.(type) {
	case ommlx.OMM:
		c.ID, c.Nesting, c.Orders, c.Alpha = "omm", o.Nesting.String(), o.Orders, alpha(o.Weights, o.Nesting)
		if o.Orders == nil {
			c.Orders = []float64{1}
		}
	case ommlx.LoRA:
		c.ID, c.Nesting, c.Alpha = "lora", o.Nesting.String(), alpha(o.Weights, o.Nesting)
	case ommlx.Sanger:
		c.ID = "sanger"
	case ommlx.ALLO:
		c.ID = "allo"
		c.Graph = map[ommlx.ALLOGraph]string{ommlx.GraphSampled: "sampled", ommlx.GraphMoments: "moments",
			ommlx.GraphProducts: "products"}[o.Graph]
		c.ErrorRate, c.MaxBarrier = 0.1, 1e4
		c.DualRate, c.MaxDual = cmp.Or(o.DualRate, 1e-4), cmp.Or(o.MaxDual, 100)
		c.BarrierRate = cmp.Or(o.BarrierRate, 0.01)
	case ommlx.NeuralEF:
		c.ID = "neuralef"
	case ommlx.SpIN:
		c.ID, c.Decay = "spin", cmp.Or(o.Decay, 0.01)
	case ommlx.Shifted:
		c = describe(t, o.Objective, k)
		c.objective, c.Kappa = o, o.Kappa
	default:
		t.Fatalf("objective %s has no counterpart in testdata/parity.py", o.Name())
	}
	return c
}

// Loss, gradients and next state of every objective, also in its first step, agree with testdata/parity.py, an
// independent implementation of the equations.
func TestParityPyTorch(t *testing.T) {
	const batch, k = 40, 4
	rng := testkit.NewRand(91)
	var cases []parityCase
	add := func(c parityCase) {
		at := testkit.GaussianPoint(rng, batch, k)
		c.F, c.TF, c.C1, c.C2, c.State = at.F, at.TF, at.C1, at.C2, testkit.LateState(c.objective, 0, k)
		cases = append(cases, c)
		if len(c.State) > 0 {
			c.State = testkit.InitState(c.objective, 0, k)
			cases = append(cases, c)
		}
	}
	for _, o := range objectives() {
		add(describe(t, o, k))
	}
	for _, nesting := range []ommlx.Nesting{ommlx.NoNesting, ommlx.Joint, ommlx.Sequential} {
		for _, o := range []ommlx.Objective{ommlx.OMM{Nesting: nesting}, ommlx.LoRA{Nesting: nesting}} {
			const kappa = 0.7
			c := describe(t, ommlx.Shifted{Objective: o, Kappa: kappa}, k)
			c.ID, c.batchOf = c.ID+"_differences", testkit.Differences
			add(c)
		}
	}
	var reply struct {
		Torch   string            `json:"torch"`
		Results [][]testkit.Array `json:"results"`
	}
	testkit.AskPython(t, "torch, torchvision", parityProgram, map[string]any{"cases": cases}, &reply)
	require.Len(t, reply.Results, len(cases))
	t.Logf("PyTorch %s", reply.Torch)

	for i, c := range cases {
		name := c.objective.Name() + " as " + c.ID
		t.Run(name, func(t *testing.T) {
			got := testkit.EvaluateAt(t, testkit.Compile(t, testkit.OnBatch(c.objective, c.batchOf)),
				testkit.Point{F: c.F, TF: c.TF, C1: c.C1, C2: c.C2}, c.State)
			require.Len(t, reply.Results[i], len(got.All))
			for j, want := range reply.Results[i] {
				if len(want.Dims) == 0 {
					want.Dims = got.All[j].Dims // JSON has [] where Go has nil
				}
				testkit.RequireClose(t, want, got.All[j], 1e-10, "PyTorch")
			}
		})
	}
}
