package learn_test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
)

// ringOf returns the edges of a ring of n nodes that begins with node first.
func ringOf(first, n int) (edges [][2]int) {
	for i := range n {
		edges = append(edges, [2]int{first + i, first + (i+1)%n})
	}
	return edges
}

// cube returns the edges of a cube.
func cube(dimensions int) (edges [][2]int) {
	for i := range 1 << dimensions {
		for bit := range dimensions {
			if j := i ^ 1<<bit; j > i {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return edges
}

func diagonal(d ...float64) learn.Matrix { return learn.Matrix{A: mat.NewDiagDense(len(d), d)} }

// between returns the complete bipartite graph of m and n nodes.
func between(m, n int) learn.Graph {
	g := learn.Graph{Nodes: m + n}
	for i := range m * n {
		g.Edges = append(g.Edges, [2]int{i / n, m + i%n})
	}
	return g
}

// table is a joint law of m rows.
func table(m int, p ...float64) learn.Joint { return learn.Joint{P: mat.NewDense(m, len(p)/m, p)} }

// solved is a table with its largest eigenvalues or singular values.
type solved struct {
	op     learn.Operator
	exact  []float64 // the first values
	k      int
	advice string // part of the only sentence; empty: none
}

func solvedGraphs() map[string]solved {
	ring := func(j int) float64 { return math.Cos(math.Pi * float64(j) / 20) } // of a ring of 40 nodes
	weighted := func(nodes int, edges [][2]int, weights []float64) learn.Graph {
		return learn.Graph{Nodes: nodes, Edges: edges, Weights: weights}
	}
	magnitudes := make([]float64, 40)
	for i := range magnitudes {
		magnitudes[i] = math.Pow(10, float64(i%13-6))
	}
	heavy := append(slices.Repeat([]float64{1}, 40), 1e12)
	var triangles, torus [][2]int
	for i := range 12 {
		triangles = append(triangles, ringOf(3*i, 3)...)
	}
	for i := range 108 {
		torus = append(torus, [2]int{i, i/9*9 + (i+1)%9}, [2]int{i, (i + 9) % 108})
	}
	square, back := [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, [][2]int{{1, 0}, {2, 1}, {3, 2}, {0, 3}}
	both := slices.Concat(square, back)
	strips := normal(300, 2, 5) // five, without an edge between them, with nearly degenerate functions
	strips.Apply(func(i, j int, v float64) float64 { return []float64{3*v + 100*float64(i%5), v}[j] }, strips)
	apart := learn.Graph{Points: strips}
	const third = 1. / 3
	return map[string]solved{
		"weights over twelve orders": {weighted(40, ringOf(0, 40), magnitudes), []float64{1, 1, 1, 0.555932}, 4, ""},
		"rings joined by a heavy edge": {weighted(40, slices.Concat(ringOf(0, 20), ringOf(20, 20), [][2]int{{0, 20}}),
			heavy), []float64{1, ring(1), ring(1), ring(2)}, 4, ""},
		"weights of 1e200": {weighted(20, ringOf(0, 20), slices.Repeat([]float64{1e200}, 20)),
			[]float64{1, ring(2), ring(2)}, 3, ""},
		"weights of 1e308": {weighted(20, ringOf(0, 20), slices.Repeat([]float64{1e308}, 20)),
			[]float64{1, ring(2), ring(2)}, 3, ""},
		"components": {weighted(36, triangles, nil), []float64{1, 1, 1, 1, 1}, 5, "12 connected components"},
		"two rings": {weighted(50, slices.Concat(ringOf(0, 20), ringOf(20, 30)), nil),
			[]float64{1, 1, math.Cos(math.Pi / 15), math.Cos(math.Pi / 15), ring(2)}, 5, "2 connected components"},
		"strips":          {apart, walkValues(apart, 7), 7, "5 connected components"},
		"a pair cut by k": {weighted(20, ringOf(0, 20), nil), []float64{1, ring(2), ring(2), ring(4)}, 4, ""},
		"an eigenspace cut by k": {weighted(64, cube(6), nil),
			slices.Concat([]float64{1}, slices.Repeat([]float64{2 * third}, 6), []float64{third, third}), 9, ""},
		"torus": {weighted(108, torus, nil), []float64{1, 0.933013, 0.933013, 0.883022, 0.883022, 0.816035}, 6, ""},
		"Petersen": {petersen(), slices.Concat([]float64{1}, slices.Repeat([]float64{third}, 5),
			[]float64{-2 * third, -2 * third}), 8, ""},
		"bipartite":                {between(10, 10), []float64{1, 0, 0}, 3, ""},
		"star":                     {between(1, 30), []float64{1, 0, 0}, 3, ""},
		"all of a bipartite graph": {between(4, 4), []float64{1, 0, 0, 0, 0, 0, 0, -1}, 8, ""},
		"one edge listed twice":    {weighted(4, both[:5], nil), []float64{1, 1. / 6, -1. / 6}, 3, "both directions"},
		"all edges listed twice":   {weighted(4, both, nil), []float64{1, 0, 0}, 3, ""},
		"and a loop once": {weighted(4, append(slices.Clone(both), [2]int{0, 0}), nil), []float64{1, 0.109902, 0}, 3,
			"loops"},
		"other weights back": {weighted(3, [][2]int{{0, 1}, {1, 0}, {1, 2}, {2, 1}}, []float64{1, 2, 1, 1}),
			[]float64{1, 0, -1}, 3, "another weight"},
	}
}

func solvedMatrices() map[string]solved {
	falling := floats.LogSpan(make([]float64, 60), 1, math.Pow(10, -11.8))
	zeros := make([]float64, 57)
	return map[string]solved{
		"large numbers":    {diagonal(3e30, 2e30, 1e30, 0), []float64{3e30, 2e30, 1e30}, 3, ""},
		"small numbers":    {diagonal(3e-30, 2e-30, 1e-30, 0), []float64{3e-30, 2e-30, 1e-30}, 3, ""},
		"identity":         {diagonal(slices.Repeat([]float64{1}, 100)...), []float64{1, 1, 1}, 3, ""},
		"eight magnitudes": {diagonal(falling...), falling[:20], 20, ""},
		"rank 3":           {diagonal(append([]float64{30, 20, 10}, zeros...)...), []float64{30, 20, 10, 0, 0}, 5, ""},
		"negative":         {diagonal(floats.Span(make([]float64, 60), -1, -60)...), []float64{-1, -2, -3, -4}, 4, ""},
		"both signs":       {diagonal(1, 0.9, 0.8, 0.7, -10, -9), []float64{1, 0.9, 0.8, 0.7, -9, -10}, 6, ""},
		"zero":             {learn.Matrix{A: mat.NewDense(10, 10, nil)}, []float64{0, 0}, 2, ""},
		// Probabilities 0.8 onwards, 0.1 back and 0.1 to stay: the eigenvalues 0.1 + 0.8ω + 0.1ω̄ have the size 0.7.
		"driven cycle": {table(3, .1, .8, .1, .1, .1, .8, .8, .1, .1), []float64{1, 0.7, 0.7}, 3, ""},
		"blocks":       {table(3, 1, 0, 0, 0, 1, 2, 0, 2, 1), []float64{1, 1}, 2, "2 blocks"},
		"skewed table": {table(2, 1e6, 1, 1, 1e-3), []float64{1, 999 / (1_000_001 * 1.001)}, 2, ""},
	}
}

// TestTablesOfReports: most inputs are from public reports of other programs. With no settings, the values are right to
// 1e-5 of the largest and within their residuals and bounds, and the advice has one sentence, or none.
func TestTablesOfReports(t *testing.T) {
	all := solvedGraphs()
	maps.Copy(all, solvedMatrices())
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			learned := mustLearn(t, c.op, c.k, learn.Settings{})
			scale := cmp.Or(max(math.Abs(c.exact[0]), math.Abs(c.exact[len(c.exact)-1])), 1)
			for i, exact := range c.exact {
				off := math.Abs(exact - learned.Values[i])
				assert.LessOrEqual(t, off, 1e-5*scale, "value %d", i+1)
				assert.LessOrEqual(t, off, learned.Bounds[i]+1e-6*scale, "bound %d", i+1)
				assert.LessOrEqual(t, off, learned.Residuals[i]+1e-6*scale, "residual %d", i+1)
			}
			if advice := learned.Advice(); c.advice == "" {
				assert.Empty(t, advice)
			} else if assert.Len(t, advice, 1) {
				assert.Contains(t, advice[0], c.advice)
			}
		})
	}
}

// TestSlowStates: the timescale of two states that change with probability 1e-6, 5·10⁵ steps, needs the sixth digit of
// the value.
func TestSlowStates(t *testing.T) {
	const change = 1e-6
	states := learn.Graph{Nodes: 2, Edges: [][2]int{{0, 0}, {0, 1}, {1, 1}}, Weights: []float64{1 - change, change,
		1 - change}}
	learned := mustLearn(t, states, 2, learn.Settings{})
	times, _ := learned.Timescales(1)
	assert.InEpsilon(t, -1/math.Log(1-2*change), times[1], 0.1)
	assert.Empty(t, learned.Advice())
}

// TestTablesTrainUntilTheGaps: the eigenvalues of a path are cos(πj/(n−1)), with gaps of 5e-5, too small for one cycle.
func TestTablesTrainUntilTheGaps(t *testing.T) {
	path := learn.Graph{Nodes: 300, Edges: ringOf(0, 300)[:299]}
	learned := mustLearn(t, path, 4, learn.Settings{})
	for j, v := range learned.Values {
		assert.InDelta(t, math.Cos(math.Pi*float64(j)/299), v, 1e-6)
	}
	assert.Equal(t, 12_000, learned.Result.Step)
	assert.Equal(t, "converged after 12000 of at most 48000 steps", learned.Ended)
	assert.Empty(t, learned.Advice())
	assert.Empty(t, mustLearn(t, petersen(), 1, learn.Settings{Steps: 5}).Ended)
}

// TestArbitraryNorms: NeuralEF and SpIN do not determine norms, and SpIN no angles, so neither is reported, and the
// best run is the one with the largest values.
func TestArbitraryNorms(t *testing.T) {
	for _, objective := range []ommlx.Objective{ommlx.NeuralEF{}, ommlx.SpIN{},
		ommlx.Shifted{Objective: ommlx.NeuralEF{}, Kappa: 0.1}} {
		scaled := learn.Task{Functions: net.Table{States: 6, Out: 3, Scale: 3},
			Draw: func(in learn.Inputs, _ int) ommlx.Batch {
				f := in.F(nil)
				values := Reshape(ConstAs(f, []float64{1, 0.9, 0.7, 0.3, 0.2, 0.1}), 1, 6, 1)
				return ommlx.Batch{F: f, TF: Mul(f, BroadcastToShape(values, f.Shape()))}
			}}
		s := learn.Settings{Objective: objective, Rate: 0.3, Steps: 2_000, Options: pureGo(t)}
		learned, advice := advised(t, scaled, 3, s)
		assert.InDeltaSlice(t, []float64{1, 0.9, 0.7}, learned.Values, 1e-3)
		assert.Equal(t, "[]", advice, "norms %v, cosine %g", learned.Diagnosis.Norms, learned.Diagnosis.Cosine)
		s.Steps, s.Seeds = 3, []int64{1, 2, 3, 4, 5, 6}
		learned = mustLearn(t, scaled, 3, s)
		for _, run := range learned.Runs {
			assert.LessOrEqual(t, floats.Sum(run.Values), floats.Sum(learned.Values), objective.Name())
		}
	}
}
