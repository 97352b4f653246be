package learn_test

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/spectral"
)

// nearest joins each point to its nearest neighbours, and to all at the distance of the last one.
func nearest(points *mat.Dense, neighbours int) learn.Graph {
	n, _ := points.Dims()
	g := learn.Graph{Nodes: n}
	for i := range n {
		distances := make([]float64, n)
		for j := range n {
			distances[j] = floats.Distance(points.RawRowView(i), points.RawRowView(j), 2)
		}
		last := slices.Sorted(slices.Values(distances))[neighbours]
		for j, d := range distances {
			if edge := [2]int{min(i, j), max(i, j)}; i != j && d < last+1e-9 && !slices.Contains(g.Edges, edge) {
				g.Edges = append(g.Edges, edge)
			}
		}
	}
	return g
}

// TestGraphOfPoints: the edges are those of a search through all pairs, also among points of a small lattice, with
// copies, in whatever order the rows are and whatever the scale is. Points on a circle with two neighbours each are a
// ring. Too many copies are refused.
func TestGraphOfPoints(t *testing.T) {
	const n, neighbours = 120, 6
	lattice := mat.NewDense(n, 4, nil)
	rng := testkit.NewRand(1)
	lattice.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(3)) }, lattice)
	var backwards mat.Dense
	backwards.Apply(func(i, j int, _ float64) float64 { return 1e-200 * lattice.At(n-1-i, j) }, lattice)
	cloud := normal(n, 3, 1)
	for _, c := range []struct{ points, as *mat.Dense }{{lattice, lattice}, {&backwards, lattice}, {cloud, cloud}} {
		got := walkValues(learn.Graph{Points: c.points, Neighbours: neighbours}, 5)
		assert.InDeltaSlice(t, walkValues(nearest(c.as, neighbours), 5), got, 1e-9)
	}
	_, err := learn.Graph{Points: mat.NewDense(500, 1, nil), Neighbours: 2}.Define(nil, 2)
	assert.ErrorContains(t, err, "copies")

	circle := mat.NewDense(20, 2, nil)
	for i := range 20 {
		circle.SetRow(i, []float64{math.Cos(math.Pi * float64(i) / 10), math.Sin(math.Pi * float64(i) / 10)})
	}
	learned := mustLearn(t, learn.Graph{Points: circle, Neighbours: 2}, 3, learn.Settings{})
	assert.InDeltaSlice(t, []float64{1, math.Cos(math.Pi / 10), math.Cos(math.Pi / 10)}, learned.Values, 1e-5)
	for word, g := range map[string]learn.Graph{"Neighbours": {Points: circle, Neighbours: 20},
		"Points": {Points: circle, Edges: [][2]int{{0, 1}}}, "without Points": {Neighbours: 3},
		"at least 2": {Points: circle.Slice(0, 1, 0, 2)}} {
		requireOneLine(t, learnError(g, 1, learn.Settings{}), word)
	}
}

// TestKernelOfTheData: without K, the kernel is a Gaussian whose width is the median distance, in any unit.
func TestKernelOfTheData(t *testing.T) {
	x := normal(80, 2, 3)
	var distances []float64
	for i := range 80 {
		for j := range i {
			distances = append(distances, floats.Distance(x.RawRowView(i), x.RawRowView(j), 2))
		}
	}
	slices.Sort(distances)
	h := distances[len(distances)/2]
	truth := testkit.Must(spectral.SymEigen(gram(x, func(d float64) float64 { return math.Exp(-d * d / (2 * h * h)) })))
	for _, unit := range []float64{1, 1e-20, 1e20} {
		var scaled mat.Dense
		scaled.Scale(unit, x)
		values, _, err := learn.Kernel{Samples: &scaled}.Exact(testkit.PureGo(t), 3, &scaled)
		require.NoError(t, err)
		assert.InDeltaSlice(t, truth.Values[:3], values, 1e-6, "in units of %g", unit)
	}
}

// TestWeightedTask: by the doc of Task, states that are drawn evenly but have the weights ρ give the eigenvalues 1, a
// of P = aI + (1 − a)1ρᵀ, which is self-adjoint for ρ, and functions that are orthonormal for ρ.
func TestWeightedTask(t *testing.T) {
	const a = 0.6
	rho := []float64{0.5, 0.3, 0.2}
	walk := learn.Task{Functions: net.Table{States: 3, Out: 2, Scale: 0.3},
		Draw: func(in learn.Inputs, _ int) ommlx.Batch {
			f := in.F(nil)
			roots, law := OnesLike(f), OnesLike(f)
			roots = Mul(roots, BroadcastToShape(Reshape(Sqrt(MulScalar(ConstAs(f, rho), 3)), 1, 3, 1), f.Shape()))
			law = Mul(law, BroadcastToShape(Reshape(ConstAs(f, rho), 1, 3, 1), f.Shape()))
			mean := BroadcastToShape(ReduceAndKeep(Mul(law, f), ReduceSum, 1), f.Shape())
			moved := Add(MulScalar(f, a), MulScalar(mean, 1-a))
			return ommlx.Batch{F: Mul(roots, f), TF: Mul(roots, moved)}
		}}
	learned := mustLearn(t, walk, 2, learn.Settings{Steps: 1_500, Rate: 0.03, Options: pureGo(t)})
	assert.InDeltaSlice(t, []float64{1, a}, learned.Values, 1e-4)
	f := testkit.Must(learned.At(nil))
	var moments mat.Dense
	moments.Product(f.T(), mat.NewDiagDense(3, rho), f)
	assert.True(t, mat.EqualApprox(&moments, eye(2), 1e-3))
}
