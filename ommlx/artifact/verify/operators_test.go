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
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// whitened returns D^{-1/2} J D^{-1/2}, where D is diagonal with the sums of J's rows, and these sums. For the joint
// distribution J it is the canonical dependence kernel as an operator on L²_p in an orthonormal basis; for an adjacency
// matrix J, with the degrees as sums, it is I − L_sym.
func whitened(j mat.Matrix) (operator *mat.Dense, sums []float64) {
	n, _ := j.Dims()
	sums = Product(j, mat.NewDense(n, 1, slices.Repeat([]float64{1}, n))).RawMatrix().Data
	root := diagonal(sums, func(x float64) float64 { return 1 / math.Sqrt(x) })
	return Product(root, j, root), sums
}

// Section 3.3, for a random joint distribution p(t_1,t_2) = Σ_x p(x) p(t_1|x) p(t_2|x) of n views. As an operator on
// L²_p the kernel p(t_1,t_2)/(p(t_1)p(t_2)) has its spectrum in [0, 1], and its first eigenfunction is the constant,
// with eigenvalue 1. OMM needs only the moments M[f,Tf] = E f(t_1)f(t_2)ᵀ. With features of norm 1 and k > 1 the loss
// exceeds its minimum by at least λ_k (k − 1)²/k. The contrastive loss E_{p(t_1,t_2)} [−s(t_1,t_2) + log E_{p(t)} exp
// s(t_1,t)] is minimal at s = log k(t_1,t_2) + c(t_1) with any c, and its value there is minus the mutual information.
func TestCanonicalDependenceKernel(t *testing.T) {
	printed, unit := papertest.Of(t, "cdk-symmetric-psd").Printed, papertest.Of(t, "feature-normalisation")
	contrastive, nearest := papertest.Of(t, "contrastive-factorises-log-cdk"), math.Inf(1)
	contrast := graphLoss(func(s, joint *Node) *Node {
		p := InsertAxes(ReduceSum(joint, 0), 0)
		partition := Log(ReduceAndKeep(Mul(p, Exp(s)), ReduceSum, 1))
		return ReduceAllSum(Mul(joint, Sub(partition, s)))
	})
	rapid.Check(t, func(t *rapid.T) {
		const n, k = states, 3
		images, rng := rapid.IntRange(1, 2*n).Draw(t, "images"), drawRand(t)
		roots := mat.NewDense(images, n, nil) // √p(x) p(t|x), up to a factor
		roots.Apply(func(_, _ int, _ float64) float64 { return 0.05 + rng.Float64() }, roots)
		joint := Gram(roots)
		joint.Scale(1/mat.Sum(joint), joint)
		operator, p := whitened(joint)
		values := eigen(operator).Values
		var kernel, scores, shifted mat.Dense
		kernel.Apply(func(i, j int, x float64) float64 { return x / (p[i] * p[j]) }, joint)

		printed.Within(t, "negative part of the spectrum", max(0, -values[n-1]), 1e-14)
		printed.Near(t, "distance of the largest eigenvalue from 1", 1, values[0], 1e-13)
		toL2 := diagonal(p, math.Sqrt) // from values on the views to the basis of L²_p
		constant := Product(toL2, mat.NewDense(n, 1, slices.Repeat([]float64{1}, n)))
		printed.EqualMatrix(t, "of T1 from the constant function 1", constant, Product(operator, constant), 1e-14)
		printed.EqualMatrix(t, "asymmetry of the kernel", &kernel, kernel.T(), 1e-12)

		f := RandomGaussian(rng, n, k)                       // values on the views
		overlap := Product(f.T(), mat.NewDiagDense(n, p), f) // E f(t)f(t)ᵀ
		projected := Product(f.T(), joint, f)                // E f(t_1)f(t_2)ᵀ
		printed.Equal(t, "the loss from two moments against the loss of the matrix", omm(1, Product(toL2, f), operator),
			-2*mat.Trace(projected)+mat.Trace(Product(overlap, projected)), 1e-12)

		for i := range n {
			floats.Scale(1/floats.Norm(f.RawRowView(i), 2), f.RawRowView(i))
		}
		features, sum := Product(toL2, f), floats.Sum(values[:k])
		excess, bound := omm(1, features, operator)+sum, values[k-1]*square(k-1)/k
		unit.Corrected.Near(t, "distance of tr M[f] from 1", 1, mat.Trace(Gram(features)), 1e-14)
		unit.Corrected.Within(t, "how far the excess of the loss is below λ_k (k−1)²/k", max(0, bound-excess), 1e-12)
		nearest = min(nearest, excess/sum)

		c := drawNumbers(t, n, 0, 4)
		scores.Apply(func(_, _ int, x float64) float64 { return math.Log(x) }, &kernel)
		shifted.Apply(func(i, _ int, x float64) float64 { return x + c[i] }, &scores)
		information := mat.Trace(Product(joint, &scores)) // both are symmetric
		attains(t, contrastive.Printed, "loss at log k, from minus the mutual information", contrast, &scores, joint,
			-information, 1e-13)
		attains(t, contrastive.Corrected, "loss at log k + c(t_1), from minus the mutual information", contrast,
			&shifted, joint, -information, 1e-13)
	})
	unit.Note("unit features stay %.2g above the minimum of Theorem 1, relative, k = 3", nearest)
}

