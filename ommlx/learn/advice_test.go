package learn

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
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
	box := net.Box{Lower: []float64{-5}, Upper: []float64{5}}
	learned := func(change func(l *Learned)) *Learned {
		l := &Learned{settings: Settings{Seeds: []int64{1}}}
		l.Values, l.Residuals, l.edge = []float64{1, 0.5}, []float64{0, 0}, math.NaN()
		l.Diagnosis = spectral.Diagnosis{Norms: []float64{1, 1}, Quotients: []float64{1, 0.5}}
		l.Result, l.Task.defaults = &train.Result{}, Settings{Rate: 1, Shift: 1}
		change(l)
		return l
	}
	vanished := func(norm, quotient float64) func(l *Learned) {
		return func(l *Learned) {
			l.Task.Noisy, l.Diagnosis.Norms[1], l.Diagnosis.Quotients[1] = true, norm, quotient
		}
	}
	heldOut := func(value, held, err float64) func(l *Learned) {
		return func(l *Learned) {
			l.Values[1] = value
			l.HeldOut = &spectral.PairScores{Values: []float64{1, held}, Errors: []float64{0, err}}
		}
	}
	remedy := func(rate, shift float64) func(l *Learned) {
		return func(l *Learned) { l.Residuals[0], l.settings.Rate, l.settings.Shift = 0.4, rate, shift }
	}
	one := func(residual float64, apply func(dst, src []float64)) func(l *Learned) {
		return func(l *Learned) { l.Values, l.Residuals, l.Task.apply = []float64{1}, []float64{residual}, apply }
	}
	set := func(field func(l *Learned) *float64, value float64) func(l *Learned) {
		return func(l *Learned) { *field(l) = value }
	}
	asymmetry := func(l *Learned) *float64 { return &l.Diagnosis.Asymmetry }
	cosine := func(l *Learned) *float64 { return &l.Diagnosis.Cosine }
	norm := func(l *Learned) *float64 { return &l.Diagnosis.Norms[0] }
	residual := func(l *Learned) *float64 { return &l.Residuals[0] }
	missed := func(by float64) func(l *Learned) {
		return func(l *Learned) { l.Values[1], l.radius, l.outside.Least = 0, 1, []float64{1, by} }
	}
	close := func(residual float64) func(l *Learned) {
		return func(l *Learned) { l.Values[1], l.Residuals[1] = 1-1e-6, residual }
	}
	level := func(d float64) func(l *Learned) {
		return func(l *Learned) { l.Values, l.Residuals, l.edge = []float64{1, 1 - d}, []float64{0.1, 0.1}, 0.5 }
	}
	border := func(v float64) func(l *Learned) {
		return func(l *Learned) { l.Task.scales = schrodinger.Scales{Region: box, Border: v} }
	}
	for name, c := range map[string]struct {
		above, below func(l *Learned)
		remark       string // part of it
	}{
		"asymmetry":                       {set(asymmetry, 0.06), set(asymmetry, 0.04), "self-adjoint"},
		"cosine":                          {set(cosine, 0.06), set(cosine, 0.04), "cosine"},
		"norm":                            {set(norm, 2.2), set(norm, 1.8), "norm"},
		"norm of a vanished function":     {vanished(0.22, 0), vanished(0.28, 0), "vanished"},
		"quotient of a vanished function": {vanished(0, 0.09), vanished(0, 0.11), "vanished"},
		"decay in a box":                  {border(1.22), border(1.28), "box"},
		"error":                           {one(0.06, nil), one(0.04, nil), "off by"},
		"proved error":                    {one(0.012, linalg.Times(nil)), one(0.008, linalg.Times(nil)), "off by"},
		"missed eigenvalue":               {missed(1.2e-7), missed(0.8e-7), "at least"},
		"residual to gap":                 {set(residual, 0.27), set(residual, 0.23), "separated"},
		"degenerate level":                {level(0.6e-4), level(0.4e-4), "separated"},
		"residual of float32":             {close(1.2e-5), close(0.8e-5), "separated"},
		"large rate":                      {remedy(11, 0), remedy(9, 0), "lower Rate"},
		"large shift":                     {remedy(0, 11), remedy(0, 9), "lower Shift"},
		"noise":                           {heldOut(0.2, 0.1, 0.036), heldOut(0.2, 0.1, 0.032), "overfitted"},
		"drop":                            {heldOut(0.556, 0.5, 0.01), heldOut(0.544, 0.5, 0.01), "overfitted"},
		"drop of noise":                   {heldOut(0.188, 0.1, 0.04), heldOut(0.172, 0.1, 0.04), "overfitted"},
		"no eigenvalue":                   {heldOut(0.045, 0.05, 0.04), heldOut(0.055, 0.05, 0.04), "lower k"},
		"drop in errors":                  {heldOut(0.588, 0.5, 0.02), heldOut(0.572, 0.5, 0.02), "overfitted"},
	} {
		require.Contains(t, fmt.Sprint(learned(c.above).Advice()), c.remark, name)
		require.NotContains(t, fmt.Sprint(learned(c.below).Advice()), c.remark, name)
	}
}

