package graphs

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/report"
	"omm-go/ommlx/artifact/representation"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

func newLab(t *testing.T) *run.Lab {
	return &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true}
}

// The running statistics resume too.
func TestResumedTrainingGivesTheSameResult(t *testing.T) {
	e := small(t, "omm").With(run.Seeds(2)).(Experiment)
	whole := papertest.Resumed[Run](t, e)
	require.Len(t, whole, 2)
	for _, one := range whole {
		require.Len(t, one.Embedding.Test, e.Probe.Repetitions)
		require.Len(t, one.Representation.Unseen, e.Probe.Repetitions)
		require.Len(t, one.Ritz, e.K)
	}
	assert.NotEqual(t, whole[0].Ritz, whole[1].Ritz, "seeds must differ")
}

// The result of a training that diverges has the step and the cause, and no accuracies.
func TestDivergedTrainingIsAResult(t *testing.T) {
	e := small(t, "omm")
	n := e.Network
	n.Summed, n.LARS.LearningRate, n.LARS.Trust = true, 1e6, 1
	result := papertest.Trained[Experiment, Run](t, newLab(t), e)
	require.Positive(t, result.Runs[0].Diverged)
	require.Contains(t, result.Runs[0].Note, "was not finite")
	require.Nil(t, result.Runs[0].Embedding)
	lines := (row{label: "OMM", method: "omm"}).lines(result)
	require.Len(t, lines, 1)
	require.Contains(t, Tab3Data{Rows: lines}.Text().Rows[0][3], fmt.Sprintf("at step %d", result.Runs[0].Diverged))
}

func TestTrainingOnProductsLearns(t *testing.T) {
	for _, method := range []string{"lora", eigenmaps} {
		e := small(t, method)
		e.Unseen = 0
		require.NoError(t, e.Validate())
		results := papertest.Trained[Experiment, Run](t, newLab(t), e).Runs
		require.Greater(t, report.SpreadOf(results[0].Embedding.Smoothed).Mean, 0.3, "%s, of 5 classes", method)
		require.Nil(t, results[0].Embedding.Unseen)
	}
}

// Label propagation improves them.
func TestAccuraciesEqualTheProbes(t *testing.T) {
	s, b := hideEdges(generated(), 0.2), testkit.Backend(t)
	e := quickExperiment(Features).smoke().plain().With([]int64{4, 9}).(Experiment)
	v := &evaluator{e: e, view: s, backend: b}
	prepared := testkit.Must(v.prepared())
	trained := testkit.Must(train.Run(t.Context(), prepared.Problem, prepared.Config, train.Options{Backend: b}))
	results := testkit.Must(v.Runs(t.Context(), trained))
	for name, part := range map[string]struct {
		nodes []int
		of    func(*Accuracies) []float64
	}{"test": {s.test, func(a *Accuracies) []float64 { return a.Test }},
		"unseen": {s.unseen, func(a *Accuracies) []float64 { return a.Unseen }}} {
		x := testkit.Must(s.table(s.X)(part.nodes))
		want := representation.Accuracies(trained.Snapshot, x)
		for r, result := range results {
			require.Equal(t, []float64{want[0][r].Top1}, part.of(result.Embedding), name)
		}
	}
	a := results[0].Embedding
	require.Greater(t, a.Smoothed[0], a.Test[0])
	require.Greater(t, results[0].Propagated, 0.5, "of 5 classes")
}

func TestRitzValuesOfEigenvectorsAreTheirEigenvalues(t *testing.T) {
	s := hideEdges(generated(), 0)
	vectors, values := testkit.Must2(s.eigenvectors(6))
	ritz, _ := testkit.Must2(s.ritz(s.table(vectors), 1, 6, ritzNumbers))
	require.InDeltaSlice(t, values, ritz[0], 1e-4)
	require.InDelta(t, 1, values[0], 1e-6)
	require.Greater(t, values[4], values[5]+0.1, "five communities have five leading eigenvalues")
}

// The smoke profile trains on the graph of Debian's packages, and the table is drawn again from kept results.
func TestTable3IsWritten(t *testing.T) {
	text := papertest.Made(t, newLab(t), Table3())["tab3_ogbn_products.md"]
	for _, word := range []string{"# Table 3: linear probe on debian-packages", "| OMM | embedding | 74.17 ± 0.19 | ",
		"| Paper (ogbn-products) | Ours (debian-packages) |", "| label propagation | none |  | ", "Smoke profile",
		"not tested"} {
		assert.Contains(t, text, word)
	}
}

// Parts of any width give the same Ritz values as the whole table. Linearly dependent functions give the values
// of their span.
func TestRitzValuesAreComputedInParts(t *testing.T) {
	s := hideEdges(generated(), 0)
	const k = 5
	n := s.Nodes()
	f := testkit.Gaussian(testkit.NewRand(3), n, k).Data
	for i := range f {
		f[i] = float64(float32(f[i]))
	}
	sf := make([]float64, len(f))
	Multiply(s.seen.Symmetric(), sf, f, k)
	want := testkit.Must(spectral.Diagnose(mat.NewDense(n, k, f), mat.NewDense(n, k, sf), nil))

	for _, functions := range []int{k, k + 1} {
		var x []float32
		for row := range slices.Chunk(f, k) {
			for c := range functions {
				x = append(x, float32(row[c%k])) // a sixth function is the first one again
			}
		}
		for _, most := range []int{1, 2 * n, 3*n + 1, 1 << 30} {
			ritz, _ := testkit.Must2(s.ritz(s.table(x), 1, functions, most))
			require.InDeltaSlice(t, want.Ritz, ritz[0], 1e-9, "%d functions, %d numbers at once", functions, most)
		}
	}
	none, _ := testkit.Must2(s.ritz(s.table(make([]float32, 2*n)), 1, 2, ritzNumbers))
	require.Empty(t, none[0])
	require.InDelta(t, floats.Sum(want.Ritz), quickExperiment("omm").captured(want.Ritz), 1e-12,
		"fewer than there are classes")
}
