package learn

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// TestObliqueFunctionsAreUnfinished: residuals are small, but an eigenvalue may be missing between those found. Only
// tables have bounds that exclude it.
func TestObliqueFunctionsAreUnfinished(t *testing.T) {
	l := &Learned{Run: Run{Values: []float64{1, 0.8}, Residuals: []float64{1e-3, 1e-3}}}
	l.Diagnosis = spectral.Diagnosis{Cosine: 0.2}
	require.Contains(t, l.unfinished(), "cosine of 0.2")
	l.Diagnosis.Cosine = 0.01
	require.Empty(t, l.unfinished())
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
		"value 2 is above":     {Run: wide, Task: Task{border: 2.2, box: box}},
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
		return task.Functions.(wavefunctions).Waves.(waves).frequencies
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
