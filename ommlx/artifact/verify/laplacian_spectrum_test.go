package verify

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// Section 3.1 says that the top eigenvectors of L = I − P carry the geometry, and appendix C.1 that the smallest
// eigenvalue of L can be negative, but at least −1 by Gershgorin, so that I is added to L.
func TestLaplacianOfAGridWorldIsNeverNegative(t *testing.T) {
	ends := papertest.Of(t, "top-eigenvectors-of-l")
	for _, name := range []string{"GridRoom-1", "GridMaze-7", "GridMaze-9"} {
		g := testkit.Must(gridworld.Load(name))
		p := mat.DenseCopyOf(g.Transition())
		n, _ := p.Dims()
		values := eigenvaluesOf(t, defect(p))
		ends.Corrected.Within(t, "distance of the smallest eigenvalue of I − P from 0", math.Abs(values[0]), 1e-12)
		ends.Corrected.AtMost(t, "excess of the largest eigenvalue of I − P over 2", values[n-1], 2, 1e-12)
		for i := range n {
			row := mat.Row(nil, i, p)
			ends.Corrected.AtMost(t, "excess of Gershgorin's discs of P over [−1, 1]", floats.Norm(row, 1), 1, 1e-13)
			require.GreaterOrEqual(t, p.At(i, i), 0.0)
		}
	}
	// The open room of 15×15 cells: alternating in both directions, λ(P) = cos(14π/15).
	g := testkit.Must(gridworld.Load("GridRoom-1"))
	const side = 15
	l := defect(mat.DenseCopyOf(g.Transition()))
	require.InDelta(t, 1+math.Cos(math.Pi/side), eigenvaluesOf(t, l)[side*side-1], 1e-12)
	top := mat.NewDense(side*side, 1, nil)
	firstRow, firstCol := g.Cell(0)
	for s := range side * side {
		row, col := g.Cell(s)
		mode := func(x int) float64 { return math.Cos(math.Pi * float64(side-1) * (float64(x) + 0.5) / side) }
		top.Set(s, 0, mode(row-firstRow)*mode(col-firstCol))
	}
	ends.Corrected.Same(t, "residual of the alternating product of cosines as top eigenvector of L",
		Scaled(1+math.Cos(math.Pi/side), top), Product(l, top), 1e-12)
	neighbours, opposite := 0, 0
	for s := range side*side - 1 {
		row, _ := g.Cell(s)
		if next, _ := g.Cell(s + 1); next == row {
			neighbours++
			if top.At(s, 0)*top.At(s+1, 0) < 0 {
				opposite++
			}
		}
	}
	require.Equal(t, neighbours, opposite)
	ends.Printed.Beyond(t, "share of neighbours between which the top eigenvector of L changes its sign",
		float64(opposite)/float64(neighbours), 0.5)
	smooth := mat.NewDense(side*side, 1, slices.Repeat([]float64{1}, side*side))
	ends.Corrected.Within(t, "residual of the constant as lowest eigenvector of L", mat.Norm(Product(l, smooth), 2),
		1e-12)
	// With the identity added to L the same mode is on top; the constant is at the other end.
	ends.Printed.Beyond(t, "eigenvalue of the fastest mode of L + I, less that of the constant",
		1+math.Cos(math.Pi/side), 0)
}

// OMM has no hyperparameters, says section 3.1, and the identity is added for a positive spectrum. With a shift κ
// steps must shrink as 1/(λ_1 + κ), while the gaps stay what they are: on the leading eigenvalues of GridRoom-4, κ = 1
// takes (λ_1 + κ)/λ_1 = 2 times as many steps to the same accuracy.
func TestShiftCostsStepsInProportionToTheSpectrum(t *testing.T) {
	const states, k, starts, goal = 16, 11, 4, 0.9
	claim := papertest.Of(t, "omm-has-no-hyperparameters")
	g := testkit.Must(gridworld.Load("GridRoom-4"))
	eigenvalues := testkit.Must(spectral.SymEigen(g.Transition())).Values[:states]
	require.Positive(t, eigenvalues[states-1])
	truth := eigen(mat.DenseCopyOf(mat.NewDiagDense(states, eigenvalues)))
	program := testkit.NewProgram(t, ommtest.OnMatrix(ommlx.OMM{Nesting: ommlx.Sequential}))
	// stepsTo counts the steps until the average cosine similarity, over modes and starts, reaches the goal.
	stepsTo := func(kappa float64) int {
		a := testkit.FromMatrix(diagonal(eigenvalues, func(x float64) float64 { return x + kappa }))
		v := testkit.Gaussian(testkit.NewRand(310), starts, states, k).Scaled(0.1)
		for step := 1; step < 20_000; step++ {
			floats.AddScaled(v.Data, -0.1/(eigenvalues[0]+kappa), program.Call(t, v, a)[1].Data)
			if step%20 > 0 {
				continue
			}
			sum := 0.0
			for r := range starts {
				_, mean := testkit.Must2(spectral.CosineSimilarity(truth, v.Run(r).Matrix()))
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
	claim.Corrected.Within(t, "distance of the ratio of steps from (λ_1 + κ)/λ_1 = 2, relative",
		math.Abs(ratio/predicted-1), 0.15)
	claim.Note("spectrum of GridRoom-4, k = 11, exact moments, %d starts: %d steps without a shift, %d with κ = 1",
		starts, without, with)
}
