package verify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// views is a finite model of section 3.3: the joint distribution p(t_1,t_2) = Σ_x p(x) p(t_1|x) p(t_2|x), and p(t).
type views struct {
	joint *mat.Dense
	p     []float64
	rng   *rand.Rand
}

func drawViews(t *rapid.T, n int) views {
	images := rapid.IntRange(1, 2*n).Draw(t, "images")
	rng := drawRand(t)
	positive := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 0.05 + rng.Float64()
		}
		floats.Scale(1/floats.Sum(x), x)
		return x
	}
	joint, p := mat.NewDense(n, n, nil), make([]float64, n)
	for _, px := range positive(images) {
		given := mat.NewVecDense(n, positive(n))
		joint.RankOne(joint, px, given, given)
		floats.AddScaled(p, px, given.RawVector().Data)
	}
	return views{joint, p, rng}
}

// whitened returns D^{-1/2} J D^{-1/2}. With J the joint distribution and D = diag p it is the canonical dependence
// kernel as an operator on L²_p in an orthonormal basis; with J an adjacency matrix and D the degrees it is I − L_sym.
func whitened(j *mat.Dense, weights []float64) *mat.Dense {
	root := diagonal(weights, func(x float64) float64 { return 1 / math.Sqrt(x) })
	return Product(root, j, root)
}

// Section 3.3: the canonical dependence kernel k(t_1,t_2) = p(t_1,t_2)/(p(t_1)p(t_2)) is symmetric and positive
// semidefinite. As an operator on L²_p it has its spectrum in [0, 1]. Its first eigenfunction is the constant, with
// eigenvalue 1, which the paper does not mention: it takes up one of the k modes. OMM needs only the moments
// M[f,Tf] = E f(t_1)f(t_2)ᵀ.
func TestCanonicalDependenceKernel(t *testing.T) {
	claim := papertest.Of(t, "cdk-symmetric-psd")
	omm := onMatrix(t, ommlx.OMM{})
	rapid.Check(t, func(t *rapid.T) {
		const n, k = libraryStates, 3
		v := drawViews(t, n)
		operator := whitened(v.joint, v.p)
		values := eigenvaluesOf(t, operator)
		claim.Printed.AtMost(t, "negative part of the spectrum", 0, values[0], 1e-14)
		claim.Printed.Within(t, "distance of the largest eigenvalue from 1", math.Abs(values[n-1]-1), 1e-13)
		root := diagonal(v.p, math.Sqrt) // to the orthonormal basis of L²_p
		constant := Product(root, mat.NewDense(n, 1, slices.Repeat([]float64{1}, n)))
		requireSame(t, constant, Product(operator, constant), 1e-13, "T1 = 1")

		kernel := mat.NewDense(n, n, nil)
		kernel.Apply(func(i, j int, x float64) float64 { return x / (v.p[i] * v.p[j]) }, v.joint)
		require.GreaterOrEqual(t, eigenvaluesOf(t, kernel)[0], -1e-11)
		claim.Printed.Same(t, "asymmetry of the kernel", kernel, kernel.T(), 1e-12)

		f := mat.NewDense(n, k, nil) // values on the views
		f.Apply(func(_, _ int, _ float64) float64 { return v.rng.Float64() - 0.5 }, f)
		overlap := Product(f.T(), mat.NewDiagDense(n, v.p), f) // E f(t)f(t)ᵀ
		projected := Product(f.T(), v.joint, f)                // E f(t_1)f(t_2)ᵀ
		loss, _ := omm(Product(root, f), operator)
		claim.Printed.Agree(t, "the loss from two moments against that of the matrix", loss,
			-2*mat.Trace(projected)+mat.Trace(Product(overlap, projected)), 1e-12)
	})
}

// Section 3.3: features are scaled to norm 1 before the OMM loss. For k > 1 the loss then exceeds its minimum by at
// least the smallest Σ_{i≤k} (1 − μ_i)²λ_i with Σμ_i = 1, which is at least λ_k (k − 1)²/k.
func TestUnitFeaturesCannotReachTheMinimum(t *testing.T) {
	claim := papertest.Of(t, "feature-normalisation")
	omm := onMatrix(t, ommlx.OMM{})
	nearest := math.Inf(1)
	rapid.Check(t, func(t *rapid.T) {
		const n, k = libraryStates, 3
		v := drawViews(t, n)
		operator := whitened(v.joint, v.p)
		values := eigenvaluesOf(t, operator)
		sum := floats.Sum(values[n-k:])
		basis := mat.NewDense(n, k, nil)
		for i := range n {
			f := testkit.Gaussian(v.rng, k).Data
			floats.Scale(math.Sqrt(v.p[i])/floats.Norm(f, 2), f) // |f(t_i)| = 1, in the basis of L²_p
			basis.SetRow(i, f)
		}
		claim.Corrected.Within(t, "distance of tr M[f] from 1", math.Abs(mat.Trace(Gram(basis))-1), 1e-14)
		loss, _ := omm(basis, operator)
		bound := values[n-k] * square(float64(k-1)) / k
		claim.Corrected.AtMost(t, "how far the excess of the loss is below λ_k (k−1)²/k", bound, loss+sum, 1e-12)
		nearest = min(nearest, (loss+sum)/sum)
	})
	require.Greater(t, nearest, 1e-3)
	claim.Note("unit features stay %.2g above the minimum of Theorem 1, relative, k = 3", nearest)
}

