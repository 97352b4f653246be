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
	e := newSmall("omm").With(run.Seeds(2)).(small)
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
	e := newSmall(eigenmaps)
	n := e.Network
	n.Unnormalised, n.LARS.LearningRate, n.LARS.Trust = true, 1e6, 1
	require.NoError(t, e.Validate())
	kept := []*run.Result{testkit.Must(run.Run(t.Context(), newLab(t), e))}
	result := testkit.Must(run.Decode[Experiment, Run](kept))[0]
	require.Positive(t, result.Runs[0].Diverged)
	require.Contains(t, result.Runs[0].Note, "was not finite")
	require.Nil(t, result.Runs[0].Embedding)
	lines := (row{label: "OMM", method: "omm"}).lines(result)
	require.Len(t, lines, 1)
	require.Contains(t, Tab3Data{Rows: lines}.Text().Rows[0][3], fmt.Sprintf("at step %d", result.Runs[0].Diverged))
}

// Label propagation improves them. Without unseen nodes there is no accuracy on them.
func TestAccuraciesEqualTheProbes(t *testing.T) {
	b := testkit.PureGo(t)
	e := quickExperiment(Features).smoke().plain().With([]int64{4, 9}).(Experiment)
	for _, share := range []float64{0.2, 0} {
		s := hideEdges(generated(), share)
		v := &evaluator{e: e, view: s, backend: b}
		prepared := testkit.Must(v.prepared())
		trained := testkit.Must(train.Run(t.Context(), prepared.Problem, prepared.Config, train.Options{Backend: b}))
		results := testkit.Must(v.Runs(t.Context(), trained))
		accuracies := func(nodes []int, r int) (top1 []float64) {
			if len(nodes) > 0 {
				test := testkit.Must(s.table(s.X)(nodes))
				top1 = append(top1, representation.Accuracies(trained.Snapshot, test)[0][r].Top1)
			}
			return top1
		}
		for r, result := range results {
			require.Equal(t, accuracies(s.test, r), result.Embedding.Test)
			require.Equal(t, accuracies(s.unseen, r), result.Embedding.Unseen)
		}
		a := results[0].Embedding
		require.Greater(t, a.Smoothed[0], a.Test[0])
		require.Greater(t, results[0].Propagated, 0.5, "of 5 classes")
	}
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
