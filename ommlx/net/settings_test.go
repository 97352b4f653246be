package net_test

import (
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/net"
)

func TestValidateNamesTheSetting(t *testing.T) {
	type validated interface{ Validate() error }
	fourier, table := net.Fourier{Dims: 2, Frequencies: 6, Scales: []float64{0.05, 0.3}}, net.Table{States: 5, Out: 5,
		Scale: 0.2}
	for _, n := range []validated{small, waves, fourier, table} {
		assert.NoError(t, n.Validate())
	}
	scaled := func(scales ...float64) net.Fourier {
		return net.Fourier{Dims: 2, Frequencies: 6, Scales: scales}
	}
	for word, all := range map[string][]validated{
		"In 0":      {net.MLP{Out: 1}, net.Disjoint{Hidden: []int{1}, Out: 1}},
		"Hidden [-": {net.MLP{In: 1, Hidden: []int{-3, 2}, Out: 1}, net.Disjoint{In: 2, Hidden: []int{-3}, Out: 1}},
		"Out 0":     {net.MLP{In: 1, Hidden: []int{1}}, net.Disjoint{In: 2}},
		"functions": {net.Table{States: 5, Scale: 1}, net.Table{States: 5, Out: 6, Scale: 1}},
		"scale": {scaled(), scaled(1, -1), scaled(math.NaN()), net.Table{States: 5, Out: 2},
			net.Table{States: 5, Out: 2, Scale: -1}, net.Table{States: 5, Out: 2, Scale: math.Inf(1)}},
		"frequencies": {net.Fourier{Dims: 2, Scales: []float64{1}}},
	} {
		for _, n := range all {
			assert.ErrorContains(t, n.Validate(), word)
		}
	}
}

func TestRunDependsOnlyOnItsSeed(t *testing.T) {
	fourier := net.Fourier{Dims: 2, Frequencies: 6, Scales: []float64{0.05, 0.3}}
	for name, begin := range map[string]func(seeds []int64) []*tensors.Tensor{
		"MLP": small.Init, "Disjoint": waves.Init, "Table": net.Table{States: 5, Out: 3, Scale: 0.2}.Init,
		"Fourier": func(seeds []int64) []*tensors.Tensor { return []*tensors.Tensor{fourier.Init(seeds)} },
	} {
		a, b := begin([]int64{3, 4, 5}), begin([]int64{4, 3})
		for i := range a {
			x, y := tensorx.Numbers(a[i]), tensorx.Numbers(b[i])
			n := len(y) / 2
			assert.Equal(t, x[:n], y[n:], "%s, seed 3", name)
			assert.Equal(t, x[n:2*n], y[:n], "%s, seed 4", name)
			if i%2 == 0 { // weights
				assert.NotEqual(t, x[:n], x[n:2*n], name)
			}
		}
	}
}
