package net

import (
	"fmt"
	"math"
	"math/rand/v2"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/jet"
)

// Fourier is a set of random Fourier features of one or more scales (Tancik et al. 2020; paper, Section C.2):
//
//	φ(x) = (sin ω_1·x, …, sin ω_F·x, cos ω_1·x, …, cos ω_F·x),   ω_j ~ N(0, (2π s_j)² I).
//
// The F frequencies are divided evenly among the scales s_j. The code that the paper builds on uses F = 1,024 and the
// single scale 0.1 for hydrogen, and F = 256 and 1 for the oscillator (Ryu et al. 2024, scripts/exps/pde).
type Fourier struct {
	Dims        int       // D, the dimension of x
	Frequencies int       // F
	Scales      []float64 // in units of 1/x
}

// Validate returns an error that names an invalid field.
func (f Fourier) Validate() error {
	if f.Dims < 1 || f.Frequencies < 1 {
		return fmt.Errorf("fourier features: got %d frequencies of dimension %d, want at least 1 of each",
			f.Frequencies, f.Dims)
	}
	if len(f.Scales) == 0 || len(f.Scales) > f.Frequencies {
		return fmt.Errorf("fourier features: got %d scales, want 1 to %d, the number of frequencies",
			len(f.Scales), f.Frequencies)
	}
	for i, s := range f.Scales {
		if !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("fourier features: scale %d is %g, want positive and finite", i, s)
		}
	}
	return nil
}

// Features returns the number of features, 2F.
func (f Fourier) Features() int { return 2 * f.Frequencies }

// Init draws the frequencies of len(seeds) runs, [R, F, D] float32. They are not trained. Run r depends only on
// seeds[r].
func (f Fourier) Init(seeds []int64) *tensors.Tensor {
	var flat []float32
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 0xf0))
		for j := range f.Frequencies {
			scale := 2 * math.Pi * f.Scales[j*len(f.Scales)/f.Frequencies]
			for range f.Dims {
				flat = append(flat, float32(scale*rng.NormFloat64()))
			}
		}
	}
	return tensors.FromFlatDataAndDimensions(flat, len(seeds), f.Frequencies, f.Dims)
}

// Apply returns φ with its gradient and Laplacian, [R, B, 2F]: frequencies from [Fourier.Init], coordinates x [B, D] or
// [R, B, D] (jet.Inputs). It panics if shapes do not fit.
func (f Fourier) Apply(frequencies *Node, x jet.Jet) jet.Jet {
	requireParams("Fourier", []*Node{frequencies}, []tensorx.Weight{{Shape: []int{f.Frequencies, f.Dims}}})
	requireInputs("Fourier", f.Dims, frequencies.Shape().Dim(0), 0, x.Value)
	return jet.SinCos(jet.Dense(x, frequencies, nil))
}
