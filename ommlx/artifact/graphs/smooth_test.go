package graphs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
)

// dense returns a matrix, column by column, from its products with unit vectors.
func dense(m Normalised) *mat.Dense {
	apply := func(dst, src []float64) { Multiply(m, dst, src, 1) }
	return linalg.Images(apply, linalg.IdentityMatrix(m.Nodes()))
}

// step is α M x + (1 − α) x_0.
func step(m, x, start mat.Matrix, alpha float64) *mat.Dense {
	return linalg.Sum(linalg.Scaled(alpha, linalg.Product(m, x)), linalg.Scaled(1-alpha, start))
}

// The references compute the equations with dense matrices in float64.
func TestSmoothingAndPropagationAgainstDenseMatrices(t *testing.T) {
	const n, classes = 40, 3
	rng := rand.New(rand.NewPCG(5, 6))
	ends := make([]uint32, 240)
	for i := range ends {
		ends[i] = rng.Uint32N(n - 1) // the last node has no edge
	}
	a := FromEdges(n, ends)
	symmetric, walk := dense(a.Symmetric()), dense(a.Walk())
	labels, known, hot := make([]int, n), []int{}, mat.NewDense(n, classes, nil)
	z, start := mat.NewDense(n, classes, nil), mat.NewDense(n, classes, nil)
	flat := make([]float32, n*classes)
	for i := range n {
		for c := range classes {
			flat[i*classes+c] = rng.Float32()
			z.Set(i, c, float64(flat[i*classes+c]))
		}
		if labels[i] = rng.IntN(classes); i%3 == 0 {
			known = append(known, i)
			hot.Set(i, labels[i], 1)
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
	input := slices.Clone(flat)
	for i, x := range CorrectAndSmooth(a, flat, classes, labels, known) {
		require.InDelta(t, smoothed.RawMatrix().Data[i], x, 1e-4)
	}
	require.Equal(t, input, flat, "the input is not changed")

	propagated := hot
	for range 50 {
		propagated = step(symmetric, propagated, hot, 0.9)
	}
	for i, x := range PropagateLabels(a, classes, labels, known) {
		require.InDelta(t, propagated.RawMatrix().Data[i], x, 1e-5)
	}
}
