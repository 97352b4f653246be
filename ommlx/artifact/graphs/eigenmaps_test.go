package graphs

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

// The gradient holds sg f̂_j constant.
func TestNeuralEigenmapsEqualsThePublishedLoss(t *testing.T) {
	const batch, k, alpha, scale = 9, 4, 0.7, 0.2
	at := testkit.GaussianPoint(testkit.NewRand(91), batch, k)
	column := func(a testkit.Array, i int) []float64 { return mat.Col(nil, i, a.Matrix()) }
	unnormalised := false
	norm := func(p testkit.Point, i int) float64 {
		if unnormalised {
			return math.Sqrt(batch)
		}
		return floats.Norm(column(p.F, i), 2)
	}
	loss := func(moving, still testkit.Point) (sum float64) {
		for i := range k {
			sum -= floats.Dot(column(moving.F, i), column(moving.TF, i)) / math.Pow(norm(moving, i), 2)
			for j := range i {
				shared := floats.Dot(column(moving.F, i), column(still.TF, j)) / (norm(moving, i) * norm(still, j))
				sum += alpha * scale * shared * shared
			}
		}
		return 2 * scale / k * sum
	}
	for _, unnormalised = range []bool{false, true} {
		got := testkit.Compile(t, func(in []*Node) []*Node {
			o := NeuralEigenmaps{Alpha: alpha, Scale: scale, Unnormalised: unnormalised}
			loss, _ := o.Loss(ommlx.Batch{F: in[0], TF: in[1]}, nil)
			return append([]*Node{loss}, Gradient(ReduceAllSum(loss), in...)...)
		}).Numbers(t, at.F, at.TF)
		require.InDelta(t, loss(at, at), got[0][0], 1e-12)
		moving := at.Map(testkit.Array.Clone)
		for which, x := range []testkit.Array{moving.F, moving.TF} {
			for i, v := range x.Data {
				const h = 1e-5
				x.Data[i] = v + h
				up := loss(moving, at)
				x.Data[i] = v - h
				require.InDelta(t, (up-loss(moving, at))/(2*h), got[1+which][i], 1e-7)
				x.Data[i] = v
			}
		}
	}
}
