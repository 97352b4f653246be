package verify

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Section 2.2.5: stochastic gradients with the second moment A_t of B samples instead of A. Across the eigenvectors
// Sanger and OMM_seq have the Jacobian 2(λ_i − λ_l), and at W_{1:k} the noise −2(I − VVᵀ)A_tv_i. With half the steps of
// Oja's rule, ½c/(t₀ + t), both have its error after n = Bt samples, [StreamingError]. A mean of 200 squares has an
// error of 10%.
func TestStreamedSamplesGiveTheErrorOfOjasRule(t *testing.T) {
	printed := papertest.Of(t, "streaming-pca").Printed
	const runs, batch, c, t0, d, k = 200, 10, 6, 30, 4, 2
	lambda := []float64{1, 0.6, 0.2, 0.1} // A is diagonal: w_i is the i-th unit vector
	for _, o := range []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.Sanger{}} {
		program := testkit.NewProgram(t, func(in []*Node) []*Node {
			f := MulScalar(in[0], math.Sqrt(d))
			return Gradient(ReduceAllSum(lossOf(o)(f, Einsum("rde,rek->rdk", in[1], f))), in[0])
		})
		rng, at := testkit.NewRand(780), testkit.NewArray(runs, d, d)
		v := testkit.FromTensor(Stacked(slices.Repeat([]*mat.Dense{Columns(Eye(d), 0, k)}, runs)))
		var times []float64
		var squares [k][]float64 // mean of sin² per column at these times
		for step := 1; step <= 800; step++ {
			for run := range runs {
				x := Gaussian(rng, batch, d)
				x.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(lambda[j]/batch) }, x)
				at.Run(run).Matrix().Mul(x.T(), x)
			}
			floats.AddScaled(v.Data, -c/(t0+float64(step))/2, program.Call(t, v, at)[0].Data)
			if !slices.Contains([]int{50, 100, 200, 400, 800}, step) {
				continue
			}
			times = append(times, t0+float64(step))
			for i := range k {
				sum := 0.0
				for run := range runs {
					sum += square(math.Sin(Angles(v.Run(run).Matrix(), Eye(d))[i]))
				}
				squares[i] = append(squares[i], sum/runs)
			}
		}
		for i := range k {
			printed.Near(t, "distance from −1 of the slope of the squared error in the number of samples", -1,
				PowerLaw(times, squares[i]), 0.15)
			printed.Near(t, "relative distance of that error after 8,000 samples from the theory of Oja's rule", 1,
				squares[i][4]*batch*800/StreamingError(lambda, i, c), 0.3)
		}
	}
}

// Section 2.3 requires a gap to the essential spectrum. Eigenvalues 1/n² have none, and still the minimiser is the
// leading space however many there are.
func TestSpectrumOfAnOperator(t *testing.T) {
	claim, symmetric := papertest.Of(t, "operator-minimiser"), papertest.Of(t, "operator-spectrum").Printed
	for _, d := range []int{8, 32, 96} {
		values := Harmonic(d)
		floats.Mul(values, values)
		s := newSpectrum(testkit.NewRand(800), values...)
		found := eigen(s.a)
		symmetric.Same(t, "distance of the Gram matrix of eigenvectors of T from I", Eye(d), Gram(found.Vectors), 1e-12)
		symmetric.Within(t, "distance of its eigenvalues from the descending λ_n ≥ 0",
			floats.Distance(found.Values, values, math.Inf(1)), 1e-12)
		loss, v := s.minimise(order(1), 1/math.Sqrt(float64(d)), 3)
		claim.Printed.Near(t, "distance of the minimum from −Σ_{i≤3} λ_i for λ_n = 1/n², n up to 8, 32, 96", -s.top(3),
			loss, 1e-10)
		claim.Printed.Same(t, "of VVᵀ there from W_{1:k}W_{1:k}ᵀ", projector(s.leading(3)), projector(v), 1e-3)
		claim.Note("the smallest gap of the spectrum of %d is %.0e", d, values[d-2]-values[d-1])
	}
}

