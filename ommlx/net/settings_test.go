package net_test

import (
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
)

func TestSettingsThatDoNotFit(t *testing.T) {
	type validated interface{ Validate() error }
	for word, n := range map[string]validated{
		"MLP: layer 0 has width 0":               net.MLP{Out: 1},
		"MLP: layer 1 has width -3":              net.MLP{In: 1, Hidden: []int{-3, 2}, Out: 1},
		"MLP: layer 2 has width 0":               net.MLP{In: 1, Hidden: []int{1}},
		"there are 0 of them":                    net.Disjoint{In: 2},
		"networks: layer 1 has width -3":         net.Disjoint{In: 2, Hidden: []int{-3}, Out: 1},
		"0 frequencies":                          net.Fourier{Dims: 2, Scales: []float64{1}},
		"0 scales for 8":                         net.Fourier{Dims: 2, Frequencies: 8},
		"scale 1 is -1; it must":                 net.Fourier{Dims: 2, Frequencies: 8, Scales: []float64{1, -1}},
		"scale 0 is NaN; it must":                net.Fourier{Dims: 2, Frequencies: 8, Scales: []float64{math.NaN()}},
		"0 functions on 5 states":                net.Table{States: 5, Scale: 1},
		"6 functions on 5 states":                net.Table{States: 5, Out: 6, Scale: 1},
		"a start at zero stays the":              net.Table{States: 5, Out: 2},
		"the scale is -1":                        net.Table{States: 5, Out: 2, Scale: -1},
		"the scale is NaN":                       net.Table{States: 5, Out: 2, Scale: math.NaN()},
		"the scale is +Inf":                      net.Table{States: 5, Out: 2, Scale: math.Inf(1)},
		"images have 0 channels":                 net.ResNet18{},
		"the width is -1":                        net.ResNet18{Channels: 3, Width: -1},
		"a stage has -1 blocks":                  net.ResNet18{Channels: 3, Blocks: -1},
		"the widths are 0, 0 and 0":              net.Projector{},
		"there are -1 hidden layer":              net.Projector{In: 5, Layers: -1},
		"the widths are 0 and 0":                 net.ResidualMLP{},
		"there are 4 layers; give an odd number": net.ResidualMLP{In: 5, Layers: 4},
	} {
		assert.ErrorContains(t, n.Validate(), word)
	}
	for _, n := range []validated{small, waves, net.Fourier{Dims: 2, Frequencies: 6, Scales: []float64{0.05, 0.3}},
		net.Table{States: 5, Out: 5, Scale: 0.2}, net.ResNet18{Channels: 3}, net.Projector{In: 512},
		net.ResidualMLP{In: 100}} {
		assert.NoError(t, n.Validate())
	}
}

func TestARunDependsOnItsSeedAlone(t *testing.T) {
	fourier := net.Fourier{Dims: 2, Frequencies: 6, Scales: []float64{0.05, 0.3}}
	for name, begin := range map[string]func(seeds []int64) []*tensors.Tensor{
		"MLP": small.Init, "Disjoint": waves.Init, "Table": net.Table{States: 5, Out: 3, Scale: 0.2}.Init,
		"Fourier": func(seeds []int64) []*tensors.Tensor { return []*tensors.Tensor{fourier.Init(seeds)} },
	} {
		a, b := begin([]int64{3, 4, 5}), begin([]int64{4, 3})
		for i := range a {
			x, y := testkit.Flat(a[i]), testkit.Flat(b[i])
			n := len(y) / 2
			assert.Equal(t, x[:n], y[n:], "%s, seed 3", name)
			assert.Equal(t, x[n:2*n], y[:n], "%s, seed 4", name)
			if i%2 == 0 { // weights
				assert.NotEqual(t, x[:n], x[n:2*n], name)
			}
		}
	}
}