// TestMomentsOfSampledOperators: without residuals, the moments show an operator that is not self-adjoint, and
// functions that have no eigenvalue.
func TestMomentsOfSampledOperators(t *testing.T) {
	l := &Learned{Run: Run{Values: []float64{1, 0}, Residuals: unknown(2)}, Task: Task{Noisy: true}}
	l.Diagnosis = spectral.Diagnosis{Norms: []float64{1, 0.1}, Quotients: []float64{1, 0.5}, Cosine: 0.3}
	require.Contains(t, l.Advice()[0], "cosine")
	l.Diagnosis.Quotients[1] = 0
	require.Len(t, l.Advice(), 1)
	require.Contains(t, l.Advice()[0], "function 2 has norm 0.1")
	l.Diagnosis.Asymmetry = 0.2
	require.Len(t, l.Advice(), 1)
	require.Contains(t, l.Advice()[0], "asymmetry of 0.2")
	l.Task.notSymmetric = "entries differ"
	require.Equal(t, []string{"entries differ"}, l.Advice())
}

// TestOneCause: only a cause is reported, since its consequences have no separate remedy.
func TestOneCause(t *testing.T) {
	mixed := Run{Values: []float64{-1, 0.5}, Residuals: []float64{2, 2}}
	far := mixed
	far.Diagnosis.Norms = []float64{1, 70}
	wide := Run{Values: []float64{1, 2}, Residuals: []float64{0, 0}}
	box := net.Box{Lower: []float64{-5}, Upper: []float64{5}}
	for word, l := range map[string]*Learned{
		"only 1 of 2 energies": {Run: mixed, Task: Task{negative: true}},
		"norm 70":              {Run: far},
		"value 2 is above":     {Run: wide, Task: Task{scales: schrodinger.Scales{Border: 2.2, Region: box}}},
		"may be off by":        {Run: mixed, Task: Task{improve: "widen"}},
	} {
		require.Len(t, l.Advice(), 1, word)
		require.Contains(t, l.Advice()[0], word)
	}
}

// moved samples around (30, −30).
type moved struct{ schrodinger.Gaussian }

func (m moved) Sample(random *train.Random, dtype dtypes.DType, batch int) *graph.Node {
	x := m.Gaussian.Sample(random, dtype, batch)
	return graph.Add(x, graph.BroadcastToShape(graph.ConstAs(x, [][][]float64{{{30, -30}}}), x.Shape()))
}

// TestFrequenciesOfMovedSamples: they depend on the width of the samples only.
func TestFrequenciesOfMovedSamples(t *testing.T) {
	round := schrodinger.Gaussian{Dim: 2, Sigma: 2}
	frequencies := func(s schrodinger.Sampler) []float64 {
		flat := func(x *graph.Node) *graph.Node {
			return graph.Neg(graph.OnesLike(graph.SliceAxis(x, -1, graph.AxisElem(0))))
		}
		task := testkit.Must(Schrodinger{Sampler: s, Potential: flat}.Define(testkit.PureGo(t), 2))
		return task.Functions.(wavefunctions).Waves.(net.FourierDisjoint).Frequencies
	}
	require.InEpsilonSlice(t, frequencies(round), frequencies(moved{round}), 1e-3)
}

// TestShiftWithoutEigenvalues: if the Lanczos method does not find the eigenvalues that decide on a shift, the default
// shift makes every eigenvalue positive.
func TestShiftWithoutEigenvalues(t *testing.T) {
	d := make([]float64, 900)
	for i := range d {
		d[i] = 0.5 - float64(i)/600 // of both signs, in [−1, 0.5]: half of the k leading ones are negative
	}
	task := testkit.Must(Matrix{A: mat.NewDiagDense(len(d), d)}.Define(testkit.PureGo(t), 600))
	require.GreaterOrEqual(t, task.defaults.Shift, 0.98)
}

// TestRounding: a matrix is not symmetric if entries differ by more than the rounding of long sums, and a kernel has no
// eigenvalues but noise if it is less than float32 rounding for distinct samples.
func TestRounding(t *testing.T) {
	for difference, reported := range map[float64]bool{0.8e-4: false, 1.2e-4: true} {
		a := mat.NewDense(2, 2, []float64{1, 0.5, 0.5 + difference, 1})
		task := testkit.Must(Matrix{A: a}.Define(nil, 1))
		require.Equal(t, reported, task.notSymmetric != "", "%g", difference)
	}
	for value, refused := range map[float64]bool{0.8e-6: true, 1.2e-6: false} { // of samples at a distance of 1
		k := Kernel{Samples: mat.NewDense(2, 1, []float64{0, 1}), K: func(x, y *graph.Node) *graph.Node {
			return graph.Exp(graph.MulScalar(graph.ReduceSum(graph.Square(graph.Sub(x, y)), -1), math.Log(value)))
		}}
		_, err := k.Define(testkit.PureGo(t), 1)
		require.Equal(t, refused, err != nil, "%g", value)
	}
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

// TestAdviceWithoutValues: a run of a sampled Schrödinger operator that cannot be evaluated has no values to doubt.
func TestAdviceWithoutValues(t *testing.T) {
	l := &Learned{Task: Task{gap: func(float64) float64 { return 1 }, negative: true},
		settings: Settings{Objective: ommlx.Sanger{}}}
	require.Empty(t, l.Advice())
}
