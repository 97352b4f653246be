package net

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// weight is one parameter, or one running statistic, of a network: its shape without the axis of runs, and how its
// entries start.
type weight struct {
	shape []int
	start func(*rand.Rand) float64
}

func constant(c float64) func(*rand.Rand) float64 { return func(*rand.Rand) float64 { return c } }

func normal(std float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return std * rng.NormFloat64() }
}

func uniform(bound float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return bound * (2*rng.Float64() - 1) }
}

// draw returns the first values of weights for len(seeds) runs, each [R, shape…] in float32. Run r depends on seeds[r]
// alone, and on stream, which is another one for each type of network.
func draw(weights []weight, seeds []int64, stream uint64) []*tensors.Tensor {
	flat := make([][]float32, len(weights))
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), stream))
		for i, w := range weights {
			for range shapes.Make(dtypes.Float32, w.shape...).Size() {
				flat[i] = append(flat[i], float32(w.start(rng)))
			}
		}
	}
	all := make([]*tensors.Tensor, len(weights))
	for i, w := range weights {
		all[i] = tensors.FromFlatDataAndDimensions(flat[i], append([]int{len(seeds)}, w.shape...)...)
	}
	return all
}

func shapesOf(weights []weight) [][]int {
	list := make([][]int, len(weights))
	for i, w := range weights {
		list[i] = w.shape
	}
	return list
}

// convolution is a k×k kernel as torchvision's networks start it: normal with variance 2/(k²·out), He et al. (2015) for
// the backward pass.
func convolution(k, in, out int) weight {
	return weight{[]int{k, k, in, out}, normal(math.Sqrt(2 / float64(k*k*out)))}
}

// dense is the matrix and the bias of a linear layer as PyTorch starts them: uniform in ±1/√in.
func dense(in, out int) []weight {
	bound := uniform(1 / math.Sqrt(float64(in)))
	return []weight{{[]int{out, in}, bound}, {[]int{out}, bound}}
}

// normWeights are γ and β of a batch normalisation of width channels, normStatistics its running mean and variance.
func normWeights(width int) []weight {
	return []weight{{[]int{width}, constant(1)}, {[]int{width}, constant(0)}}
}

func normStatistics(width int) []weight {
	return []weight{{[]int{width}, constant(0)}, {[]int{width}, constant(1)}}
}