// Section 2.3.2: ‖A − VVᵀ‖²_F − ‖A‖²_F = −2 tr(VᵀAV) + tr((VᵀV)²), for any symmetric A, is LoRA's loss.
func TestLoRAIsALowRankApproximation(t *testing.T) {
	claim := papertest.Of(t, "lora-objective")
	forAll(t, 0, -4, 4, func(t *rapid.T, s spectrum, k int) {
		v := s.gaussian(1, k)
		loss, _ := onMatrix(ommlx.LoRA{})(v, s.a)
		want := squaredNorm(Combine(1, s.a, -1, projector(v))) - squaredNorm(s.a)
		claim.Printed.Within(t, "largest relative difference of the two sides",
			math.Abs(want-loss)/(1+square(squaredNorm(v))), 1e-11)
	})
	// ‖T‖²_HS = Σ λ² for the oscillator's inverse: n functions have energy 2n each, so it is Σ 1/(4n).
	norm := 0.0
	for n := 1_001; n <= 100_000; n++ {
		norm += float64(n) / square(2*float64(n))
	}
	claim.Corrected.Near(t, "distance of what the shells from 1,000 to 100,000 add to ‖T‖² of the oscillator's "+
		"inverse from ¼ log 100", math.Log(100)/4, norm, 1e-3)
}

// kept returns the positive ones of the leading k eigenvalues, and 0 for the others.
func (s spectrum) kept(k int) *mat.DiagDense {
	return diagonal(s.values[:k], func(x float64) float64 { return max(0, x) })
}

// Section 2.3.2: for any symmetric A, LoRA learns VVᵀ = Σ λ_i w_iw_iᵀ over the leading k positive eigenvalues, with
// loss −Σ λ_i²; functions beyond the number of positive eigenvalues vanish.
func TestLoRALearnsThePositiveModes(t *testing.T) {
	printed := papertest.Of(t, "lora-optimum").Printed
	for k, values := range map[int][]float64{
		2: {4, 3, 2, 1, -3, -5}, // fewer than the positive ones
		3: {4, 2, 0, -1, -3, -5},
		4: {-2, -4, -4, -6, -6, -6}, // the oscillator
		5: {3, 1, 1, -1, -1, -1},    // the oscillator + 5 I
	} {
		s := newSpectrum(testkit.NewRand(750), values...)
		loss, v := s.minimise(onMatrix(ommlx.LoRA{}), 0.5, k)
		printed.Agree(t, "relative distance of the minimum from −Σ λ_i² over the leading positive eigenvalues",
			-squaredNorm(s.kept(k)), loss, 1e-9)
		printed.Same(t, "of VVᵀ from Σ λ_i w_iw_iᵀ over them",
			Product(s.leading(k), s.kept(k), s.leading(k).T()), projector(v), 2e-4)
	}
}

// Section 2.3.2, LoRA for a singular value decomposition: −2 tr(UᵀAV) + tr(UᵀU VᵀV) = ‖A − UVᵀ‖²_F − ‖A‖²_F, whose
// minimum −Σ_{i≤k} σ_i² is at the leading singular vectors, each scaled by √σ_i.
func TestLoRAOfARectangularMatrix(t *testing.T) {
	printed := papertest.Of(t, "lora-svd").Printed
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 8).Draw(t, "rows"), rapid.IntRange(1, 8).Draw(t, "cols")
		k, rng := rapid.IntRange(1, min(rows, cols)).Draw(t, "k"), drawRand(t)
		a, u, v := Gaussian(rng, rows, cols), Gaussian(rng, rows, k), Gaussian(rng, cols, k)
		lossAt := func(u, v *mat.Dense) float64 {
			return -2*mat.Trace(Product(u.T(), a, v)) + mat.Trace(Product(Gram(u), Gram(v)))
		}
		printed.Agree(t, "largest relative difference of ‖A − UVᵀ‖² − ‖A‖² and the expression",
			squaredNorm(Combine(1, a, -1, Product(u, v.T())))-squaredNorm(a), lossAt(u, v), 1e-11)

		var svd mat.SVD
		require.True(t, svd.Factorize(a, mat.SVDThin))
		var left, right mat.Dense
		svd.UTo(&left)
		svd.VTo(&right)
		values := svd.Values(nil)[:k]
		minimum, roots := -floats.Dot(values, values), diagonal(values, math.Sqrt)
		printed.Agree(t, "of the latter at the singular vectors and −Σ_{i≤k} σ_i²", minimum,
			lossAt(Product(Columns(&left, 0, k), roots), Product(Columns(&right, 0, k), roots)), 1e-11)
		printed.AtMost(t, "how far random U, V are below that", minimum, lossAt(u, v), 0)
	})
}

