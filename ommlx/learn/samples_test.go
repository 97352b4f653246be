package learn_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/optim"
	"omm-go/ommlx/spectral"
)

// normal returns n points with standard normal coordinates.
func normal(n, d int, seed uint64) *mat.Dense {
	return testkit.Gaussian(rand.New(rand.NewPCG(seed, 0)), n, d).Matrix()
}

// gaussian returns 5 exp(−2|x − y|²).
func gaussian(x, y *Node) *Node {
	return MulScalar(Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -2)), 5)
}

// gram returns the Gram matrix of a function of the distance, without its diagonal and divided by n − 1.
func gram(x *mat.Dense, k func(distance float64) float64) *mat.SymDense {
	n, _ := x.Dims()
	return symmetric(n, func(i, j int) float64 {
		if i == j {
			return 0
		}
		return k(floats.Distance(x.RawRowView(i), x.RawRowView(j), 2)) / float64(n-1)
	})
}

// autoregress returns ρ_d x + √(1 − ρ_d²) z, one step of an autoregressive process in each coordinate.
func autoregress(x, z *mat.Dense, rho ...float64) *mat.Dense {
	var next mat.Dense
	next.Apply(func(i, d int, z float64) float64 { return rho[d]*x.At(i, d) + math.Sqrt(1-rho[d]*rho[d])*z }, z)
	return &next
}

// TestKernelIsTheGramMatrix: on all samples the operator is the Gram matrix without its diagonal, divided by n − 1.
// Each sample occurs twice, at distance 0 from its copy.
func TestKernelIsTheGramMatrix(t *testing.T) {
	testkit.XLA(t) // pure Go takes minutes
	const n, k = 300, 4
	var x mat.Dense
	x.Stack(normal(n/2, 1, 1), normal(n/2, 1, 1))
	truth := testkit.Must(spectral.SymEigen(gram(&x, func(d float64) float64 { return 5 * math.Exp(-2*d*d) })))
	kernel := learn.Kernel{Samples: &x, K: gaussian}
	values, extended, err := kernel.Exact(testkit.Backend(t), k, &x)
	require.NoError(t, err)
	assert.InEpsilonSlice(t, truth.Values[:k], values, 1e-4)
	for i := range k {
		a, b := truth.Vectors.ColView(i), extended.ColView(i)
		assert.InDelta(t, 1, math.Abs(mat.Dot(a, b))/(mat.Norm(a, 2)*mat.Norm(b, 2)), 1e-6) // the diagonal is constant
	}
	learned := mustLearn(t, kernel, k, learn.Settings{Steps: 1_500})
	functions := testkit.Must(learned.At(&x))
	for i := range k {
		assert.InEpsilon(t, truth.Values[i], learned.Values[i], 0.01)
		assert.Less(t, sine(truth.Vectors.ColView(i), functions.ColView(i)), 0.14)
	}
	assert.Empty(t, learned.Advice())
}

// TestPairsOfAnOrnsteinUhlenbeckProcess: for x' = ρx + √(1−ρ²)z in each coordinate, the eigenvalues are products of
// ρ_d^n (Mehler's formula), 1, .95, .9025 and .857. With only four functions, the last was .80 in half of the runs.
func TestPairsOfAnOrnsteinUhlenbeckProcess(t *testing.T) {
	testkit.XLA(t) // pure Go takes minutes
	const n, k = 20_000, 4
	from := normal(n, 2, 1)
	pairs := learn.Pairs{From: from, To: autoregress(from, normal(n, 2, 2), 0.95, 0.8)}
	edmd := testkit.Must(pairs.EDMD(3, k)) // in the span of 1, x, x² − 1 and x³ − 3x, among others
	learned := mustLearn(t, pairs, k, learn.Settings{Seeds: []int64{1, 2}})
	for i, exact := range []float64{1, 0.95, 0.9025, 0.857375} {
		assert.InEpsilon(t, exact, edmd.Values[i], 0.02)
		assert.InDelta(t, exact, edmd.HeldOut.Values[i], 3*edmd.HeldOut.Errors[i]+1e-9)
		for _, run := range learned.Runs {
			assert.InDelta(t, edmd.Values[i], run.Values[i], 0.03)
			assert.True(t, math.IsNaN(run.Residuals[i]))
			assert.InDelta(t, exact, run.HeldOut.Values[i], 5*run.HeldOut.Errors[i]+0.01)
		}
	}
	assert.Equal(t, n/10, learned.HeldOut.Pairs)
	assert.InDelta(t, 1+0.95*0.95+math.Pow(0.95, 4)+math.Pow(0.95, 6), learned.HeldOut.Score, 0.05) // VAMP-2: Σσ²
	assert.Empty(t, learned.Advice())
	assert.Empty(t, edmd.Advice())
	_, advice := advised(t, pairs, k, learn.Settings{Steps: 1, Batch: 64, Options: pureGo(t)})
	assert.Contains(t, advice, "EDMD", "polynomials are better")
	require.Error(t, edmd.Save(filepath.Join(t.TempDir(), "edmd")))
	x := mat.NewDense(3, 2, []float64{-1, 1, 0.5, 2, 2, -1})
	f := testkit.Must(edmd.At(x))
	for i := range 3 {
		assert.InDelta(t, math.Abs(x.At(i, 0)), math.Abs(f.At(i, 1)), 0.1)
		assert.InDelta(t, math.Abs(math.Pow(x.At(i, 0), 2)-1)/math.Sqrt2, math.Abs(f.At(i, 2)), 0.25)
	}
	for _, points := range []mat.Matrix{nil, normal(3, 1, 1), mat.NewDense(1, 2, []float64{0, math.NaN()})} {
		_, err := edmd.At(points)
		assert.ErrorContains(t, err, "points")
	}
	for word, ask := range map[string][2]int{"k is 7": {2, 7}, "degree is -1": {-1, 1}, "monomials": {1_000, 1}} {
		_, err := pairs.EDMD(ask[0], ask[1])
		assert.ErrorContains(t, err, word)
	}
}

