package verify

import (
	"math"
	"strings"
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

// Section 3.3 scales features to norm 1, so that tr M[f] = 1 and the minimiser of Theorem 1 is out of reach. What is
// least under tr M[f] = s? For A in place of T: VVᵀ has the eigenvectors of A, and eigenvalues μ_i by "water-filling",
//
//	λ_i Σ_p p w_p (1 − μ_i)^{2p−1} = c where μ_i > 0, and λ_i Σ_p p w_p ≤ c where μ_i = 0,
//
// so that mode m has a part in it if and only if Σ_{i<m} (1 − (λ_m/λ_i)^{1/(2p−1)}) < s. The order decides how many
// modes are learned: here is what changes with it, beside and before any gradient's size.
func TestHigherOrderLearnsMoreModesWhereTheTraceIsFixed(t *testing.T) {
	claim := papertest.Of(t, "feature-normalisation")
	values := []float64{1, 0.8, 0.65, 0.5, 0.3, 0.1}
	const d, k = libraryStates, 5
	modesAt := func(p int, s float64) int {
		for m := range d {
			sum := 0.0
			for i := range m {
				sum += 1 - math.Pow(values[m]/values[i], 1/float64(2*p-1))
			}
			if sum >= s {
				return m
			}
		}
		return d
	}
	for _, c := range []struct {
		orders []float64
		s      float64
		modes  int // 0: a mixture, no formula
	}{
		{[]float64{1}, 1, modesAt(1, 1)},
		{[]float64{0, 1}, 1, modesAt(2, 1)},
		{[]float64{0, 0, 1}, 1, modesAt(3, 1)},
		{[]float64{1, 1}, 1, 0},
		{[]float64{1}, 3, modesAt(1, 3)},
	} {
		omm := ommlx.OMM{Orders: c.orders}
		ofFixedTrace := graphLoss(t, func(v, a *Node) *Node {
			v = Mul(v, Div(MulScalar(OnesLike(v), math.Sqrt(c.s)), Sqrt(ReduceAllSum(Square(v)))))
			f, tf := MulScalar(v, math.Sqrt(d)), MulScalar(MatMul(a, v), math.Sqrt(d))
			loss, _ := omm.Loss(ommlx.Batch{F: f, TF: tf}, nil)
			return loss
		})
		for seed := range uint64(3) {
			s := newSpectrum(testkit.NewRand(805+seed), values...)
			_, v := s.minimise(t, ofFixedTrace, 1, k)
			v = Scaled(math.Sqrt(c.s)/mat.Norm(v, 2), v)
			inside := Product(s.w.T(), v, v.T(), s.w)
			mu := make([]float64, d)
			for i := range mu {
				mu[i] = inside.At(i, i)
			}
			claim.Corrected.Within(t, "distance of the least VVᵀ with tr VVᵀ = s from one with A's eigenvectors",
				mat.Norm(Combine(1, inside, -1, mat.NewDiagDense(d, mu)), 2), 1e-5)
			var levels []float64
			for i, m := range mu {
				level := 0.0
				for j, weight := range c.orders {
					level += values[i] * float64(j+1) * weight * math.Pow(1-m, float64(2*j+1))
				}
				if m > 1e-6 {
					levels = append(levels, level)
				} else {
					require.LessOrEqual(t, level, floats.Min(levels)+1e-6, "%s: mode %d", omm.Name(), i+1)
				}
			}
			claim.Corrected.Within(t, "spread of λ_i Σ_p p w_p (1 − μ_i)^{2p−1} over the modes learned",
				floats.Max(levels)-floats.Min(levels), 1e-5)
			if c.modes > 0 {
				require.Len(t, levels, min(c.modes, k), "%s, s = %g", omm.Name(), c.s)
			}
			if seed == 0 { // and so in every run
				claim.Note("%s, tr M[f] = %g: %d modes learned of %d", omm.Name(), c.s, len(levels), k)
			}
		}
	}
}

// Appendix C.3 calls Neural Eigenmaps (Deng et al., "Neural Eigenfunctions Are Structured Representation Learners",
// Eq. 8) regularisation-based, without the sharp optimality of OMM. On a matrix and for columns of norm 1, v_j
// maximises
//
//	v_jᵀAv_j − α Σ_{i<j} (v_iᵀAv_j)²,
//
// where those before it do not move. With v_i = w_i that is the quadratic form of A − α Σ_{i<j} λ_i² w_iw_iᵀ, whose
// leading eigenvector is w_j if α > (λ_i − λ_j)/λ_i² for all i < j, and a repetition of some w_i if not: sharp, but for
// α large enough only.
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
			t.Skip("the modes cannot be told apart")
		}
		// learned returns the largest distance, over the modes, of the best Rayleigh quotient from λ_j; where an
		// earlier mode is repeated, that is its distance from the earlier eigenvalue.
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

// Appendix C.3: the density printed for ogbn-products is that of the printed numbers of nodes and of undirected edges.
func TestPrintedDensity(t *testing.T) {
	claim := papertest.Of(t, "ogbn-numbers")
	const nodes, edges, density = 2_449_029.0, 61_859_140.0, 2.06e-5
	source := strings.Join(strings.Fields(testkit.PaperIfThere(t)), " ")
	for _, words := range []string{`2,449,029 nodes and 61,859,140 edges`, `this graph is $2.06\times 10^{-5}$`} {
		require.True(t, source == "" || strings.Contains(source, words), words)
	}
	claim.Printed.Within(t, "difference from 2.06·10⁻⁵", math.Abs(edges/(nodes*(nodes-1)/2)-density), 0.005e-5)
}
