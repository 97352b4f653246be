//go:build cases

package learn_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
)

// TestTablesWithACrowdedEnd: the lowest eigenvalues of a Laplacian of 300 nodes, by the negative matrix. A value that is
// off is named.
func TestTablesWithACrowdedEnd(t *testing.T) {
	a := minusLaplacian(300)
	learned, advice := advised(t, learn.Matrix{A: a}, 4, learn.Settings{})
	for i, exact := range testkit.Must(spectral.SymEigen(a)).Values[:4] {
		assert.InDelta(t, exact, learned.Values[i], learned.Bounds[i]+4e-12)
	}
	assert.True(t, advice == "[]" || strings.Contains(advice, "use a solver"), advice)
}

// TestSlowFunctionsOfReports: a counter modulo 500, whose slow functions a training may miss. No value is below that of
// polynomials without a remark. Two coordinates in metres, far from 0, have none.
func TestSlowFunctionsOfReports(t *testing.T) {
	counter := mat.NewDense(3_000, 1, nil)
	counter.Apply(func(i, _ int, _ float64) float64 { return float64(i % 500) }, counter)
	metres := testkit.Autoregressive(rand.New(rand.NewPCG(4, 4)), 10_000, .9, .7)
	metres.Apply(func(_, j int, v float64) float64 { return 100*v + []float64{5e5, 4.2e6}[j] }, metres)
	for name, frames := range map[string]*mat.Dense{"counter": counter, "metres": metres} {
		pairs := testkit.Must(learn.Trajectories(1, frames))
		learned, advice := advised(t, pairs, 3, learn.Settings{})
		simple := testkit.Must(pairs.EDMD(2, 3))
		t.Logf("%s: %.5f, EDMD %.5f, %s", name, learned.Values, simple.Values, advice)
		for i, value := range simple.Values {
			if learned.Values[i] < value-0.1*(1-value)-0.002 {
				assert.Contains(t, advice, "EDMD", name)
			}
		}
		if name == "metres" {
			assert.InDeltaSlice(t, []float64{1, .9, .81}, learned.Values, 0.04)
			assert.Equal(t, "[]", advice)
		}
	}
}

// TestDeepNarrowWell: −600 exp(−x²) in a box of half-width 10.
func TestDeepNarrowWell(t *testing.T) {
	well := func(x *Node) *Node { return MulScalar(Exp(Neg(ReduceAndKeep(Square(x), ReduceSum, -1))), -600) }
	box := net.Box{Lower: []float64{-10}, Upper: []float64{10}}
	learned, advice := advised(t, learn.Schrodinger{Potential: well, Box: box}, 6, learn.Settings{})
	truth := testkit.Must(schrodinger.System{Name: "well", Dim: 1, Potential: well}.
		Extrapolated(testkit.XLA(t), box, 1_999, 6)).Values
	t.Logf("%.4f for %.4f, %s", learned.Values, truth, advice)
	for i, v := range learned.Values {
		assert.InDelta(t, truth[i], v, math.Max(0.01, 1e-3*math.Abs(truth[0])))
	}
	assert.Equal(t, "[]", advice)
}
