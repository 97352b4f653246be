package learn

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// TestThresholds: each remark is made a little above its threshold and not a little below.
func TestThresholds(t *testing.T) {
	heldOut := func(l *Learned, value, held, err float64) {
		l.Values[1] = value
		l.HeldOut = &spectral.PairScores{Values: []float64{1, held}, Errors: []float64{0, err}}
	}
	vanished := func(l *Learned, norm, quotient float64) {
		l.Task.Noisy, l.Diagnosis.Norms[1], l.Diagnosis.Quotients[1] = true, norm, quotient
	}
	one := func(l *Learned, residual float64, apply func(dst, src []float64)) {
		l.Values, l.Residuals, l.Task.apply = []float64{1}, []float64{residual}, apply
	}
	for name, c := range map[string]struct {
		set          func(l *Learned, x float64)
		above, below float64
		remark       string // part of it
	}{
		"asymmetry": {func(l *Learned, x float64) { l.Diagnosis.Asymmetry = x }, 0.06, 0.04, "self-adjoint"},
		"cosine":    {func(l *Learned, x float64) { l.Diagnosis.Cosine = x }, 0.06, 0.04, "cosine"},
		"norm":      {func(l *Learned, x float64) { l.Diagnosis.Norms[0] = x }, 2.2, 1.8, "norm"},
		"norm of a faint function": {func(l *Learned, x float64) { vanished(l, x, 0) }, 0.22, 0.28,
			"vanished"},
		"quotient of a faint function": {func(l *Learned, x float64) { vanished(l, 0, x) }, 0.09, 0.11,
			"vanished"},
		"decay in a box": {func(l *Learned, x float64) {
			l.Task.scales = schrodinger.Scales{Region: net.Box{Lower: []float64{-5}, Upper: []float64{5}}, Border: x}
		}, 1.22, 1.28, "box"},
		"error":        {func(l *Learned, x float64) { one(l, x, nil) }, 0.06, 0.04, "off by"},
		"proved error": {func(l *Learned, x float64) { one(l, x, linalg.Times(nil)) }, 0.012, 0.008, "off by"},
		"missed eigenvalue": {func(l *Learned, x float64) {
			l.Values[1], l.radius, l.outside.Least = 0, 1, []float64{1, x}
		}, 1.2e-7, 0.8e-7, "at least"},
		"residual to gap": {func(l *Learned, x float64) { l.Residuals[0] = x }, 0.27, 0.23, "separated"},
		"degenerate level": {func(l *Learned, x float64) {
			l.Values, l.Residuals, l.edge = []float64{1, 1 - x}, []float64{0.1, 0.1}, 0.5
		}, 0.6e-4, 0.4e-4, "separated"},
		"residual of float32": {func(l *Learned, x float64) { l.Values[1], l.Residuals[1] = 1-1e-6, x }, 1.2e-5,
			0.8e-5, "separated"},
		"large rate": {func(l *Learned, x float64) { l.Residuals[0], l.settings.Rate = 0.4, x }, 11, 9,
			"lower Rate"},
		"large shift": {func(l *Learned, x float64) { l.Residuals[0], l.settings.Shift = 0.4, x }, 11, 9,
			"lower Shift"},
		"small eigenvalue": {func(l *Learned, x float64) {
			l.Values[1], l.Residuals[0], l.radius, l.settings.cycles = x, 0.4, 1, []int{1}
		}, 0.9e-4, 1.1e-4, "small eigenvalues"},
		"noise":          {func(l *Learned, x float64) { heldOut(l, 0.2, 0.1, x) }, 0.036, 0.032, "overfitted"},
		"drop":           {func(l *Learned, x float64) { heldOut(l, x, 0.5, 0.01) }, 0.556, 0.544, "overfitted"},
		"drop of noise":  {func(l *Learned, x float64) { heldOut(l, x, 0.1, 0.04) }, 0.188, 0.172, "overfitted"},
		"no eigenvalue":  {func(l *Learned, x float64) { heldOut(l, x, 0.05, 0.04) }, 0.045, 0.055, "lower k"},
		"drop in errors": {func(l *Learned, x float64) { heldOut(l, x, 0.5, 0.02) }, 0.588, 0.572, "overfitted"},
	} {
		advice := func(x float64) string {
			l := &Learned{settings: Settings{Seeds: []int64{1}}}
			l.Values, l.Residuals, l.edge = []float64{1, 0.5}, []float64{0, 0}, math.NaN()
			l.Diagnosis = spectral.Diagnosis{Norms: []float64{1, 1}, Quotients: []float64{1, 0.5}}
			l.Result, l.Task.defaults = &train.Result{}, Settings{Rate: 1, Shift: 1}
			c.set(l, x)
			return fmt.Sprint(l.Advice())
		}
		require.Contains(t, advice(c.above), c.remark, name)
		require.NotContains(t, advice(c.below), c.remark, name)
	}
}