// Appendix C.3: L_sym = I − D^{-1/2}AD^{-1/2} has its spectrum in [0, 2]; bipartite graphs, such as a path, attain 2.
// OMM decomposes S = I − L_sym, which has trace 0 and therefore negative eigenvalues: section 2.2.3 asks for a shift κ.
// S + I has none for any graph.
func TestSpectrumOfTheNormalisedLaplacian(t *testing.T) {
	claim, rng := papertest.Of(t, "graph-laplacian-spectrum"), testkit.NewRand(850)
	free := papertest.Of(t, "omm-hyperparameter-free-graph")
	for n := 3; n <= 12; n++ {
		for _, bipartite := range []bool{true, false} {
			adjacency := mat.NewSymDense(n, nil)
			for i := range n {
				for j := range i { // a path with other edges, in bipartite graphs only between even and odd nodes
					triangle := !bipartite && i == 2
					if i-j == 1 || triangle || rng.Float64() < 0.3 && (!bipartite || (i-j)%2 == 1) {
						adjacency.SetSym(i, j, 1)
					}
				}
			}
			operator, _ := whitened(adjacency)
			values := eigen(defect(operator)).Values
			outside := max(0, -values[n-1], values[0]-2)
			claim.Printed.Within(t, "part of the spectrum of L_sym outside [0, 2]", outside, 1e-13)
			free.Corrected.Near(t, "trace of S", 0, mat.Trace(operator), 1e-13)
			free.Printed.Beyond(t, "size of the most negative eigenvalue of S", values[0]-1, 0)
			free.Corrected.Within(t, "size of the most negative eigenvalue of S + I", max(0, values[0]-2), 1e-13)
			require.InDelta(t, 0, values[n-1], 1e-13)
			require.Equal(t, bipartite, values[0] > 2-1e-4)
		}
	}
}

// Appendix C.3. In Neural Eigenmaps (Deng et al., Eq. 8) v_j of norm 1 maximises v_jᵀAv_j − α Σ_{i<j} (v_iᵀAv_j)², the
// quadratic form of A − α Σ_{i<j} λ_i² w_iw_iᵀ. Its leading eigenvector is w_j if α > (λ_i − λ_j)/λ_i² for all i < j,
// and otherwise some w_i again.
func TestNeuralEigenmapsNeedALargeAlpha(t *testing.T) {
	claim := papertest.Of(t, "eigenmaps-not-sharp")
	forAll(t, states, 0.1, 1, func(t *rapid.T, s spectrum, _ int) {
		const k = 3
		threshold := 0.0
		for _, value := range s.values[:k-1] { // the largest (λ_i − λ_j)/λ_i², i < j ≤ k
			threshold = max(threshold, (value-s.values[k-1])/square(value))
		}
		if threshold < 1e-3 || s.values[k-1]-s.values[k] < 1e-3 {
			t.Skip("eigenvalues too close")
		}
		// learned returns the largest distance of the best Rayleigh quotient of a mode from λ_j; for a repeated earlier
		// mode it is the distance from the earlier eigenvalue.
		learned := func(alpha float64) (distance float64) {
			deflated := mat.DenseCopyOf(s.a)
			for j := range k {
				v := Columns(eigen(deflated).Vectors, 0, 1)
				distance = max(distance, math.Abs(s.energy(v)-s.values[j]))
				deflated = Difference(deflated, Scaled(alpha*square(s.values[j]), projector(s.mode(j))))
			}
			return distance
		}
		claim.Corrected.Within(t, "difference of ⟨A⟩ from λ_j, α > (λ_i − λ_j)/λ_i²", learned(1.01*threshold), 1e-10)
		claim.Printed.Beyond(t, "the same with an α below the bound", learned(0.9*threshold), 1e-6)
	})
}

