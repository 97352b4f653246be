package testkit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/tensorx"
)

// Array is a row-major array of numbers, an input or output of a graph.
type Array struct {
	Dims []int     `json:"dims"`
	Data []float64 `json:"data"`
}

// NewArray returns an array of zeros.
func NewArray(dims ...int) Array {
	return Array{Dims: dims, Data: make([]float64, shapes.Make(dtypes.Float64, dims...).Size())}
}

// NewRand returns a generator with a fixed stream.
func NewRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20261121)) }

// Points returns n points uniform in [−a, a]^dim.
func Points(rng *rand.Rand, n, dim int, a float64) *mat.Dense {
	points := mat.NewDense(n, dim, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return a * (2*rng.Float64() - 1) }, points)
	return points
}

// Autoregressive returns frames of x' = ρx + √(1−ρ²)z in each coordinate, in equilibrium.
func Autoregressive(rng *rand.Rand, frames int, rho ...float64) *mat.Dense {
	x := mat.NewDense(frames, len(rho), nil)
	for j, r := range rho {
		v := rng.NormFloat64()
		for i := range frames {
			x.Set(i, j, v)
			v = r*v + math.Sqrt(1-r*r)*rng.NormFloat64()
		}
	}
	return x
}

// Gaussian returns an array of independent standard normal numbers.
func Gaussian(rng *rand.Rand, dims ...int) Array {
	a := NewArray(dims...)
	for i := range a.Data {
		a.Data[i] = rng.NormFloat64()
	}
	return a
}

// FromMatrix copies a matrix.
func FromMatrix(m mat.Matrix) Array {
	r, c := m.Dims()
	return Array{[]int{r, c}, mat.DenseCopyOf(m).RawMatrix().Data}
}

// FromTensor copies a tensor.
func FromTensor(x *tensors.Tensor) Array {
	return Array{Dims: slices.Clone(x.Shape().Dimensions), Data: tensorx.Numbers(x)}
}

// tensor returns the array in float64, sharing its numbers.
func (a Array) tensor() any { return tensors.FromFlatDataAndDimensions(a.Data, a.Dims...) }

// Matrix views a two-dimensional array, sharing its numbers.
func (a Array) Matrix() *mat.Dense { return mat.NewDense(a.Dims[0], a.Dims[1], a.Data) }

// Clone returns a copy.
func (a Array) Clone() Array { return Array{a.Dims, slices.Clone(a.Data)} }

// Scaled returns c times the array.
func (a Array) Scaled(c float64) Array {
	b := a.Clone()
	floats.Scale(c, b.Data)
	return b
}

// Run returns the part of run r of an array with a leading run axis, sharing its numbers.
func (a Array) Run(r int) Array {
	size := len(a.Data) / a.Dims[0]
	return Array{a.Dims[1:], a.Data[r*size : (r+1)*size]}
}

// Difference returns the largest difference of two arrays' entries relative to the largest entry wanted, at least 1e-3.
// It is NaN if an entry is.
func Difference(want, got Array) float64 {
	scale, largest := 1e-3, 0.0
	for i, v := range want.Data {
		scale = max(scale, math.Abs(v))
		largest = max(largest, math.Abs(v-got.Data[i])) // max keeps NaN
	}
	return largest / scale
}

// RequireClose requires equal shapes and a [Difference] of at most the tolerance.
func RequireClose(t testing.TB, want, got Array, tolerance float64, what string) {
	t.Helper()
	require.Equal(t, want.Dims, got.Dims, "%s: shape", what)
	require.LessOrEqual(t, Difference(want, got), tolerance, what)
}
