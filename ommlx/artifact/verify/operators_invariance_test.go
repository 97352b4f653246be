package verify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// unnested are the objectives without nesting, nested those with it.
var (
	unnested = []ommlx.Objective{ommlx.OMM{}, ommlx.OMM{Orders: ommlx.Order(2)},
		ommlx.OMM{Orders: []float64{1, 0.5, 2}}, ommlx.LoRA{}, ommlx.Shifted{Objective: ommlx.OMM{}, Kappa: 0.5}}
	nested = []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Joint}, ommlx.OMM{Nesting: ommlx.Sequential},
		ommlx.OMM{Orders: ommlx.Order(2), Nesting: ommlx.Joint}, ommlx.LoRA{Nesting: ommlx.Joint},
		ommlx.LoRA{Nesting: ommlx.Sequential}, ommlx.Sanger{}}
)

// onBatch returns an objective as a loss of f and Tf, with its gradients for both.
func onBatch(t *testing.T, o ommlx.Objective) ValueLoss {
	return testkit.Must(OnValues(testkit.PureGo(t), func(f, tf *Node) *Node {
		loss, _ := o.Loss(ommlx.Batch{F: f, TF: tf}, nil)
		return loss
	}))
}

// drawBatch draws f and Tf that have nothing to do with each other, for B and k from 1 on; B may be less than k.
func drawBatch(t *rapid.T) (f, tf *mat.Dense, rng *rand.Rand) {
	batch := rapid.SampledFrom([]int{1, 2, 5, 9}).Draw(t, "B")
	k := rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "k")
	rng = drawRand(t)
	return Gaussian(rng, batch, k), Gaussian(rng, batch, k), rng
}

// OMM and Sanger's rule are linear in T: loss and gradient of cT are c times those of T, for every batch, so the
// minimiser does not move, and Adam, which divides by the size of the gradient, takes the same steps. LoRA's minimiser
// has norms in proportion to √c: L_cT(√c f) = c² L_T(f).
func TestScaleOfTheOperator(t *testing.T) {
	for _, o := range slices.Concat(unnested, nested) {
		root := 0.0 // f of cT is c^root·f of T
		switch o.(type) {
		case ommlx.LoRA:
			root = 0.5
		case ommlx.Shifted:
			continue // linear in T + κI
		}
		loss := onBatch(t, o)
		rapid.Check(t, func(t *rapid.T) {
			f, tf, _ := drawBatch(t)
			c := math.Pow(10, rapid.Float64Range(-3, 3).Draw(t, "log10 of c"))
			want, dF, dTF := loss(f, tf)
			scale := math.Pow(c, root)
			scaled, scaledF, scaledTF := loss(Scaled(scale, f), Scaled(c*scale, tf))
			require.InDelta(t, want, scaled/(c*scale*scale), 1e-10*(1+math.Abs(want)), o.Name())
			requireSame(t, dF, Scaled(1/(c*scale), scaledF), 1e-10, o.Name())
			requireSame(t, dTF, Scaled(1/scale, scaledTF), 1e-10, o.Name())
		})
	}
}

// Eq. (8) in the scale of f: L^(p)(cf) = Σ_j (−1)^j C(2p,j) c^{2j} tr(M[f]^{j−1} M[f,Tf]).
func TestScaleOfTheFunctions(t *testing.T) {
	claim := papertest.Of(t, "operator-objective")
	for p := 1; p <= 3; p++ {
		loss := onBatch(t, ommlx.OMM{Orders: ommlx.Order(p)})
		rapid.Check(t, func(t *rapid.T) {
			f, tf, _ := drawBatch(t)
			c := rapid.Float64Range(0, 1.5).Draw(t, "c")
			x := testkit.FromMatrix(f)
			moment := ommtest.SecondMoment(x, x).Matrix()
			projected := ommtest.SecondMoment(x, testkit.FromMatrix(tf)).Matrix()
			want, size, binomial := 0.0, 1.0, 1.0
			for j := 1; j <= 2*p; j++ {
				binomial *= -float64(2*p+1-j) / float64(j)
				term := binomial * math.Pow(c, float64(2*j)) * mat.Trace(Product(Power(moment, j-1), projected))
				want, size = want+term, size+math.Abs(term)
			}
			got, _, _ := loss(Scaled(c, f), Scaled(c, tf))
			claim.Printed.Within(t, "relative difference of the loss of c·f and Σ_j (−1)^j C(2p,j) c^{2j} "+
				"tr(M[f]^{j−1}M[f,Tf]), p = 1, 2, 3", math.Abs(want-got)/size, 1e-11)
		})
	}
}

// Without nesting a rotation of the functions among themselves, f → fQ and Tf → (Tf)Q, leaves the loss of every batch
// as it is, and the gradient turns with it. With nesting it does not, but for the signs of the functions.
func TestRotationOfTheFunctions(t *testing.T) {
	change := func(loss ValueLoss, f, tf *mat.Dense, q mat.Matrix) float64 {
		want, dF, dTF := loss(f, tf)
		turned, turnedF, turnedTF := loss(Product(f, q), Product(tf, q))
		gradient := func(want, got *mat.Dense) float64 {
			return mat.Norm(Combine(1, Product(want, q), -1, got), 2) / (1 + mat.Norm(want, 2))
		}
		return max(papertest.Difference(want, turned), gradient(dF, turnedF), gradient(dTF, turnedTF))
	}
	for _, o := range unnested {
		loss := onBatch(t, o)
		rapid.Check(t, func(t *rapid.T) {
			f, tf, rng := drawBatch(t)
			_, k := f.Dims()
			require.LessOrEqual(t, change(loss, f, tf, Orthonormal(rng, k, k)), 1e-10, o.Name())
		})
	}
	for _, o := range nested {
		loss, largest := onBatch(t, o), 0.0
		rapid.Check(t, func(t *rapid.T) {
			f, tf, rng := drawBatch(t)
			_, k := f.Dims()
			signs := diagonal(make([]float64, k), func(float64) float64 { return float64(1 - 2*rng.IntN(2)) })
			require.LessOrEqual(t, change(loss, f, tf, signs), 1e-12, o.Name())
			largest = max(largest, change(loss, f, tf, Orthonormal(rng, k, k)))
		})
		require.Greater(t, largest, 0.1, "%s: a rotation is seen", o.Name())
	}
}
