package ommlx_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/theory"
)

// distance is ‖A − VVᵀ‖²_F − ‖A‖²_F for the first n columns of V.
func distance(a, v *mat.Dense, n int) float64 {
	d, _ := v.Dims()
	prefix := v.Slice(0, d, 0, n)
	var rest mat.Dense
	rest.Mul(prefix, prefix.T())
	rest.Sub(a, &rest)
	return math.Pow(mat.Norm(&rest, 2), 2) - math.Pow(mat.Norm(a, 2), 2)
}

// The loss is ‖T − Σ_i f_i⊗f_i‖² − ‖T‖² for matrices of either sign, and joint nesting weighs that of each prefix.
func TestLoRAIsTheDistanceFromALowRankMatrix(t *testing.T) {
	const d, k = 7, 3
	weights := []float64{0.5, 2, 1.5}
	plain := graphtest.NewProgram(t, ommtest.OnMatrix(ommlx.LoRA{}))
	joint := graphtest.NewProgram(t, ommtest.OnMatrix(ommlx.LoRA{Nesting: ommlx.Joint, Weights: weights}))
	sequential := graphtest.NewProgram(t, ommtest.OnMatrix(ommlx.LoRA{Nesting: ommlx.Sequential}))
	for seed := range uint64(5) {
		rng := graphtest.NewRand(120 + seed)
		a, _ := theory.Symmetric(rng, graphtest.Gaussian(rng, d).Data)
		v := graphtest.Gaussian(rng, d, k)
		in := []graphtest.Array{v, graphtest.FromMatrix(a)}
		whole := distance(a, v.Matrix(), k)
		require.InEpsilon(t, whole, plain.Call(t, in...)[0].Data[0], 1e-12)
		require.InEpsilon(t, whole, sequential.Call(t, in...)[0].Data[0], 1e-12, "nesting stops gradients alone")
		prefixes := 0.0
		for i, weight := range weights {
			prefixes += weight * distance(a, v.Matrix(), i+1)
		}
		require.InEpsilon(t, prefixes, joint.Call(t, in...)[0].Data[0], 1e-12)
	}
}

// With sequential nesting column i of the gradient is that of the distance of the first i columns,
//
//	4 (V_{1:i}V_{1:i}ᵀ − A) v_i.
func TestLoRASequentialGradientIsThatOfThePrefix(t *testing.T) {
	const d, k = 7, 3
	rng := graphtest.NewRand(125)
	a, _ := theory.Symmetric(rng, graphtest.Gaussian(rng, d).Data)
	v := graphtest.Gaussian(rng, d, k)
	want := mat.NewDense(d, k, nil)
	for i := range k {
		prefix := v.Matrix().Slice(0, d, 0, i+1)
		var rest, column mat.Dense
		rest.Mul(prefix, prefix.T())
		rest.Sub(&rest, a)
		column.Mul(&rest, v.Matrix().ColView(i))
		column.Scale(4, &column)
		want.SetCol(i, mat.Col(nil, 0, &column))
	}
	program := graphtest.NewProgram(t, ommtest.OnMatrix(ommlx.LoRA{Nesting: ommlx.Sequential}))
	got := program.Call(t, v, graphtest.FromMatrix(a))[1]
	graphtest.RequireClose(t, graphtest.FromMatrix(want), got, 1e-12, "gradient")
}

// LoRA rests where f_i is √λ_i w_i, with the loss −Σ λ_i², and not where the norms are 1, as for OMM. With nesting it
// comes there from anywhere, in order.
func TestLoRAsMinimiserHasTheNormsOfItsEigenvalues(t *testing.T) {
	const d, k = 5, 3
	eigenvalues := []float64{4, 3, 2, 1, -0.5}
	rng := graphtest.NewRand(126)
	a, w := theory.Symmetric(rng, eigenvalues)
	unit := mat.DenseCopyOf(w.Slice(0, d, 0, k))
	var best mat.Dense
	best.Mul(unit, mat.NewDiagDense(k, []float64{2, math.Sqrt(3), math.Sqrt2}))
	for _, nesting := range []ommlx.Nesting{ommlx.NoNesting, ommlx.Joint, ommlx.Sequential} {
		o := ommlx.LoRA{Nesting: nesting}
		t.Run(o.Name(), func(t *testing.T) {
			program := graphtest.NewProgram(t, ommtest.OnMatrix(o))
			rest := program.Call(t, graphtest.FromMatrix(&best), graphtest.FromMatrix(a))
			require.InDelta(t, 0, floats.Norm(rest[1].Data, 2), 1e-12)
			moving := program.Call(t, graphtest.FromMatrix(unit), graphtest.FromMatrix(a))
			require.Greater(t, floats.Norm(moving[1].Data, 2), 1.0)
			if nesting == ommlx.NoNesting {
				require.InEpsilon(t, -(16 + 9 + 4), rest[0].Data[0], 1e-12)
				return
			}
			learned := descend(t, o, a, graphtest.Gaussian(rng, d, k).Scaled(0.3))
			ommtest.RequireEigenvectors(t, o, learned.Matrix(), w, eigenvalues, 1e-6)
		})
	}
}
