package verify

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// inverseLoss computes the loss of f = Lg with Tf = g, and its gradient with respect to g, on the columns of g.
func inverseLoss(t *testing.T) Loss {
	return graphLoss(t, func(g, l *Node) *Node {
		root := math.Sqrt(float64(g.Shape().Dim(0)))
		loss, _ := ommlx.OMM{}.Loss(ommlx.Batch{F: MulScalar(MatMul(l, g), root), TF: MulScalar(g, root)}, nil)
		return loss
	})
}

// Section 3.2.2, the inverse-operator trick: for positive L and f = Lg,
//
//	−2 tr M[Lg,g] + tr(M[Lg] M[Lg,g])
//
// is OMM-1 of L⁻¹ at f, with gradient L∇_f with respect to g. Its minimum, over the lowest k eigenvalues of L, is
// −Σ 1/λ_i, attained at g_i = φ_i/λ_i, where Lg_i = φ_i.
func TestInverseOperatorTrick(t *testing.T) {
	claim := papertest.Of(t, "inverse-objective")
	trick, omm := inverseLoss(t), onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		k := drawLibraryModes(t)
		s := drawSpectrum(t, libraryStates, libraryStates, 0.2, 5)
		inv := inverse(t, s.a)
		g := s.gaussian(0.3, k)
		loss, gradient := trick(g, s.a)
		want, forF := omm(Product(s.a, g), inv)
		claim.Printed.Agree(t, "largest difference of the loss from that of L⁻¹ at f = Lg", want, loss, 1e-10)
		claim.Printed.Same(t, "largest difference of the gradient for g from L times that of f", Product(s.a, forF),
			gradient, 1e-10)

		lowest := Columns(s.w, libraryStates-k, libraryStates)
		scale := diagonal(s.values[libraryStates-k:], func(x float64) float64 { return 1 / x })
		best, minimum := Product(lowest, scale), -mat.Trace(scale)
		loss, gradient = trick(best, s.a)
		claim.Printed.Agree(t, "largest difference of the loss at g_i = φ_i/λ_i from −Σ 1/λ_i", minimum, loss, 1e-10)
		claim.Printed.Within(t, "gradient at that minimum", mat.Norm(gradient, 2), 1e-9)
		require.GreaterOrEqual(t, want, minimum-1e-10*(1+math.Abs(want)))
		claim.Printed.Same(t, "difference of Lg from φ at that minimum", lowest, Product(s.a, best), 1e-11)
	})
}

// Section 3.2.2 and appendix C.2: OMM fails on spectra that are unbounded above, such as the oscillator's H with levels
// 2, 4, 4, 6, 6, 6, …; LoRA does not. LoRA's loss of T = c − H is at least −Σ λ_i² over the positive λ_i of T.
func TestOscillatorWithoutItsInverse(t *testing.T) {
	claim := papertest.Of(t, "omm-cannot-lora-can")
	omm, lora := onMatrix(t, ommlx.OMM{}), onMatrix(t, ommlx.LoRA{})
	levels := []float64{2, 4, 4, 6, 6, 6}
	const k = 3
	rapid.Check(t, func(t *rapid.T) {
		rng := drawRand(t)
		shift := rapid.SampledFrom([]float64{0, 4.5}).Draw(t, "c") // no shift, or above E_k = 4
		values := make([]float64, len(levels))
		for i, level := range levels {
			values[i] = shift - level
		}
		s := newSpectrum(rng, values...)
		kept := diagonal(values[:k], func(x float64) float64 { return max(0, x) }) // the positive ones
		best := Product(s.leading(k), diagonal(values[:k], func(x float64) float64 { return math.Sqrt(max(0, x)) }))
		least := -square(mat.Norm(kept, 2))
		loss, gradient := lora(best, s.a)
		claim.Printed.Agree(t, "LoRA's loss at √λ_i w_i of the positive λ_i, or at 0, from −Σ λ_i²", least, loss,
			1e-12)
		claim.Printed.Within(t, "gradient of LoRA there", mat.Norm(gradient, 2), 1e-12)
		loss, _ = lora(s.gaussian(1, k), s.a)
		claim.Printed.AtMost(t, "how far other functions fall below that loss", least, loss, 0)
		if shift == 0 {
			require.Zero(t, mat.Norm(best, 2), "LoRA's minimiser on −H, which has no positive eigenvalue")
		}
		// There are levels above any c; of these six the highest is 6.
		far := mat.NewDense(len(levels), k, nil)
		far.SetCol(0, Scaled(1e3, s.mode(len(levels)-1)).RawMatrix().Data)
		loss, _ = omm(far, s.a)
		claim.Printed.Within(t, "OMM's loss at a function of norm 10³ along the highest level", loss, -1e11)
	})
}

