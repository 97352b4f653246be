package learn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
)

// jointLaw returns a random law of 12×15 states.
func jointLaw() *mat.Dense {
	rng := rand.New(rand.NewPCG(5, 6))
	p := mat.NewDense(12, 15, nil)
	p.Apply(func(_, _ int, _ float64) float64 { return math.Pow(rng.Float64(), 4) }, p)
	p.Scale(1/mat.Sum(p), p)
	return p
}

// singularValues returns the singular values of D_x^{−1/2} P D_y^{−1/2}.
func singularValues(p mat.Matrix) []float64 {
	x, y := marginals(p)
	var scaled mat.Dense
	scaled.Apply(func(i, j int, v float64) float64 { return v / math.Sqrt(x.At(i, i)*y.At(j, j)) }, p)
	var svd mat.SVD
	svd.Factorize(&scaled, mat.SVDNone)
	return svd.Values(nil)
}

// marginals returns the laws of x and y.
func marginals(p mat.Matrix) (x, y *mat.DiagDense) {
	m, n := p.Dims()
	x, y = mat.NewDiagDense(m, nil), mat.NewDiagDense(n, nil)
	for i := range m {
		for j := range n {
			x.SetDiag(i, x.At(i, i)+p.At(i, j))
			y.SetDiag(j, y.At(j, j)+p.At(i, j))
		}
	}
	return x, y
}

// TestBothSidesOfAJointStartDifferent: with equal parameters, u = v for a reversible process.
func TestBothSidesOfAJointStartDifferent(t *testing.T) {
	x := mat.NewDense(20, 1, xslices.Iota(0.0, 20))
	params := testkit.Must(learn.Joint{X: x, Y: x}.Define(nil, 2)).Functions.Init([]int64{1})
	assert.NotEqual(t, testkit.FromTensor(params[0]), testkit.FromTensor(params[len(params)/2]))
}

// TestJointTable: singular values to 1e-5, and functions that are orthonormal on each side, with E[u_i v_j] = σ_i δ_ij.
func TestJointTable(t *testing.T) {
	const k = 5
	p := jointLaw()
	singular := singularValues(p)
	learned := mustLearn(t, learn.Joint{P: p}, k,
		learn.Settings{Options: pureGo(t)})
	assert.InDeltaSlice(t, singular[:k], learned.Values, 1e-5)
	assert.Empty(t, learned.Advice())
	u, v := testkit.Must(learned.Left(nil)), testkit.Must(learned.Right(nil))
	x, y := marginals(p)
	for _, c := range []struct{ f, law, g, want mat.Matrix }{{u, x, u, eye(k)}, {v, y, v, eye(k)},
		{u, p, v, mat.NewDiagDense(k, singular[:k])}} {
		var moments mat.Dense
		moments.Product(c.f.T(), c.law, c.g)
		assert.True(t, mat.EqualApprox(&moments, c.want, 2e-3))
	}
	one := testkit.Must(learned.Right(mat.NewDense(1, 1, []float64{14})))
	assert.Equal(t, v.RawRowView(14), one.RawRowView(0))
	_, err := learned.Right(mat.NewDense(1, 1, []float64{15}))
	assert.ErrorContains(t, err, "15")
	_, err = (&learn.Learned{}).Left(nil)
	assert.ErrorContains(t, err, "Joint")
}

// TestJointSamples: 50,000 pairs of states give the singular values of their law to 2 %, also if x and y have different
// numbers of states.
func TestJointSamples(t *testing.T) {
	testkit.XLA(t) // the tolerance is for its random numbers
	const k, pairs = 3, 50_000
	p := jointLaw()
	m, n := p.Dims()
	x, y := mat.NewDense(pairs, 1, nil), mat.NewDense(pairs, 1, nil)
	cells := distuv.NewCategorical(p.RawMatrix().Data, rand.NewPCG(7, 8))
	for s := range pairs {
		cell := int(cells.Rand())
		x.Set(s, 0, float64(cell/n))
		y.Set(s, 0, float64(cell%n))
	}
	table := func(states int) net.Table { return net.Table{States: states, Out: k, Scale: 0.3} }
	learned := mustLearn(t, learn.Joint{X: x, Y: y, Left: table(m), Right: table(n)}, k,
		learn.Settings{Rate: 3e-2, Steps: 2_000})
	assert.InEpsilonSlice(t, singularValues(p)[:k], learned.Values, 0.02)
	assert.Empty(t, learned.Advice())
	u := testkit.Must(learned.Left(mat.NewDense(2, 1, []float64{0, 1})))
	assert.InDelta(t, math.Abs(u.At(0, 0)), math.Abs(u.At(1, 0)), 0.05) // the constant
	_, err := learned.Left(mat.NewDense(2, 2, nil))
	assert.ErrorContains(t, err, "points")
}

// TestViewsOfOtherScales: views whose units differ by a factor of 10⁹ have the singular values ρ^n.
func TestViewsOfOtherScales(t *testing.T) {
	const n, rho = 5_000, 0.8
	x := normal(n, 1, 8)
	y := autoregress(x, normal(n, 1, 9), rho)
	x.Scale(1e6, x)
	y.Scale(1e-3, y)
	learned := mustLearn(t, learn.Joint{X: x, Y: y}, 3, learn.Settings{Steps: 500})
	for i, exact := range []float64{1, rho, rho * rho} {
		assert.InDelta(t, exact, learned.Values[i], 0.05)
		assert.InDelta(t, exact, learned.HeldOut.Values[i], 4*learned.HeldOut.Errors[i]+1e-9)
	}
	assert.Empty(t, learned.Advice())
}