// TestOneCause: only a cause is reported, since its consequences have no separate remedy. Without residuals, the
// moments show an operator that is not self-adjoint, and functions that have no eigenvalue. Without values there is
// nothing to doubt.
func TestOneCause(t *testing.T) {
	mixed := Run{Values: []float64{-1, 0.5}, Residuals: []float64{2, 2}}
	far := mixed
	far.Diagnosis.Norms = []float64{1, 70}
	wide := Run{Values: []float64{1, 2}, Residuals: []float64{0, 0}}
	box := net.Box{Lower: []float64{-5}, Upper: []float64{5}}
	sampled := func(quotient, asymmetry float64, entries string) *Learned {
		l := &Learned{Run: Run{Values: []float64{1, 0}, Residuals: unknown(2)}}
		l.Diagnosis = spectral.Diagnosis{Norms: []float64{1, 0.1}, Quotients: []float64{1, quotient}, Cosine: 0.3,
			Asymmetry: asymmetry}
		l.Task = Task{Noisy: true, notSymmetric: entries}
		return l
	}
	for word, l := range map[string]*Learned{
		"only 1 of 2 energies": {Run: mixed, Task: Task{negative: true}},
		"negative eigenvalues": {Run: far},
		"norm 70":              {Run: far, Task: Task{improve: "widen"}},
		"large; lower Rate":    {Run: far, Task: Task{lowest: true}},
		"value 2":              {Run: wide, Task: Task{scales: schrodinger.Scales{Border: 2.2, Region: box}}},
		"off by":               {Run: mixed, Task: Task{improve: "widen"}},
		"cosine":               sampled(0.5, 0, ""),
		"function 2":           sampled(0, 0, ""),
		"asymmetry":            sampled(0, 0.2, ""),
		"entries differ":       sampled(0, 0.2, "entries differ"),
	} {
		require.Len(t, l.Advice(), 1, word)
		require.Contains(t, l.Advice()[0], word)
	}
	none := Task{gap: func(float64) float64 { return 1 }, negative: true}
	require.Empty(t, (&Learned{Task: none, settings: Settings{Objective: ommlx.Sanger{}}}).Advice())
}

// TestCountCrossings: sign changes are counted in all pairs if fewer than 20 are in the sample, and not among more than
// 500,000 pairs.
func TestCountCrossings(t *testing.T) {
	pairs := func(n int) (from, to *mat.Dense) { // with one sign change
		x := xslices.Iota(-float64(n)/2, n+1)
		return mat.NewDense(n, 1, x[:n]), mat.NewDense(n, 1, x[1:])
	}
	from, to := pairs(300)
	l := testkit.Must(Pairs{From: from, To: to}.EDMD(1, 2))
	require.Greater(t, l.Values[1], 0.9)
	l.Task.rows, l.settings.EvalBatch = 300, 30
	for inSample, counted := range map[float64]bool{17: true, 25: false} {
		l.crossed = []float64{0, 10 * inSample}
		require.NoError(t, l.countCrossings())
		require.Equal(t, counted, l.crossed[1] < 2, "%g in the sample", inSample)
	}
	for n, counted := range map[int]bool{400_000: true, 600_000: false} {
		l.Task.pairs.From, l.Task.pairs.To = pairs(n)
		l.crossed = []float64{0, 0}
		require.NoError(t, l.countCrossings())
		require.Equal(t, counted, l.crossed != nil, "%d pairs", n)
	}
}

// TestFewTransitions: a slow value that rests on fewer than four transitions.
func TestFewTransitions(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{0, 1})
	for _, c := range []struct {
		value, pairs float64
		lag          int
		remark       string
	}{{0.9, 0, 1, "no pair"}, {0.9, 3, 1, "about 3 transitions"}, {0.9, 7, 2, "about 4 transitions"}, {0.9, 4, 1, ""},
		{0.45, 3, 1, ""}, {0.55, 3, 1, "only 3 pairs"}} {
		o := Pairs{From: x, To: mat.NewDense(2, 1, []float64{1, 0}), made: path{lag: c.lag}}
		l := &Learned{Task: Task{pairs: o}, Run: Run{Values: []float64{1, c.value}, crossed: []float64{0, c.pairs}}}
		require.Contains(t, l.fewTransitions(), c.remark, "%v", c)
		require.Equal(t, c.remark == "", l.fewTransitions() == "", "%v", c)
	}
}

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