// drawn returns the rows of a table that each batch draws, [R, B, k].
func drawn(table testkit.Array, batches [][]int) testkit.Array {
	var rows []float64
	for _, state := range slices.Concat(batches...) {
		rows = append(rows, table.Matrix().RawRowView(state)...)
	}
	return testkit.Array{Dims: []int{len(batches), len(batches[0]), table.Dims[1]}, Data: rows}
}

// Section 2.3.2. With one batch of B samples for both moments the metric term has the mean E tr(M̂N̂) = (1 − 1/B)
// tr(MN) + (1/B) E |f|² fᵀTf, N = M[f,Tf], and likewise for LoRA with f for Tf.
func TestMinibatchLossIsBiased(t *testing.T) {
	claim := papertest.Of(t, "unbiased-minibatch")
	const n, k = 3, 2
	rng := testkit.NewRand(770)
	f, tf := testkit.Gaussian(rng, n, k), testkit.Gaussian(rng, n, k)
	for _, c := range []struct {
		objective ommlx.Objective
		second    testkit.Array
	}{{ommlx.OMM{}, tf}, {ommlx.LoRA{}, f}} {
		all := testkit.EvaluateObjective(t, c.objective, testkit.Point{F: f, TF: tf}).Loss.Data[0]
		metric := mat.Trace(Product(testkit.SecondMoment(f, f).Matrix(), testkit.SecondMoment(f, c.second).Matrix()))
		fourth := 0.0
		for x := 0; x < n*k; x += k {
			fourth += floats.Dot(f.Data[x:x+k], f.Data[x:x+k]) / n * floats.Dot(f.Data[x:x+k], c.second.Data[x:x+k])
		}
		require.Greater(t, math.Abs(fourth-metric), 0.1, "the bias is not zero")
		for _, size := range []int{1, 2, 4} {
			every := combin.Cartesian(slices.Repeat([]int{n}, size)) // equally likely, so the mean is exact
			at := testkit.Point{F: drawn(f, every), TF: drawn(tf, every)}
			mean := stat.Mean(testkit.EvaluateObjective(t, c.objective, at).Loss.Data, nil)
			claim.Corrected.Agree(t, "relative difference of the mean batch loss and the loss with its bias, OMM and "+
				"LoRA, B = 1, 2, 4", all+(fourth-metric)/float64(size), mean, 1e-12)
		}
	}
}