// Section 3.2.2: the leading eigenfunctions of L⁻¹ are the lowest of L if the spectrum is positive, and then for every
// confining potential. Lowered by 5, the oscillator has eigenvalues −3, −1, −1, 1, 1, 1.
func TestInverseNeedsAPositiveSpectrum(t *testing.T) {
	claim := papertest.Of(t, "inverse-trick-theory")
	ofLeader := func(t require.TestingT, s spectrum) float64 {
		v := eigen(inverse(t, s.a)).Vectors.ColView(0)
		return mat.Inner(v, s.a, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpectrum(t, libraryStates, libraryStates, 0.2, 5)
		claim.Corrected.Agree(t, "positive spectrum: ⟨L⟩ of the leader of L⁻¹, from the lowest eigenvalue",
			s.values[libraryStates-1], ofLeader(t, s), 1e-10)
	})
	s := newSpectrum(testkit.NewRand(760), 1, 1, 1, -1, -1, -3)
	claim.Printed.Beyond(t, "⟨L⟩ of the leader of L⁻¹ for the lowered oscillator, from its lowest eigenvalue",
		papertest.Difference(-3, ofLeader(t, s)), 1e-10)
	require.InDelta(t, 1, ofLeader(t, s), 1e-12, "not −3, the lowest")
	require.InDelta(t, -1, eigenvaluesOf(t, inverse(t, s.a))[0], 1e-12)
}

// Section 3.1 says that the top eigenvectors of L = I − P represent the geometry, and appendix C.1 that the smallest
// eigenvalue of L can be negative, but is at least −1 by Gershgorin, so I is added to L.
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
	// In the open room of 15×15 cells the fastest mode alternates in both directions, λ(P) = cos(14π/15).
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
	smooth := mat.NewDense(side*side, 1, slices.Repeat([]float64{1}, side*side))
	ends.Corrected.Within(t, "residual of the constant as lowest eigenvector of L", mat.Norm(Product(l, smooth), 2),
		1e-12)
	// L + I has the same top mode; the constant is at the other end.
	ends.Printed.Beyond(t, "eigenvalue of the fastest mode of L + I, less that of the constant",
		1+math.Cos(math.Pi/side), 0)
}

// Section 3.1 says that OMM has no hyperparameters, and that the identity is added for a positive spectrum. With a
// shift κ steps must shrink like 1/(λ_1 + κ), while gaps do not change: on the leading eigenvalues of GridRoom-4, κ = 1
// takes (λ_1 + κ)/λ_1 = 2 times as many steps to the same accuracy.
func TestShiftCostsStepsInProportionToTheSpectrum(t *testing.T) {
	const states, k, starts, goal = 16, 11, 4, 0.9
	claim := papertest.Of(t, "omm-has-no-hyperparameters")
	g := testkit.Must(gridworld.Load("GridRoom-4"))
	eigenvalues := testkit.Must(spectral.SymEigen(g.Transition())).Values[:states]
	require.Positive(t, eigenvalues[states-1])
	truth := eigen(mat.DenseCopyOf(mat.NewDiagDense(states, eigenvalues)))
	program := testkit.NewProgram(t, testkit.OnMatrix(ommlx.OMM{Nesting: ommlx.Sequential}))
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
		require.Fail(t, "goal not reached", "κ = %g", kappa)
		return 0
	}
	without, with := stepsTo(0), stepsTo(1)
	ratio, predicted := float64(with)/float64(without), (eigenvalues[0]+1)/eigenvalues[0]
	claim.Corrected.Within(t, "distance of the ratio of steps from (λ_1 + κ)/λ_1 = 2, relative",
		math.Abs(ratio/predicted-1), 0.15)
	claim.Note("spectrum of GridRoom-4, k = 11, exact moments, %d starts: %d steps without a shift, %d with κ = 1",
		starts, without, with)
}
