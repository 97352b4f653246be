package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx/artifact/pde"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// smallHydrogen is the paper's experiment on networks that a test can afford.
func smallHydrogen(method string) pde.Experiment {
	set := paperHydrogen(method)
	set.K, set.Frequencies, set.Hidden, set.Batch = 3, 5, []int{7, 6}, 64
	return set
}

// step is the loss of a problem's first step and its gradients.
type step struct {
	Loss      float64
	Gradients [][]float64
}

// firstStep takes one step of Adam, which is one of plain gradient descent at the rate 1 when ε and the learning rate
// are equal and large.
func firstStep(t *testing.T, p train.Problem) (s step) {
	t.Helper()
	e := engine(t)
	before := graphtest.Numbers(p.Params)
	adam := optim.Adam{LearningRate: 1e9, Epsilon: 1e9}
	result, err := train.Run(context.Background(), p, train.Config{Steps: 1, Optimiser: adam},
		train.Options{Backend: e})
	require.NoError(t, err)
	s.Loss = result.History[0].Loss[0]
	for i, after := range graphtest.Numbers(result.Params) {
		s.Gradients = append(s.Gradients, floats.SubTo(make([]float64, len(after)), before[i], after))
	}
	return s
}

// requireClose compares two steps; tolerance is relative to the loss, and to the norm of each parameter's gradient.
func requireClose(t *testing.T, want, got step, tolerance float64, about string) {
	t.Helper()
	require.InEpsilon(t, want.Loss, got.Loss, tolerance, about)
	require.Len(t, got.Gradients, len(want.Gradients), about)
	for i, w := range want.Gradients {
		norm := floats.Norm(w, 2)
		require.Positive(t, norm, about)
		require.LessOrEqual(t, floats.Distance(w, got.Gradients[i], 2)/norm, tolerance, "%s, parameter %d", about, i)
	}
}

// TestPyTorchTakesTheSameStep: loss and gradients of all of PyTorch's ways, in float64, are those of our own step, in
// float32 and on the points that its generator draws, and of each other.
func TestPyTorchTakesTheSameStep(t *testing.T) {
	python := os.Getenv("OMM_PYTHON")
	if python == "" {
		t.Skip("OMM_PYTHON names no Python; set it to one that has PyTorch to compare with it")
	}
	f := script(context.Background(), python, "PyTorch", torchHydrogen)
	defer f.stop()
	for _, method := range []string{"sanger", "lora_seq"} {
		set := smallHydrogen(method)
		p, err := set.Problem()
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(3, 4))
		for i := 1; i < len(p.Params); i += 2 { // biases, zero at first
			b := make([]float32, p.Params[i].Size())
			for j := range b {
				b[j] = float32(rng.NormFloat64())
			}
			p.Params[i] = tensors.FromFlatDataAndDimensions(b, p.Params[i].Shape().Dimensions...)
		}
		w := waveOf(set, "")
		w.Check = &given{Params: graphtest.Numbers(p.Params), Frequencies: graphtest.Flat(p.Data[0]),
			Points: firstPoints(t, set)}
		var answer struct{ Answers map[string]step }
		err = f.tell(question{Wave: w}, &answer)
		if errors.Is(err, errNotInstalled) {
			t.Skipf("%s, which OMM_PYTHON names, has no PyTorch", python)
		}
		require.NoError(t, err)
		exact := answer.Answers["forward"]
		requireClose(t, firstStep(t, p), exact, 1e-4, method+", ours and PyTorch's")
		require.Len(t, answer.Answers, 4)
		for way, tolerance := range map[string]float64{"autograd": 1e-10, "hessian": 1e-10, "differences": 1e-3} {
			requireClose(t, exact, answer.Answers[way], tolerance, method+", "+way)
		}
	}
}

// firstPoints are those that a training of set sees first, B×2.
func firstPoints(t *testing.T, set pde.Experiment) []float64 {
	t.Helper()
	state, err := RNGStateFromSeed(set.Seeds[0])
	require.NoError(t, err)
	return graphtest.Evaluate(t, func(in []*Node) []*Node {
		_, x := RandomNormal(in[0], shapes.Make(dtypes.Float32, set.Batch, 2))
		return []*Node{MulScalar(x, set.Sigma)}
	}, state)[0]
}

// TestNestedReverseTakesTheSameStep: what the step is compared with in GoMLX is the same step.
func TestNestedReverseTakesTheSameStep(t *testing.T) {
	set := smallHydrogen("lora_seq")
	ours, err := set.Problem()
	require.NoError(t, err)
	nested, err := nestedReverse(set)
	require.NoError(t, err)
	requireClose(t, firstStep(t, ours), firstStep(t, nested), 1e-4, "nested reverse")
}

// TestExponent: cost ∝ size², from medians that a slow round does not move.
func TestExponent(t *testing.T) {
	laps := [][]lap{{{wall: 10}, {wall: 11}, {wall: 90}}, {{wall: 44}, {wall: 44}, {wall: 44}},
		{{wall: 176}, {wall: 170}, {wall: 180}}}
	costs := medians(laps, func(l lap) time.Duration { return l.wall * time.Second })
	assert.Equal(t, []float64{11, 44, 176}, costs)
	assert.InDelta(t, 2, exponent([]int{4, 8, 16}, costs), 1e-12)
}
