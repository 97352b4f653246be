package graphs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
)

// guesses returns the class of each node's largest prediction.
func guesses(z []float32, classes int) (all []int) {
	for row := range slices.Chunk(z, classes) {
		all = append(all, slices.Index(row, slices.Max(row)))
	}
	return all
}

// twoTriangles is two triangles with one edge between them: one known node settles the labels of its triangle.
var twoTriangles = FromEdges(6, []uint32{0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3, 2, 3})

func TestKnownLabelsSpread(t *testing.T) {
	labels := []int{0, 0, 0, 1, 1, 1}
	z := PropagateLabels(twoTriangles, 2, labels, []int{0, 5})
	require.Equal(t, labels, guesses(z, 2))
	wrong := []float32{0.4, 0.6, 0.4, 0.6, 0.4, 0.6, 0.6, 0.4, 0.6, 0.4, 0.6, 0.4}
	z = CorrectAndSmooth(twoTriangles, wrong, 2, labels, []int{0, 5})
	require.Equal(t, labels, guesses(z, 2))
	require.InDelta(t, 0.4, wrong[0], 1e-7, "the input is not changed")
}

// The prediction is multiplied by 1 − β.
func TestIsolatedNodeKeepsItsPrediction(t *testing.T) {
	a := FromEdges(3, []uint32{0, 1})
	z := CorrectAndSmooth(a, []float32{1, 0, 0, 1, 0.2, 0.8}, 2, []int{0, 0, 0}, []int{0})
	require.InDeltaSlice(t, []float32{0.05, 0.2}, z[4:], 1e-6)
}

// step is α M x + (1 − α) x_0.
func step(m, x, start mat.Matrix, alpha float64) *mat.Dense {
	return linalg.Sum(linalg.Scaled(alpha, linalg.Product(m, x)), linalg.Scaled(1-alpha, start))
}

func TestPropagationAgainstDenseMatrices(t *testing.T) {
	labels, known := []int{0, 0, 0, 1, 1, 1}, mat.NewDense(6, 2, nil)
	known.Set(0, 0, 1)
	known.Set(5, 1, 1)
	f := known
	for range 50 {
		f = step(dense(twoTriangles.Symmetric()), f, known, 0.9)
	}
	for i, x := range PropagateLabels(twoTriangles, 2, labels, []int{0, 5}) {
		require.InDelta(t, f.RawMatrix().Data[i], x, 1e-5)
	}
}

// The reference computes the equations with dense matrices in float64.
func TestSmoothingAgainstDenseMatrices(t *testing.T) {
	const n, classes = 40, 3
	rng := rand.New(rand.NewPCG(5, 6))
	ends := make([]uint32, 240)
	for i := range ends {
		ends[i] = rng.Uint32N(n - 1) // the last node has no edge
	}
	a := FromEdges(n, ends)
	symmetric, walk := dense(a.Symmetric()), dense(a.Walk())
	labels, known := make([]int, n), []int{}
	z, start := mat.NewDense(n, classes, nil), mat.NewDense(n, classes, nil)
	flat := make([]float32, n*classes)
	for i := range n {
		for c := range classes {
			flat[i*classes+c] = rng.Float32()
			z.Set(i, c, float64(flat[i*classes+c]))
		}
		if labels[i] = rng.IntN(classes); i%3 == 0 {
			known = append(known, i)
			start.RowView(i).(*mat.VecDense).ScaleVec(-1, z.RowView(i))
			start.Set(i, labels[i], 1+start.At(i, labels[i]))
		}
	}

	e := mat.DenseCopyOf(start)
	for range 40 {
		e = step(symmetric, e, start, 1.1)
		for _, i := range known {
			e.SetRow(i, start.RawRowView(i))
		}
	}
	e.Scale(3, e)
	z.Add(z, e)
	for _, i := range known {
		z.SetRow(i, make([]float64, classes))
		z.Set(i, labels[i], 1)
	}
	smoothed := mat.DenseCopyOf(z)
	for range 25 {
		smoothed = step(walk, smoothed, z, 0.75)
		smoothed.Apply(func(_, _ int, x float64) float64 { return min(max(x, 0), 1) }, smoothed)
	}
	for i, x := range CorrectAndSmooth(a, flat, classes, labels, known) {
		require.InDelta(t, smoothed.RawMatrix().Data[i], x, 1e-4)
	}
}
