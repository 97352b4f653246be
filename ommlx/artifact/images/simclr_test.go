package images

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"omm-go/ommlx/internal/testkit"
)

// ntXent evaluates the equation on the host for the features of two views, [B, k] each.
func ntXent(first, second testkit.Array) float64 {
	images, k := first.Dims[0], first.Dims[1]
	z := append(append([]float64{}, first.Data...), second.Data...)
	similarity := func(i, j int) float64 {
		a, b := z[i*k:(i+1)*k], z[j*k:(j+1)*k]
		return floats.Dot(a, b) / (floats.Norm(a, 2) * floats.Norm(b, 2) * 0.2)
	}
	loss := 0.0
	for i := range 2 * images {
		var others []float64
		for j := range 2 * images {
			if j != i {
				others = append(others, similarity(i, j))
			}
		}
		partner := (i + images) % (2 * images)
		loss += (floats.LogSumExp(others) - similarity(i, partner)) / float64(2*images)
	}
	return loss
}

// The loss matches the equation, and its gradient matches central differences of the equation.
func TestSimCLRIsNTXent(t *testing.T) {
	rng := testkit.NewRand(151)
	first, second := testkit.Gaussian(rng, 7, 4), testkit.Gaussian(rng, 7, 4)
	got := testkit.Compile(t, func(in []*Node) []*Node {
		loss, _ := SimCLR{}.Loss(CDK(InsertAxes(in[0], 0), InsertAxes(in[1], 0), Unit), nil)
		return []*Node{loss, Gradient(ReduceAllSum(loss), in[0])[0]}
	}).Call(t, first, second)
	require.InDelta(t, ntXent(first, second), got[0].Data[0], 1e-12)
	loss := func(x []float64) float64 { return ntXent(testkit.Array{Dims: first.Dims, Data: x}, second) }
	want := fd.Gradient(nil, loss, first.Data, &fd.Settings{Formula: fd.Central})
	require.InDeltaSlice(t, want, got[1].Data, 1e-7)
}

// A zero feature stays zero, with a finite gradient.
func TestNorms(t *testing.T) {
	const k = 4
	f := testkit.Gaussian(testkit.NewRand(161), 2, 5, k)
	clear(f.Data[:k])
	norms := []Norm{Unit, Root, Free}
	out := testkit.Compile(t, func(in []*Node) []*Node {
		unit := Unit.Apply(in[0])
		return []*Node{unit, Root.Apply(in[0]), Free.Apply(in[0]), Gradient(ReduceAllSum(unit), in[0])[0]}
	}).Call(t, f)
	for i, v := range f.Data {
		length := max(floats.Norm(f.Data[i-i%k:i-i%k+k], 2), 1e-9)
		for n, want := range []float64{v / length, 2 * v / length, v} {
			require.InDelta(t, want, out[n].Data[i], 1e-14, "%s", norms[n])
		}
		require.False(t, math.IsNaN(out[3].Data[i]) || math.IsInf(out[3].Data[i], 0))
	}
}
