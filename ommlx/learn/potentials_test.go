package learn

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
)

// TestUnboundStates: on hydrogen in three dimensions, five functions and the default settings left value 5 positive,
// with a residual that is larger (recorded, seed 1). Its energy is −¼, and 12,000 steps find it. An energy above its
// residual is not of a bound state. Neither case hides the error of other values.
func TestUnboundStates(t *testing.T) {
	for _, c := range []struct {
		values, residuals []float64
		norm              float64
		words             []string
		open              bool // more steps may find another state
	}{
		{[]float64{-0.903, -0.236, -0.232, -0.229, 0.052}, []float64{0.575, 0.256, 0.250, 0.299, 1.875}, 1,
			[]string{"only 4 of 5", "values 1, 2, 3, 4, 5", "lower k to 4"}, true},
		{[]float64{-1, 0.09}, []float64{0, 0.1}, 1, []string{"lower k to 1"}, true},
		{[]float64{-1, 0.11}, []float64{0, 0.1}, 1, []string{"lower k to 1"}, false},
		{[]float64{-1, math.NaN()}, []float64{0, 0.1}, 1, []string{"lower k to 1"}, false},
		{[]float64{-1, 0.2}, []float64{0.5, 0}, 1, []string{"value 1"}, false},
		{[]float64{-1, 3}, []float64{0, 0}, 70, []string{"norm 70"}, false},
		{[]float64{-1, -1e-3}, []float64{0, 0}, 1, nil, false},
	} {
		l := &Learned{Run: Run{Values: c.values, Residuals: c.residuals}, Task: Task{negative: true}}
		l.Diagnosis.Norms = []float64{1, c.norm}
		advice := l.Advice()
		require.Equal(t, c.words != nil, len(advice) == 1, "%v", c)
		for _, word := range c.words {
			require.Contains(t, advice[0], word)
		}
		require.Equal(t, c.open, strings.Contains(fmt.Sprint(advice), "more Steps"), "%v", c)
	}
}

// TestOneBoundState: the residual of one function on samples is mostly of high energies, where it hardly changes the
// value. The value of −5 exp(−x²) is off by 0.1 %, that of −2/cosh²x by 0.3 % (recorded, seed 1), but nothing that is
// known of the second shows that.
func TestOneBoundState(t *testing.T) {
	for _, c := range []struct {
		depth, value, residual float64
		reported               bool
	}{{5, -3.13656, 0.297, false}, {2, -0.99680, 0.328, true}, {2, -1, 0.21, false}, {2, -1, 0.24, true},
		{1.1, -1, 0.08, true}, {1.1, -1, 0.06, false}} {
		potential := func(x *graph.Node) *graph.Node {
			return graph.MulScalar(graph.Exp(graph.Neg(graph.Square(x))), -c.depth)
		}
		task, err := Schrodinger{Potential: potential, Sampler: schrodinger.Gaussian{Dim: 1, Sigma: 2}}.
			Define(testkit.PureGo(t), 1)
		require.NoError(t, err)
		l := &Learned{Run: Run{Values: []float64{c.value}, Residuals: []float64{c.residual}}, Task: task}
		require.Equal(t, c.reported, len(l.Advice()) > 0, "%v", c)
	}
}

// TestFallingPotentials: where V falls towards the faces, a wider box makes the energies lower and is no remedy. Where
// V is nearly constant, the box is the problem.
func TestFallingPotentials(t *testing.T) {
	power := func(c float64, exponent int) func(x *graph.Node) *graph.Node {
		return func(x *graph.Node) *graph.Node { return graph.MulScalar(graph.PowScalar(x, exponent), c) }
	}
	for name, c := range map[string]struct {
		potential func(x *graph.Node) *graph.Node
		values    []float64 // recorded
		advice    string    // part of the only remark
	}{
		"-x⁴":   {power(-1, 4), []float64{-35.21752, -35.21748, -11.34641}, "lowers the energies"},
		"x³":    {power(1, 3), []float64{-9.11853, -0.84108, 1.37263}, "lowers the energies"},
		"x²":    {power(1, 2), []float64{1, 3, 40}, "wider"},
		"x²/25": {power(1./25, 2), []float64{.32, 1.2, 2.6}, "wider"}, // at most 0.36, above energy 1
		"x²/36": {power(1./36, 2), []float64{.36, 1.2, 2.6}, ""},
		"0":     {graph.ZerosLike, []float64{.274, 1.097, 2.467}, ""},
	} {
		box := net.Box{Lower: []float64{-3}, Upper: []float64{3}}
		task, err := Schrodinger{Potential: c.potential, Box: box}.Define(testkit.PureGo(t), 3)
		require.NoError(t, err)
		l := &Learned{Run: Run{Values: c.values, Residuals: []float64{0, 0, 0}}, Task: task}
		if advice := l.Advice(); c.advice == "" {
			require.Empty(t, advice, name)
		} else {
			require.Len(t, advice, 1, name)
			require.Contains(t, advice[0], c.advice, name)
		}
	}
}