// sampled is an operator on functions of 5 states that draws samples. For the table f of the functions, 5×k, the means
// of its moments are M[f] = fᵀ law f and M[f,Tf] = fᵀ joint f.
type sampled struct {
	op         learn.Operator
	law, joint *mat.Dense
}

const sampledStates = 5

func sampledOperators(table net.Table) map[string]sampled {
	from, to := numbers(0, 1, 2, 3, 4, 1, 0, 0), numbers(1, 2, 3, 4, 4, 1, 2, 0) // not stationary
	pairs := sampled{learn.Pairs{From: from, To: to, Functions: table, HeldOut: learn.None},
		mat.NewDense(sampledStates, sampledStates, nil), mat.NewDense(sampledStates, sampledStates, nil)}
	for p := range 8 {
		x, y := int(from.At(p, 0)), int(to.At(p, 0))
		for _, ends := range [][2]int{{x, y}, {y, x}} {
			pairs.law.Set(ends[0], ends[0], pairs.law.At(ends[0], ends[0])+1./16)
			pairs.joint.Set(ends[0], ends[1], pairs.joint.At(ends[0], ends[1])+1./16)
		}
	}
	x := numbers(0, 1, 2, 3, 4)
	bell := func(distance float64) float64 { return 5 * math.Exp(-2*distance*distance) }
	radius := spectral.Radius(sampledStates, linalg.Times(gram(x, bell)))
	kernel := sampled{learn.Kernel{Samples: x, K: gaussian, Functions: table},
		mat.DenseCopyOf(mat.NewDiagDense(sampledStates, slices.Repeat([]float64{1. / sampledStates}, sampledStates))),
		mat.NewDense(sampledStates, sampledStates, nil)}
	kernel.joint.Apply(func(i, j int, _ float64) float64 {
		return bell(float64(i-j)) / sampledStates / sampledStates / radius
	}, kernel.joint)
	return map[string]sampled{"pairs": pairs, "kernel": kernel}
}

// loss returns the OMM loss of T + κI with the mean moments at a table of functions: −2 tr N + tr(M N), Eq. (8).
func (s sampled) loss(kappa float64, f mat.Matrix) float64 {
	var m, n, shift, product mat.Dense
	m.Product(f.T(), s.law, f)
	n.Product(f.T(), s.joint, f)
	shift.Scale(kappa, &m)
	n.Add(&n, &shift)
	product.Mul(&m, &n)
	return mat.Trace(&product) - 2*mat.Trace(&n)
}

// embedding is an objective of a caller that embeds OMM.
type embedding struct{ ommlx.OMM }

// TestWrappedObjectivesTrainAlike: one objective and shift, written in three ways, has the same losses.
func TestWrappedObjectivesTrainAlike(t *testing.T) {
	table := net.Table{States: sampledStates, Out: 2, Scale: 1}
	for name, s := range sampledOperators(table) {
		history := func(o ommlx.Objective, shift float64) (losses []float64) {
			for _, p := range mustLearn(t, s.op, 2, learn.Settings{Objective: o, Shift: shift, Batch: 4, Steps: 20,
				Options: pureGo(t)}).Result.History {
				losses = append(losses, p.Loss...)
			}
			return losses
		}
		want := history(ommlx.OMM{Nesting: ommlx.Sequential}, 1)
		for _, o := range []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Sequential},
			embedding{ommlx.OMM{Nesting: ommlx.Sequential}}} {
			got := history(ommlx.Shifted{Objective: o, Kappa: 1}, 0)
			assert.InDeltaSlice(t, want, got, 1e-5, "%s, %T", name, o)
		}
	}
}

// TestOverlapRemovesBias: at fixed functions, the mean loss over batches of 3 equals the loss of the mean moments if
// M[f] has separate batches, and differs otherwise, in standard errors of the mean.
func TestOverlapRemovesBias(t *testing.T) {
	const k, right, wrong = 2, 4, 20
	table := net.Table{States: sampledStates, Out: k, Scale: 1}
	f := mat.NewDense(sampledStates, k, tensorx.Numbers(table.Init([]int64{1})[0]))
	for name, s := range sampledOperators(table) {
		for _, kappa := range []float64{0, 1} {
			for _, overlap := range []int{0, 1, 2, learn.None} {
				learned := mustLearn(t, s.op, k, learn.Settings{Shift: kappa, Batch: 3, Overlap: overlap, Steps: 4_000,
					Optimiser: optim.SGD{LearningRate: 1e-30}, Options: pureGo(t)})
				var bias []float64 // of the mean over several steps
				for _, p := range learned.Result.History[1:] {
					bias = append(bias, p.Loss[0]-s.loss(kappa, f))
				}
				mean, deviation := stat.MeanStdDev(bias, nil)
				errors := math.Abs(mean) / stat.StdErr(deviation, float64(len(bias)))
				if overlap == learn.None || overlap == 0 && name == "kernel" { // pairs take M[f] from a half
					assert.Greater(t, errors, float64(wrong), "%s, shift %g, %d batches", name, kappa, overlap)
				} else {
					assert.Less(t, errors, float64(right), "%s, shift %g, %d batches", name, kappa, overlap)
				}
			}
		}
	}
}
