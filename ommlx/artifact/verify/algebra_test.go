package verify

import (
	"flag"
	"fmt"
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
	"omm-go/ommlx/backend"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// Draw the same cases in every run, so that results are reproducible; -rapid.seed=0 draws new ones.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}

// states is d in tests of the library, which compiles each shape.
const states = 6

// forAll checks a property for random symmetric matrices of d = states and for k = 1, 3 and d. See [drawSpectrum].
func forAll(t *testing.T, least int, low, high float64, property func(t *rapid.T, s spectrum, k int)) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{1, 3, states}).Draw(t, "k")
		property(t, drawSpectrum(t, states, least, low, high), k)
	})
}

func drawOrder(t *rapid.T) int { return rapid.IntRange(1, 3).Draw(t, "p") }

func drawRand(t *rapid.T) *rand.Rand { return testkit.NewRand(rapid.Uint64().Draw(t, "seed")) }

func drawNumber(t *rapid.T, low, high float64) float64 { return drawNumbers(t, 1, low, high)[0] }

func drawNumbers(t *rapid.T, n int, low, high float64) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(low, high), n, n).Draw(t, "numbers")
}

// spectrum is a random symmetric matrix A = WΛWᵀ; the columns of w are in the order of the eigenvalues, the largest
// first.
type spectrum struct {
	a, w   *mat.Dense
	values []float64
	rng    *rand.Rand
}

func newSpectrum(rng *rand.Rand, values ...float64) spectrum {
	a, w := RandomSymmetric(rng, values)
	return spectrum{a, w, values, rng}
}

// drawSpectrum draws a d×d matrix of rank from least to d whose non-zero eigenvalues, often repeated, are in [low,
// high].
func drawSpectrum(t *rapid.T, d, least int, low, high float64) spectrum {
	rank := rapid.OneOf(rapid.Just(d), rapid.IntRange(least, d)).Draw(t, "rank")
	values := make([]float64, 0, d)
	for len(values) < rank {
		value := rapid.Float64Range(low, high).Draw(t, "eigenvalue")
		values = append(values, slices.Repeat([]float64{value},
			rapid.IntRange(1, min(3, rank-len(values))).Draw(t, "multiplicity"))...)
	}
	values = append(values, make([]float64, d-rank)...)
	slices.Sort(values)
	slices.Reverse(values)
	return newSpectrum(drawRand(t), values...)
}

// top returns Σ_{i≤k} λ_i.
func (s spectrum) top(k int) float64 { return floats.Sum(s.values[:k]) }

// leading returns W_{1:k}.
func (s spectrum) leading(k int) *mat.Dense { return Columns(s.w, 0, k) }

// rotated draws W_{1:k}Q, Q orthogonal.
func (s spectrum) rotated(k int) *mat.Dense {
	return Product(s.leading(k), RandomOrthonormal(s.rng, k, k))
}

// mode returns w_i, where i counts from 0.
func (s spectrum) mode(i int) *mat.Dense { return Columns(s.w, i, i+1) }

// energy returns tr(VᵀAV).
func (s spectrum) energy(v *mat.Dense) float64 { return mat.Trace(Product(v.T(), s.a, v)) }

// gaussian draws V, d×k, of normal numbers with this standard deviation.
func (s spectrum) gaussian(deviation float64, k int) *mat.Dense {
	return Scaled(deviation, RandomGaussian(s.rng, len(s.values), k))
}

func (s spectrum) orthonormal(k int) *mat.Dense { return RandomOrthonormal(s.rng, len(s.values), k) }

// kept returns the positive ones of the leading k eigenvalues, and 0 for the others.
func (s spectrum) kept(k int) *mat.DiagDense {
	return diagonal(s.values[:k], func(x float64) float64 { return max(0, x) })
}

func (s spectrum) minimise(l Loss, deviation float64, k int) (loss float64, at *mat.Dense) {
	return testkit.Must2(Minimise(l, s.gaussian(deviation, k), s.a, 2000))
}

// The engine for small tests, and what [onMatrix] has compiled.
var engine, compiled = testkit.Must(backend.PureGo()), map[string]Loss{}

// onMatrix is [OnMatrix], compiled once for each objective.
func onMatrix(o ommlx.Objective) Loss {
	name := fmt.Sprintf("%#v", o)
	if compiled[name] == nil {
		compiled[name] = testkit.Must(OnMatrix(engine, o))
	}
	return compiled[name]
}

// order is the library's OMM-p on a matrix.
func order(p int) Loss { return onMatrix(ommlx.OMM{Orders: ommlx.Order(p)}) }

// omm returns the loss L^(p) of V for A.
func omm(p int, v, a *mat.Dense) float64 {
	loss, _ := order(p)(v, a)
	return loss
}

// attains requires V to be a critical point where the loss is at its minimum.
func attains(t require.TestingT, record papertest.Measure, what string, l Loss, v, a *mat.Dense,
	minimum, tolerance float64) {
	loss, gradient := l(v, a)
	record.Near(t, what, minimum, loss, tolerance)
	record.Within(t, "gradient there", mat.Norm(gradient, 2), tolerance)
}

// whether is the share of cases in which a statement is true, if it is true in all or in none.
var whether = map[bool]float64{true: 1}

func onValues(loss func(f, tf *Node) *Node) ValueLoss { return testkit.Must(OnValues(engine, loss)) }

func graphLoss(loss func(v, a *Node) *Node) Loss { return testkit.Must(onNodes(engine, loss)) }

func projector(v *mat.Dense) *mat.Dense { return Product(v, v.T()) }

