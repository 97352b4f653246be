package bench

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/artifact/graphs"
	"omm-go/ommlx/artifact/pde"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/train"
)

type step struct {
	Loss      float64
	Gradients [][]float64
}

// firstStep takes one step of Adam with ε and the learning rate equal and large, which is plain gradient descent at
// rate 1.
func firstStep(t *testing.T, p train.Problem) (s step) {
	t.Helper()
	before := xslices.Map(p.Params, tensorx.Numbers)
	descent := train.Config{Steps: 1, Optimiser: optim.Adam{LearningRate: 1e9, Epsilon: 1e9}}
	result := testkit.Must(train.Run(t.Context(), p, descent, train.Options{Backend: testkit.Backend(t)}))
	s.Loss = result.History[0].Loss[0]
	for i, after := range xslices.Map(result.Params, tensorx.Numbers) {
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

// In float64 the loss and gradients of all of PyTorch's ways equal each other's and, on the points that our generator
// draws, ours in float32.
func TestParityOfTheStepOnHydrogen(t *testing.T) {
	for _, method := range []string{"sanger", "lora_seq"} {
		set := hydrogenExperiment(method, true)
		p := testkit.Must(set.Problem())
		rng := rand.New(rand.NewPCG(3, 4))
		for i := 1; i < len(p.Params); i += 2 { // biases, zero at first
			b := make([]float32, p.Params[i].Size())
			for j := range b {
				b[j] = float32(rng.NormFloat64())
			}
			p.Params[i] = tensors.FromFlatDataAndDimensions(b, p.Params[i].Shape().Dimensions...)
		}
		w := struct {
			pde.Experiment
			Check map[string]any `json:"check"` // the point of evaluation
		}{set, map[string]any{"params": xslices.Map(p.Params, tensorx.Numbers),
			"frequencies": tensorx.Numbers(p.Data[0]), "points": points(t, set)}}
		var answer struct{ Answers map[string]step }
		testkit.AskPython(t, "torch", serve+torchHydrogen, map[string]any{"steps": 1, "of": w}, &answer)
		exact := answer.Answers["forward"]
		requireClose(t, firstStep(t, p), exact, 1e-4, method+", ours and PyTorch's")
		require.Len(t, answer.Answers, 3)
		for way, tolerance := range map[string]float64{"autograd": 1e-10, "differences": 1e-3} {
			requireClose(t, exact, answer.Answers[way], tolerance, method+", "+way)
		}
	}
}

// points returns the first points that a training of set draws, B×2.
func points(t *testing.T, set pde.Experiment) []float64 {
	t.Helper()
	require.Equal(t, int64(1), set.Seeds[0])
	return testkit.CompileFor(t, testkit.Backend(t), func(in []*Node) []*Node {
		_, x := RandomNormal(in[0], shapes.Make(dtypes.Float32, set.Batch, 2))
		return []*Node{MulScalar(x, set.Sigma)}
	}).Numbers(t, testkit.Must(RNGStateFromSeed(1)))[0]
}

// SciPy gets the same graph: its eigenvalues equal ours, with one for each class.
func TestParityOfTheGraphWithSciPy(t *testing.T) {
	a := graphs.Generate(graphs.Generation{Nodes: 2_000, Degree: 50, Classes: 47, Features: 1})
	e := eigenproblem{t.TempDir(), a.Classes, 1e-10}
	require.NoError(t, saveArrays(e.Graph, a.Adjacency))
	ours := testkit.Must(e.solve(t.Context(), a.Adjacency))
	assert.Greater(t, ours.Values[a.Classes-1], 0.3)
	var answer struct {
		Eigenvalues []float64
		Residual    float64
	}
	testkit.AskPython(t, "scipy", serve+scipyGraph, map[string]any{"steps": 1, "of": e}, &answer)
	assert.Less(t, floats.Distance(ours.Values, answer.Eigenvalues, math.Inf(1)), 1e-9)
	assert.Less(t, answer.Residual, 1e-8)
}
