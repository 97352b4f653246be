package pde

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/jet"
)

// Of finite differences the error falls as the square of the step; nested reverse mode has none.
func TestAlternativesToJets(t *testing.T) {
	steps := []float64{0.04, 0.02, 0.01, 0.005}
	rng := testkit.NewRand(7)
	streams := func(j jet.Jet) []*Node { return append([]*Node{j.Value, j.Laplacian}, j.Gradient...) }
	got := testkit.Compile(t, func(in []*Node) []*Node {
		f := func(x jet.Jet) jet.Jet { return jet.Softplus(jet.Dense(jet.Sin(jet.Dense(x, in[0], nil)), in[1], nil)) }
		plain := func(x *Node) *Node { return f(jet.Inputs(x)).Value }
		value, laplacian := NestedReverse(plain, in[2])
		out := append(streams(f(jet.Inputs(in[2]))), value, laplacian)
		for _, h := range steps {
			out = append(out, streams(Differences(plain, in[2], h))...)
		}
		return out
	}).Numbers(t, testkit.Gaussian(rng, 4, 2), testkit.Gaussian(rng, 3, 4), testkit.Gaussian(rng, 5, 2))
	const all = 4
	exact, nested, differences := got[:all], got[all:all+2], got[all+2:]
	for s := range nested {
		assert.InDeltaSlice(t, exact[s], nested[s], 1e-12)
	}
	assert.InDeltaSlice(t, exact[0], differences[0], 1e-14)
	for s := 1; s < all; s++ {
		var errors []float64
		for i := range steps {
			errors = append(errors, floats.Distance(differences[i*all+s], exact[s], 2))
		}
		assert.InDelta(t, 2, linalg.FitPower(steps, errors), 0.03, "stream %d", s)
	}
}