// Section 3.1 and appendix C.1. In the open room of 15×15 cells the fastest mode alternates in both directions, λ(P) =
// cos(14π/15); L + I has the same top mode.
func TestLaplacianOfAGridWorldIsNeverNegative(t *testing.T) {
	ends := papertest.Of(t, "top-eigenvectors-of-l")
	for _, name := range []string{"GridRoom-1", "GridMaze-7", "GridMaze-9"} {
		p := mat.DenseCopyOf(testkit.Must(gridworld.Load(name)).Transition())
		n, _ := p.Dims()
		values := eigen(defect(p)).Values
		ends.Corrected.Near(t, "distance of the smallest eigenvalue of I − P from 0", 0, values[n-1], 1e-12)
		ends.Corrected.Within(t, "excess of the largest eigenvalue of I − P over 2", max(0, values[0]-2), 1e-12)
		for i := range n {
			disc := floats.Norm(mat.Row(nil, i, p), 1)
			ends.Corrected.Within(t, "excess of Gershgorin's discs of P over [−1, 1]", max(0, disc-1), 1e-13)
		}
	}
	const side = 15
	l := defect(mat.DenseCopyOf(testkit.Must(gridworld.Load("GridRoom-1")).Transition()))
	cosine := func(x int) float64 { return math.Cos(math.Pi * (side - 1) * (float64(x) + 0.5) / side) }
	top, smooth := mat.NewDense(side*side, 1, nil), mat.NewDense(side*side, 1, slices.Repeat([]float64{1}, side*side))
	top.Apply(func(cell, _ int, _ float64) float64 { return cosine(cell/side) * cosine(cell%side) }, top)
	value := 1 + math.Cos(math.Pi/side)
	ends.Corrected.EqualMatrix(t, "residual of the alternating product of cosines as top eigenvector of L",
		Scaled(value, top), Product(l, top), 1e-12)
	ends.Corrected.Within(t, "of the constant as lowest eigenvector", mat.Norm(Product(l, smooth), 2), 1e-12)
	ends.Printed.Beyond(t, "eigenvalue of the fastest mode of L + I, less that of the constant", value, 0)
}

// Section 3.1: with a shift κ steps must shrink like 1/(λ_1 + κ), while gaps do not change: κ = 1 takes (λ_1 + κ)/λ_1 =
// 2 times as many steps to the same accuracy.
func TestShiftCostsStepsInProportionToTheSpectrum(t *testing.T) {
	const d, k = 16, 11
	claim := papertest.Of(t, "omm-has-no-hyperparameters")
	values := testkit.Must(spectral.SymEigen(testkit.Must(gridworld.Load("GridRoom-4")).Transition())).Values[:d]
	truth := eigen(mat.DenseCopyOf(mat.NewDiagDense(d, values)))
	// stepsTo counts the steps until the average cosine similarity is 0.9.
	stepsTo := func(kappa float64) (steps int) {
		a := mat.DenseCopyOf(diagonal(values, func(x float64) float64 { return x + kappa }))
		start := Scaled(0.1, RandomGaussian(testkit.NewRand(310), d, k))
		l, rate := onMatrix(ommlx.OMM{Nesting: ommlx.Sequential}), 0.1/(values[0]+kappa)
		Descend(l, start, a, rate, 20_000, func(step int, v *mat.Dense) bool {
			_, mean := testkit.Must2(gridworld.CosineSimilarity(truth, v))
			steps = step
			return mean < 0.9
		})
		return steps
	}
	without, with := stepsTo(0), stepsTo(1)
	claim.Corrected.Near(t, "distance of the ratio of steps from (λ_1 + κ)/λ_1 = 2, relative", 1,
		float64(with)/float64(without)/((values[0]+1)/values[0]), 0.15)
	claim.Note("spectrum of GridRoom-4, k = 11, exact moments: %d steps without a shift, %d with κ = 1", without, with)
}

// Appendix C.3: the density printed for ogbn-products follows from the printed numbers of nodes and undirected edges.
func TestPrintedDensity(t *testing.T) {
	printed := papertest.Of(t, "ogbn-numbers").Printed
	const nodes, edges, density = 2_449_029.0, 61_859_140.0, 2.06e-5
	testkit.RequireInPaper(t, `2,449,029 nodes and 61,859,140 edges`)
	testkit.RequireInPaper(t, `this graph is $2.06\times 10^{-5}$`)
	printed.Near(t, "difference from 2.06·10⁻⁵", density, edges/(nodes*(nodes-1)/2), 0.005e-5)
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
		printed.Equal(t, "largest difference of the loss from OMM-1 of L⁻¹ at f = Lg", want, loss, 1e-10)
		printed.EqualMatrix(t, "of the gradient for g from L times the gradient for f", Product(s.a, forF), gradient,
			1e-10)

		lowest := Columns(s.w, states-k, states)
		scale := diagonal(s.values[states-k:], func(x float64) float64 { return 1 / x })
		best := Product(lowest, scale)
		attains(t, printed, "of the loss at g_i = φ_i/λ_i from −Σ 1/λ_i", trick, best, s.a, -mat.Trace(scale), 1e-10)
		printed.EqualMatrix(t, "difference of Lg from φ at that minimum", lowest, Product(s.a, best), 1e-11)
		theory.Corrected.Equal(t, "positive spectrum: ⟨L⟩ of the leader of L⁻¹, from the lowest eigenvalue",
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
		printed.Within(t, "how far other functions fall below that loss", max(0, least-loss), 0)
		loss = omm(1, Scaled(1e3, s.mode(levels-1)), s.a)
		if levels > 3 {
			printed.Within(t, "OMM's loss at norm 10³ along the highest of 6, 10, 15 levels", loss, -1e11)
			printed.Within(t, "the same, less it with 3, 6, 10 levels", loss-before, -1e11)
		}
		before = loss
	}
}
