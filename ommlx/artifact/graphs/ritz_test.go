package graphs

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// The optimum has the least of OMM's loss tr(−2 M[f,Sf] + M[f] M[f,Sf]) among nearby linear functions, −Σ λ_i; and no
// linear functions capture more.
func TestOptimumMinimisesTheLoss(t *testing.T) {
	s, rng := hideEdges(generated(), 0.3), testkit.NewRand(8)
	const k = 3
	d, n := s.Features+1, s.Nodes()
	optimum, values, err := s.optimum(k)
	require.NoError(t, err)
	require.Greater(t, values[k-1], 0.0)
	rows := func(of encode) *mat.Dense {
		f := testkit.Must(of(s.all))[0].Dense()
		for i := range n {
			if s.seen.Degree(i) == 0 {
				clear(f.RawRowView(i))
			}
		}
		return f
	}
	moments := func(f *mat.Dense) (own, with *mat.Dense) {
		values, sf := testkit.FromMatrix(f), testkit.NewArray(n, k)
		Multiply(s.seen.Symmetric(), sf.Data, values.Data, k)
		return testkit.SecondMoment(values, values).Matrix(), testkit.SecondMoment(values, sf).Matrix()
	}
	loss := func(f *mat.Dense) float64 {
		own, with := moments(f)
		return mat.Trace(linalg.Product(own, with)) - 2*mat.Trace(with)
	}
	f := rows(s.table(optimum))
	own, with := moments(f)
	for i := range k {
		for j := range k {
			one := map[bool]float64{true: 1}[i == j]
			require.InDelta(t, one, own.At(i, j), 1e-5)
			require.InDelta(t, one*values[i], with.At(i, j), 1e-5)
		}
	}
	require.InDelta(t, -floats.Sum(values), loss(f), 1e-5)
	x := rows(s.table(s.withConstant().X))
	for range 20 {
		change := linalg.Product(x, testkit.Gaussian(rng, d, k).Matrix())
		require.Greater(t, loss(linalg.Sum(linalg.Scaled(0.01, change), f)), loss(f))
		random := representation.FeaturesOf(change, s.Labels).X
		ritz, _ := testkit.Must2(s.ritz(s.table(random), 1, k, ritzNumbers))
		require.Less(t, floats.Sum(ritz[0]), floats.Sum(values))
	}
}

// Training never visits nodes without an edge, so their values do not count.
func TestNodesWithoutAnEdgeDoNotCount(t *testing.T) {
	s := hideEdges(generated(), 0.3)
	x := append([]float32(nil), s.X...)
	for _, i := range s.unseen {
		x[i*s.Features] += 1000
	}
	want, _ := testkit.Must2(s.ritz(s.table(s.X), 1, s.Features, ritzNumbers))
	got, _ := testkit.Must2(s.ritz(s.table(x), 1, s.Features, ritzNumbers))
	require.Equal(t, want, got)
}
