package theory

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/gridworld"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/spectral"
)

// OMM has no hyperparameters, says section 3.1, and the identity is added for a positive spectrum. The shift κ that
// makes it so costs: steps must shrink as 1/(λ_1 + κ), while the gaps that tell modes apart stay what they are. On the
// leading eigenvalues of GridRoom-4, which need no shift, κ = 1 takes (λ_1 + κ)/λ_1 = 2 times as many steps to the same
// accuracy.
func TestShiftCostsStepsInProportionToTheSpectrum(t *testing.T) {
	const states, k, starts, goal = 16, 11, 4, 0.9
	claim := claims.Of(t, "omm-has-no-hyperparameters")
	g, err := gridworld.Load("GridRoom-4")
	require.NoError(t, err)
	all, err := spectral.SymEigen(g.Transition())
	require.NoError(t, err)
	eigenvalues := all.Values[:states]
	require.Positive(t, eigenvalues[states-1])
	truth, err := spectral.SymEigen(mat.NewSymDense(states, mat.DenseCopyOf(mat.NewDiagDense(states,
		eigenvalues)).RawMatrix().Data))
	require.NoError(t, err)
	program := graphtest.NewProgram(t, func(in []*Node) []*Node {
		v, a, rate := in[0], in[1], in[2]
		f := MulScalar(v, math.Sqrt(states))
		loss, _ := ommlx.OMM{Nesting: ommlx.Sequential}.Loss(ommlx.Batch{F: f, TF: Einsum("de,rek->rdk", a, f)}, nil)
		return []*Node{Sub(v, Mul(Gradient(ReduceAllSum(loss), v)[0], rate))}
	})
	// stepsTo counts the steps until the average cosine similarity, over modes and starts, reaches the goal.
	stepsTo := func(kappa float64) int {
		shifted := mat.NewDense(states, states, nil)
		for i, value := range eigenvalues {
			shifted.Set(i, i, value+kappa)
		}
		a, rate := graphtest.FromMatrix(shifted), graphtest.Array{Data: []float64{0.1 / (eigenvalues[0] + kappa)}}
		v := graphtest.Gaussian(graphtest.NewRand(310), starts, states, k).Scaled(0.1)
		for step := 1; step < 20_000; step++ {
			if v = program.Call(t, v, a, rate)[0]; step%20 > 0 {
				continue
			}
			sum := 0.0
			for r := range starts {
				_, mean, err := spectral.CosineSimilarity(truth, v.Run(r).Matrix())
				require.NoError(t, err)
				sum += mean / starts
			}
			if sum > goal {
				return step
			}
		}
		require.Fail(t, "the goal is never reached", "κ = %g", kappa)
		return 0
	}
	without, with := stepsTo(0), stepsTo(1)
	ratio, predicted := float64(with)/float64(without), (eigenvalues[0]+1)/eigenvalues[0]
	ommtest.Within(t, claim.Corrected, "distance of the ratio of steps from (λ_1 + κ)/λ_1 = 2, relative",
		math.Abs(ratio/predicted-1), 0.15)
	claim.Note("spectrum of GridRoom-4, k = 11, exact moments, %d starts: %d steps without a shift, %d with κ = 1",
		starts, without, with)
}
