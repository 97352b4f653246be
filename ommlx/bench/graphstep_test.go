package bench

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/operator"
	graphs "operator-omm/ommlx/sparse"
	"operator-omm/ommlx/train"
)

func TestTheStepOnAGraphIsMeasured(t *testing.T) {
	out := report(t, engine(t), "graph", 0.1)
	assert.Regexp(t, `(?m)^step +\d.*PyTorch eager +no-such-interpreter cannot be run`, out)
	assert.Regexp(t, `(?m)^nodes 200 +\d`, out)
	assert.Regexp(t, `(?m)^the step grows as nodes\^-?\d+\.\d+ `, out)
}

// TestPyTorchTakesTheSameStepOnAGraph: loss and gradients in float64, and the step of LARS that follows, are those of
// our own step, in float32 and on the edges that its generator draws.
func TestPyTorchTakesTheSameStepOnAGraph(t *testing.T) {
	python := os.Getenv("OMM_PYTHON")
	if python == "" {
		t.Skip("OMM_PYTHON names no interpreter with PyTorch to compare with")
	}
	g := graphStep{Nodes: 200, Degree: 8, Features: 6, Batch: 64, Width: 8, Layers: 5, Hidden: 10, Out: 4, Rate: 0.3}
	a, features := g.uniform(), cosines[float32](200*6)
	edges, err := operator.NewEdgeTable(a)
	require.NoError(t, err)
	p := g.problem(edges, features)
	g.Check = &givenGraph{Params: graphtest.Numbers(p.Params), Entries: firstEntries(t, g, a)}
	for _, x := range features {
		g.Check.Features = append(g.Check.Features, float64(x))
	}
	for i := range a.Nodes() {
		for _, j := range a.Row(i) {
			g.Check.Rows, g.Check.Columns = append(g.Check.Rows, i), append(g.Check.Columns, int(j))
		}
	}
	f := script(context.Background(), python, "PyTorch", torchGraph)
	defer f.stop()
	var answer struct {
		step
		Moved [][]float64
	}
	err = f.tell(question{Graph: &g}, &answer)
	if errors.Is(err, errNotInstalled) {
		t.Skipf("%s, which OMM_PYTHON names, has no PyTorch", python)
	}
	require.NoError(t, err)
	first, biases := firstStep(t, p), 0
	require.InEpsilon(t, answer.Loss, first.Loss, 1e-5)
	result, err := train.Run(context.Background(), p, train.Config{Steps: 1, Optimiser: g.lars()},
		train.Options{Backend: engine(t)})
	require.NoError(t, err)
	for i, after := range graphtest.Numbers(result.Params) {
		moved := floats.SubTo(make([]float64, len(after)), g.Check.Params[i], after)
		size := floats.Norm(answer.Gradients[i], 2)
		if size < 1e-10 { // a bias that the normalisation after it takes away
			biases++
			require.Less(t, floats.Norm(first.Gradients[i], 2), 1e-5)
			continue
		}
		require.Less(t, floats.Distance(answer.Gradients[i], first.Gradients[i], 2)/size, 1e-3, "parameter %d", i)
		require.Less(t, floats.Distance(answer.Moved[i], moved, 2)/floats.Norm(answer.Moved[i], 2), 1e-3,
			"parameter %d by LARS", i)
	}
	require.Equal(t, 1, biases)
}

// firstEntries are the edges that a training of g sees first, as places in the list of neighbours.
func firstEntries(t *testing.T, g graphStep, a graphs.Adjacency) (entries []int) {
	t.Helper()
	state, err := RNGStateFromSeed(1)
	require.NoError(t, err)
	for _, u := range graphtest.Evaluate(t, func(in []*Node) []*Node {
		_, u := RandomUniform(in[0], shapes.Make(dtypes.Float64, g.Batch))
		return []*Node{u}
	}, state)[0] {
		entries = append(entries, int(u*float64(len(a.Neighbours))))
	}
	return entries
}