// defect returns I − S.
func defect(s *mat.Dense) *mat.Dense {
	k, _ := s.Dims()
	return Difference(IdentityMatrix(k), s)
}

// residual returns I − VVᵀ.
func residual(v *mat.Dense) *mat.Dense { return defect(projector(v)) }

// diagonal returns the diagonal matrix of the numbers f(x_i).
func diagonal(x []float64, f func(float64) float64) *mat.DiagDense {
	m := mat.NewDiagDense(len(x), nil)
	for i, x := range x {
		m.SetDiag(i, f(x))
	}
	return m
}

func square(x float64) float64 { return x * x }

func squaredNorm(m mat.Matrix) float64 { return square(mat.Norm(m, 2)) }

func augmented(a, b mat.Matrix) *mat.Dense {
	var m mat.Dense
	m.Augment(a, b)
	return &m
}

func inverse(t require.TestingT, m mat.Matrix) *mat.Dense {
	var inv mat.Dense
	require.NoError(t, inv.Inverse(m))
	return &inv
}

// eigen returns the eigenvalues of the symmetric part of m, the largest first, with their eigenvectors.
func eigen(m *mat.Dense) spectral.Eigenpairs {
	return testkit.Must(spectral.SymEigen(spectral.SymmetricPart(m)))
}

// The classical Runge–Kutta method has order 4: halving the step divides the error by 16.
func TestFlowHasOrderFour(t *testing.T) {
	quadratic := func(v, _ *mat.Dense) (float64, *mat.Dense) { return squaredNorm(v) / 2, v }
	one := mat.NewDense(1, 1, []float64{1})
	errorAt := func(step float64) float64 {
		return Flow(quadratic, one, nil, 1, step, func(float64, *mat.Dense) {}).At(0, 0) - math.Exp(-1)
	}
	require.InEpsilon(t, 16, errorAt(0.1)/errorAt(0.05), 0.1)
	require.InDelta(t, 0.25, Descend(quadratic, one, nil, 0.5, 2, nil).At(0, 0), 0)
}

func TestAngles(t *testing.T) {
	w := Columns(IdentityMatrix(4), 0, 2)
	v := mat.NewDense(4, 2, []float64{-3, 0, 0, 1, 3e-9, 0, 0, math.Sqrt(3)})
	require.InDeltaSlice(t, []float64{1e-9, math.Pi / 3}, Angles(v, w), 1e-14)
	require.InDelta(t, math.Sqrt(3)/2, SineOfLargestAngle(v, w), 1e-14)
	v.Set(0, 0, math.Inf(1))
	require.True(t, math.IsNaN(SineOfLargestAngle(v, w)))
}

// The average of SpIN starts at I. If VᵀV = I, its loss in the first step is −tr(VᵀAV).
func TestObjectiveStartsFromItsInitialState(t *testing.T) {
	s := newSpectrum(testkit.NewRand(705), 3, 2, 1)
	loss, _ := onMatrix(ommlx.SpIN{})(s.leading(2), s.a)
	require.InDelta(t, -5, loss, 1e-12)
}

// The loss −2Ns² + MNs⁴ of s·f and s·Tf has its minimum at s = 1/√M.
func TestRest(t *testing.T) {
	f, tf := mat.NewDense(2, 1, []float64{2, 0.5}), mat.NewDense(2, 1, []float64{0.5, 2}) // M = 2.125, N = 1
	require.InDelta(t, 1/math.Sqrt(2.125), onValues(lossOf(ommlx.OMM{})).Rest(f, tf, 3), 1e-6)
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
		symmetric.EqualMatrix(t, "distance of the Gram matrix of eigenvectors of T from I", IdentityMatrix(d),
			Gram(found.Vectors), 1e-12)
		symmetric.Within(t, "distance of its eigenvalues from the descending λ_n ≥ 0",
			floats.Distance(found.Values, values, math.Inf(1)), 1e-12)
		loss, v := s.minimise(order(1), 1/math.Sqrt(float64(d)), 3)
		claim.Printed.Near(t, "distance of the minimum from −Σ_{n≤3} 1/n² for d = 8, 32, 96", -s.top(3), loss, 1e-10)
		claim.Printed.EqualMatrix(t, "of VVᵀ there from W_{1:k}W_{1:k}ᵀ", projector(s.leading(3)), projector(v), 1e-3)
		claim.Note("the smallest gap of the spectrum of %d is %.0e", d, values[d-2]-values[d-1])
	}
}

// Section 2.2.3: since E = I − VᵀV keeps its signs, a flow that starts in the unit ball stays there, and reaches the
// leading space also for indefinite A.
func TestFlowStaysWithinTheUnitBall(t *testing.T) {
	claim := papertest.Of(t, "no-omm-without-psd")
	for i := range 9 {
		l := order(1 + i/3)
		s := newSpectrum(testkit.NewRand(720+uint64(i%3)), 2, 1, 0.3, -0.5, -1, -2)
		end := Flow(l, Scaled(0.99, s.orthonormal(3)), s.a, 12, 0.02, func(_ float64, v *mat.Dense) {
			claim.Corrected.Within(t, "excess of ‖V‖² over 1 in flows, p = 1, 2, 3", max(0, eigen(Gram(v)).Values[0]-1),
				1e-6)
		})
		loss, _ := l(end, s.a)
		claim.Corrected.Near(t, "distance from −Σ λ_i of the loss where it ends, p = 1, 2, 3", -s.top(3), loss, 1e-5)
		claim.Printed.Beyond(t, "share of flows from ‖V‖ = 0.99, A indefinite, that end at that minimum",
			whether[math.Abs(loss+s.top(3)) <= 1e-5], 0)
	}
}
