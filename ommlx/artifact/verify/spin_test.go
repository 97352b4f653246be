package verify_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// Σ̄ is the average including this batch, and it moves with the batch's Σ. The gradient uses row i of Σ̄⁻¹ and of
// Σ̄⁻¹ΠΣ̄⁻¹, both for the leading block of the first i functions.
func TestSpINGradient(t *testing.T) {
	const batch, k, decay = 9, 4, 0.2
	rng := testkit.NewRand(102)
	o := ommlx.SpIN{Decay: decay}
	at, state := testkit.GaussianPoint(rng, batch, k), testkit.LateState(o, 0, k)
	// M[f,Tf] is symmetric for TF = A F on all samples.
	half := linalg.RandomGaussian(rng, batch, batch)
	at.TF = testkit.FromMatrix(linalg.Product(half, half.T(), at.F.Matrix()))

	average := linalg.Sum(linalg.Scaled(1-decay, state[0].Matrix()), linalg.Scaled(decay, testkit.SecondMoment(at.F,
		at.F).Matrix()))
	projected := testkit.SecondMoment(at.F, at.TF).Matrix()
	dF, dTF := mat.NewDense(batch, k, nil), mat.NewDense(batch, k, nil)
	for i := range k {
		block := func(m *mat.Dense) *mat.Dense { return mat.DenseCopyOf(m.Slice(0, i+1, 0, i+1)) }
		var inverse mat.Dense
		require.NoError(t, inverse.Inverse(block(average)))
		row := linalg.Scaled(1./batch, inverse.Slice(i, i+1, 0, i+1).T())
		f, tf := linalg.Columns(at.F.Matrix(), 0, i+1), linalg.Columns(at.TF.Matrix(), 0, i+1)
		ofF := linalg.Difference(linalg.Scaled(2, linalg.Product(f, &inverse, block(projected), row)),
			linalg.Product(tf, row))
		dF.SetCol(i, ofF.RawMatrix().Data)
		dTF.SetCol(i, linalg.Scaled(-1, linalg.Product(f, row)).RawMatrix().Data)
	}
	e := evaluateObjective(t, o, at, state)
	testkit.RequireClose(t, testkit.FromMatrix(average), e.Next[0], 1e-13, "average")
	testkit.RequireClose(t, testkit.FromMatrix(dF), e.DF, 1e-11, "gradient for f")
	testkit.RequireClose(t, testkit.FromMatrix(dTF), e.DTF, 1e-11, "gradient for Tf")
	var solved mat.Dense
	require.NoError(t, solved.Solve(average, projected))
	require.InEpsilon(t, -mat.Trace(&solved), e.Loss.Data[0], 1e-12)

	indefinite := []testkit.Array{state[0].Scaled(-1)}
	require.True(t, math.IsNaN(evaluateObjective(t, o, at, indefinite).Loss.Data[0]))
}

// The eigenvectors are in order and of length 1, even with negative eigenvalues.
func TestSpINFindsTheEigenvectors(t *testing.T) {
	for name, eigenvalues := range map[string][]float64{
		"positive":   {4, 3, 2, 1, 0.5},
		"indefinite": {2, 1, -0.5, -2, -4},
	} {
		t.Run(name, func(t *testing.T) {
			rng := testkit.NewRand(103)
			a, w := linalg.RandomSymmetric(rng, eigenvalues)
			learned := testkit.Gaussian(rng, 5, 3)
			descend(t, ommlx.SpIN{Decay: 0.3}, a, learned, 2000, 0.02)
			upper := testkit.Must(spectral.GramSchmidt(learned.Matrix(), []float64{1, 1, 1, 1, 1}))
			requireFinds(t, w, linalg.Product(learned.Matrix(), upper))
		})
	}
}

// The published loss of NeuralEF, for normalised functions, with the stopped functions as a separate argument.
func TestNeuralEFGradient(t *testing.T) {
	const batch, k = 9, 4
	norm := func(p testkit.Point, i int) float64 { return math.Sqrt(dot(p.F, i, p.F, i)) }
	quotient := func(p testkit.Point, i int) float64 { return dot(p.F, i, p.TF, i) / math.Pow(norm(p, i), 2) }
	at := testkit.GaussianPoint(testkit.NewRand(91), batch, k)
	requireCentralDifferences(t, func(moving, still testkit.Point) float64 {
		sum := 0.0
		for i := range k {
			sum -= quotient(moving, i)
			for j := range i {
				shared := dot(moving.F, i, still.TF, j) / (norm(moving, i) * norm(still, j))
				sum += shared * shared / quotient(still, j)
			}
		}
		return sum
	}, at, evaluateObjective(t, ommlx.NeuralEF{}, at, nil))
}

// Gradient steps find the leading eigenvectors in order from any start.
func TestNeuralEFFindsTheEigenvectors(t *testing.T) {
	rng := testkit.NewRand(93)
	a, w := linalg.RandomSymmetric(rng, []float64{4, 3, 2, 1, 0.5})
	v := testkit.Gaussian(rng, 5, 3)
	descend(t, ommlx.NeuralEF{}, a, v, 2000, 0.02)
	requireFinds(t, w, v.Matrix())
}
