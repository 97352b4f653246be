package learn

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// moved samples around (30, −30).
type moved struct{ schrodinger.Gaussian }

func (m moved) Sample(random *train.Random, dtype dtypes.DType, batch int) *graph.Node {
	x := m.Gaussian.Sample(random, dtype, batch)
	return graph.Add(x, graph.BroadcastToShape(graph.ConstAs(x, [][][]float64{{{30, -30}}}), x.Shape()))
}

// TestMovedSamples: frequencies depend on the width of the samples only. Narrow samples around (30, −30) have few
// different coordinates in float32.
func TestMovedSamples(t *testing.T) {
	flat := func(x *graph.Node) *graph.Node {
		return graph.Neg(graph.OnesLike(graph.SliceAxis(x, -1, graph.AxisElem(0))))
	}
	frequencies := func(s schrodinger.Sampler) ([]float64, error) {
		task, err := Schrodinger{Sampler: s, Potential: flat}.Define(testkit.PureGo(t), 2)
		if err != nil {
			return nil, err
		}
		return task.Functions.(wavefunctions).Waves.(net.FourierDisjoint).Frequencies, nil
	}
	round := schrodinger.Gaussian{Dim: 2, Sigma: 2}
	require.InEpsilonSlice(t, testkit.Must(frequencies(round)), testkit.Must(frequencies(moved{round})), 1e-3)
	_, err := frequencies(moved{schrodinger.Gaussian{Dim: 2, Sigma: 2e-6}})
	require.ErrorContains(t, err, "float32")
}

// TestDefaultShift makes the leading eigenvalues of a matrix and of a kernel positive. If the Lanczos method does not
// find those that decide on it, it makes every eigenvalue positive.
func TestDefaultShift(t *testing.T) {
	d := make([]float64, 900)
	for i := range d {
		d[i] = 0.5 - float64(i)/600 // of both signs, in [−1, 0.5]: half of the k leading ones are negative
	}
	task := testkit.Must(Matrix{A: mat.NewDiagDense(len(d), d)}.Define(testkit.PureGo(t), 600))
	require.GreaterOrEqual(t, task.defaults.Shift, 0.98)
	bell := Kernel{Samples: mat.NewDense(2, 1, []float64{0, 1}), Functions: table(2, 1), // with the values ±exp(−1)
		K: func(x, y *graph.Node) *graph.Node {
			return graph.Exp(graph.Neg(graph.ReduceSum(graph.Square(graph.Sub(x, y)), -1)))
		}}
	for k, positive := range map[int]bool{1: false, 2: true} {
		shift := testkit.Must(bell.Define(testkit.PureGo(t), k)).defaults.Shift
		require.Equal(t, positive, shift > 0, "%d functions", k)
	}
}

// TestRounding: a matrix is not symmetric if entries differ by more than the rounding of long sums, where entries that
// are listed twice are added. A kernel has no eigenvalues but noise if it is less than float32 rounding for distinct
// samples.
func TestRounding(t *testing.T) {
	for name, c := range map[string]struct {
		op   Operator
		word string // of the entries that differ
	}{
		"rounded":     {Matrix{A: mat.NewDense(2, 2, []float64{1, 0.5, 0.5 + 0.8e-4, 1})}, ""},
		"not rounded": {Matrix{A: mat.NewDense(2, 2, []float64{1, 0.5, 0.5 + 1.2e-4, 1})}, "entry (0, 1)"},
		"rounded, sparse": {Sparse{N: 2, Rows: []int{0, 0, 1}, Columns: []int{0, 1, 0}, Values: []float64{2, 1,
			1 + 1e-7}}, ""},
		"listed twice": {Sparse{N: 3, Rows: []int{0, 1, 0, 2, 0, 0}, Columns: []int{0, 0, 1, 2, 1, 0},
			Values: []float64{1, 1, 0.25, 0.3, 0.75, 1}}, ""},
		"nothing listed twice": {Sparse{N: 3, Rows: []int{0, 1, 2, 1}, Columns: []int{0, 2, 2, 2},
			Values: []float64{1, 1, 0.5, -1}}, ""},
		"listed once": {Sparse{N: 3, Rows: []int{0, 1, 2}, Columns: []int{0, 1, 1}, Values: []float64{1, 0.5, 0.4}},
			"entry (1, 2)"},
	} {
		word := testkit.Must(c.op.Define(nil, 1)).notSymmetric
		require.Contains(t, word, c.word, name)
		require.Equal(t, c.word == "", word == "", name)
	}
	for value, refused := range map[float64]bool{0.8e-6: true, 1.2e-6: false} { // of samples at a distance of 1
		k := Kernel{Samples: mat.NewDense(2, 1, []float64{0, 1}), K: func(x, y *graph.Node) *graph.Node {
			return graph.Exp(graph.MulScalar(graph.ReduceSum(graph.Square(graph.Sub(x, y)), -1), math.Log(value)))
		}}
		_, err := k.Define(testkit.PureGo(t), 1)
		require.Equal(t, refused, err != nil, "%g", value)
	}
}

// TestEngine: without a chosen engine, small tables run on pure Go. Larger tables, other functions and trainings with
// checkpoints do not.
func TestEngine(t *testing.T) {
	open, pureGo := testkit.Backend(t).Name(), testkit.PureGo(t).Name()
	ring := func(n int) Graph { // with 3n numbers per function
		g := Graph{Nodes: n}
		for i := range n {
			g.Edges = append(g.Edges, [2]int{i, (i + 1) % n})
		}
		return g
	}
	dense := Matrix{A: mat.NewDiagDense(400, slices.Repeat([]float64{1}, 400))} // counts as 1,200 per function
	for _, c := range []struct {
		op     Operator
		s      Settings
		chosen string
		engine string
	}{
		{ring(1_000), Settings{Steps: 1_650}, "", pureGo},
		{ring(1_000), Settings{Steps: 1_700}, "", open},
		{ring(1_000), Settings{Steps: 850, Seeds: []int64{1, 2}}, "", open},
		{ring(138), Settings{}, "", pureGo}, // 12,000 steps
		{ring(140), Settings{}, "", open},
		{dense, Settings{Steps: 4_100}, "", pureGo},
		{dense, Settings{Steps: 4_200}, "", open},
		{ring(5), Settings{Options: train.Options{Dir: "somewhere"}}, "", open},
		{ring(5), Settings{}, "xla", open},
	} {
		t.Setenv("GOMLX_BACKEND", c.chosen)
		require.Equal(t, c.engine, testkit.Must(prepare(c.op, 2, c.s)).Engine, "%v", c.s)
	}
}
