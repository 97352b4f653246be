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

// fromEigenvectors returns the largest distance of the norm of a column of V, or of its component along w_i, from the
// length for λ_i.
func (s spectrum) fromEigenvectors(v *mat.Dense, length func(lambda float64) float64) (distance float64) {
	_, k := v.Dims()
	for i := range k {
		along, norm := math.Abs(mat.Dot(v.ColView(i), s.w.ColView(i))), mat.Norm(v.ColView(i), 2)
		want := length(s.values[i])
		distance = max(distance, papertest.Distance(want, along), papertest.Distance(want, norm))
	}
	return distance
}

// one is the length of orthonormal functions.
func one(float64) float64 { return 1 }

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

// traceForm returns L^(p) = tr(R^{2p}A) − tr A with R = I − VVᵀ, and its gradient −2 Σ_{i<2p} RⁱAR^{2p−1−i}V.
func traceForm(p int, v, a *mat.Dense) (loss float64, gradient *mat.Dense) {
	r, d := residual(v), len(mat.Col(nil, 0, v))
	sum := mat.NewDense(d, d, nil)
	for i := range 2 * p {
		sum.Add(sum, Product(Power(r, i), a, Power(r, 2*p-1-i)))
	}
	return mat.Trace(Product(Power(r, 2*p), a)) - mat.Trace(a), Scaled(-2, Product(sum, v))
}

// evaluate compiles an objective and evaluates it once.
func evaluate(t *testing.T, o ommlx.Objective, batchOf testkit.Batching, at testkit.Point,
	state []testkit.Array) testkit.Evaluation {
	return testkit.EvaluateAt(t, testkit.Compile(t, testkit.OnBatch(o, batchOf)), at, state)
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

// upper returns the upper triangle of a square matrix.
func upper(m *mat.Dense) mat.Matrix {
	k, _ := m.Dims()
	return mat.NewTriDense(k, mat.Upper, m.RawMatrix().Data)
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