// Section 3.3: contrastive methods factorise log k. For a table of scores s the population loss
//
//	E_{p(t_1,t_2)} [ −s(t_1,t_2) + log E_{p(t)} exp s(t_1,t) ]
//
// is stationary, and by convexity minimal, at s = log k(t_1,t_2) + c(t_1) with any c, which the paper omits. Its value
// there is minus the mutual information.
func TestContrastiveLossIsLeastAtTheLogKernel(t *testing.T) {
	claim := papertest.Of(t, "contrastive-factorises-log-cdk")
	loss := graphLoss(t, func(s, joint *Node) *Node {
		p := InsertAxes(ReduceSum(joint, 0), 0)
		partition := Log(ReduceAndKeep(Mul(p, Exp(s)), ReduceSum, 1))
		return ReduceAllSum(Mul(joint, Sub(partition, s)))
	})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		v := drawViews(t, n)
		scores, shifted, information := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), 0.0
		for i := range n {
			c := 4 * v.rng.Float64()
			for j := range n {
				logKernel := math.Log(v.joint.At(i, j) / (v.p[i] * v.p[j]))
				scores.Set(i, j, logKernel)
				shifted.Set(i, j, logKernel+c)
				information += v.joint.At(i, j) * logKernel
			}
		}
		value, gradient := loss(scores, v.joint)
		claim.Printed.Within(t, "loss at log k, from minus the mutual information", math.Abs(value+information), 1e-12)
		claim.Printed.Within(t, "gradient of the loss at log k", mat.Norm(gradient, 2), 1e-13)
		value, gradient = loss(shifted, v.joint)
		claim.Corrected.Within(t, "loss at log k + c(t_1), from minus the mutual information",
			math.Abs(value+information), 1e-12)
		claim.Corrected.Within(t, "gradient of the loss at log k + c(t_1)", mat.Norm(gradient, 2), 1e-13)
	})
}

// Appendix C.3: L_sym = I − D^{-1/2}AD^{-1/2} has its spectrum in [0, 2]; 0 is the lowest eigenvalue, and bipartite
// graphs attain 2.
func TestSpectrumOfTheNormalisedLaplacian(t *testing.T) {
	claim := papertest.Of(t, "graph-laplacian-spectrum")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		bipartite := rapid.Bool().Draw(t, "bipartite")
		adjacency, degrees := mat.NewDense(n, n, nil), make([]float64, n)
		connect := func(i, j int) {
			adjacency.Set(i, j, 1)
			adjacency.Set(j, i, 1)
		}
		for i := 1; i < n; i++ {
			connect(i-1, i)
		}
		if !bipartite {
			connect(0, 2) // a triangle
		}
		for i := range degrees {
			degrees[i] = floats.Sum(adjacency.RawRowView(i))
		}
		values := eigenvaluesOf(t, defect(whitened(adjacency, degrees)))
		claim.Printed.Within(t, "part of the spectrum of L_sym outside [0, 2]",
			max(0, -values[0], values[n-1]-2), 1e-13)
		require.InDelta(t, 0, values[0], 1e-13)
		require.Equal(t, bipartite, values[n-1] > 2-1e-4)
	})
}

// Appendix C.3 calls Neural Eigenmaps (Deng et al., "Neural Eigenfunctions Are Structured Representation Learners",
// Eq. 8) regularisation-based, without the sharp optimality of OMM. On a matrix, v_j of norm 1 maximises
//
//	v_jᵀAv_j − α Σ_{i<j} (v_iᵀAv_j)²,
//
// with the earlier columns fixed. With v_i = w_i this is the quadratic form of A − α Σ_{i<j} λ_i² w_iw_iᵀ, whose
// leading eigenvector is w_j if α > (λ_i − λ_j)/λ_i² for all i < j, and otherwise some w_i again: sharp, but only for α
// large enough.
func TestNeuralEigenmapsNeedALargeAlpha(t *testing.T) {
	claim := papertest.Of(t, "eigenmaps-not-sharp")
	rapid.Check(t, func(t *rapid.T) {
		const d, k = libraryStates, 3
		s := drawSpectrum(t, d, d, 0.1, 1)
		threshold := 0.0
		for i := range k - 1 { // the largest (λ_i − λ_j)/λ_i², i < j ≤ k
			threshold = max(threshold, (s.values[i]-s.values[k-1])/square(s.values[i]))
		}
		if threshold < 1e-3 || s.values[k-1]-s.values[k] < 1e-3 {
			t.Skip("eigenvalues too close")
		}
		// learned returns the largest distance, over the modes, of the best Rayleigh quotient from λ_j; for a repeated
		// earlier mode it is the distance from the earlier eigenvalue.
		learned := func(alpha float64) (distance float64) {
			deflated := mat.DenseCopyOf(s.a)
			for j := range k {
				v := eigen(deflated).Vectors.ColView(0)
				distance = max(distance, math.Abs(mat.Inner(v, s.a, v)-s.values[j]))
				deflated = Combine(1, deflated, -alpha*square(s.values[j]), projector(s.mode(j)))
			}
			return distance
		}
		claim.Corrected.Within(t, "α above max (λ_i − λ_j)/λ_i²: largest difference of ⟨A⟩ from λ_j",
			learned(1.01*threshold), 1e-10)
		claim.Printed.Beyond(t, "largest difference of ⟨A⟩ from λ_j with an α below the bound", learned(0.9*threshold),
			1e-6)
	})
}

// Appendix C.3: the density printed for ogbn-products follows from the printed numbers of nodes and undirected edges.
func TestPrintedDensity(t *testing.T) {
	claim := papertest.Of(t, "ogbn-numbers")
	const nodes, edges, density = 2_449_029.0, 61_859_140.0, 2.06e-5
	testkit.RequireInPaper(t, `2,449,029 nodes and 61,859,140 edges`)
	testkit.RequireInPaper(t, `this graph is $2.06\times 10^{-5}$`)
	claim.Printed.Within(t, "difference from 2.06·10⁻⁵", math.Abs(edges/(nodes*(nodes-1)/2)-density), 0.005e-5)
}