// Section 3.2.2: for positive L and f = Lg, −2 tr M[Lg,g] + tr(M[Lg] M[Lg,g]) is OMM-1 of L⁻¹ at f, with gradient L∇_f
// with respect to g. Its minimum −Σ 1/λ_i over the lowest k eigenvalues is at g_i = φ_i/λ_i. The leading eigenfunctions
// of L⁻¹ are the lowest of L only for a positive spectrum: lowered by 5, the oscillator has −3, −1, −1, 1, 1, 1.
func TestInverseOperatorTrick(t *testing.T) {
	printed, theory := papertest.Of(t, "inverse-objective").Printed, papertest.Of(t, "inverse-trick-theory")
	trick := graphLoss(func(g, l *Node) *Node {
		root := math.Sqrt(float64(g.Shape().Dim(0)))
		return lossOf(ommlx.OMM{})(MulScalar(MatMul(l, g), root), MulScalar(g, root))
	})
	ofLeader := func(t require.TestingT, s spectrum) float64 { // ⟨L⟩ of the first eigenvector of L⁻¹
		return s.energy(Columns(eigen(inverse(t, s.a)).Vectors, 0, 1))
	}
	forAll(t, states, 0.2, 5, func(t *rapid.T, s spectrum, k int) {
		g := s.gaussian(0.3, k)
		loss, gradient := trick(g, s.a)
		want, forF := order(1)(Product(s.a, g), inverse(t, s.a))
		printed.Agree(t, "largest difference of the loss from OMM-1 of L⁻¹ at f = Lg", want, loss, 1e-10)
		printed.Same(t, "of the gradient for g from L times the gradient for f", Product(s.a, forF), gradient, 1e-10)

		lowest := Columns(s.w, states-k, states)
		scale := diagonal(s.values[states-k:], func(x float64) float64 { return 1 / x })
		best := Product(lowest, scale)
		attains(t, printed, "of the loss at g_i = φ_i/λ_i from −Σ 1/λ_i", trick, best, s.a, -mat.Trace(scale), 1e-10)
		printed.Same(t, "difference of Lg from φ at that minimum", lowest, Product(s.a, best), 1e-11)
		theory.Corrected.Agree(t, "positive spectrum: ⟨L⟩ of the leader of L⁻¹, from the lowest eigenvalue",
			s.values[states-1], ofLeader(t, s), 1e-10)
	})
	lowered := newSpectrum(testkit.NewRand(760), 1, 1, 1, -1, -1, -3)
	theory.Printed.Beyond(t, "⟨L⟩ of the leader of L⁻¹ for the lowered oscillator, from its lowest eigenvalue",
		papertest.Difference(-3, ofLeader(t, lowered)), 1e-10)
}

// Section 3.2.2 and appendix C.2: OMM fails on spectra that are unbounded above, such as the levels 2, 4, 4, 6, 6, 6, …
// of H; LoRA's loss of T = c − H is at least −Σ λ_i² over the positive λ_i of T.
func TestOscillatorWithoutItsInverse(t *testing.T) {
	printed, lora := papertest.Of(t, "omm-cannot-lora-can").Printed, onMatrix(ommlx.LoRA{})
	const k = 3
	before := math.Inf(1) // OMM's loss with fewer levels
	for seed := range uint64(80) {
		c, levels := []float64{0, 4.5}[seed/4%2], []int{3, 6, 10, 15}[seed%4] // c: no shift, or above E_k
		values := []float64{2, 4, 4, 6, 6, 6, 8, 8, 8, 8, 10, 10, 10, 10, 10}[:levels]
		floats.AddConst(-c, values)
		floats.Scale(-1, values)
		s := newSpectrum(testkit.NewRand(seed), values...)
		least := -squaredNorm(s.kept(k))
		best := Product(s.leading(k), diagonal(s.kept(k).RawBand().Data, math.Sqrt))
		attains(t, printed, "LoRA's loss at √λ_i w_i of the positive λ_i, or at 0, from −Σ λ_i²", lora, best, s.a,
			least, 1e-12)
		loss, _ := lora(s.gaussian(1, k), s.a)
		printed.AtMost(t, "how far other functions fall below that loss", least, loss, 0)
		loss = omm(1, Scaled(1e3, s.mode(levels-1)), s.a)
		if levels > 3 {
			printed.Within(t, "OMM's loss at norm 10³ along the highest of 6, 10, 15 levels", loss, -1e11)
			printed.Within(t, "the same, less it with 3, 6, 10 levels", loss-before, -1e11)
		}
		before = loss
	}
}
