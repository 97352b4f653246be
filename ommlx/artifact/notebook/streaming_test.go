package notebook

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// Oja's rule orthonormalises V + η x xᵀV in the order of the columns. Sanger's rule follows its equation.
func TestStepsFollowTheirEquations(t *testing.T) {
	const k, d, eta = 3, 5, 0.3
	rng := rand.New(rand.NewPCG(51, 7))
	x := linalg.RandomGaussian(rng, d, 1)
	oja := StreamStart(k, d, 7)
	v := mat.DenseCopyOf(oja.T())
	moved := linalg.Sum(v, linalg.Scaled(eta, linalg.Product(x, x.T(), v)))
	OjaStep(oja, x.RawMatrix().Data, eta)
	assert.InDelta(t, 0, mat.Norm(linalg.Difference(linalg.Gram(oja.T()), linalg.IdentityMatrix(k)), 2), 1e-14)
	assert.Less(t, slices.Max(linalg.Angles(mat.DenseCopyOf(oja.T()), linalg.OrthonormalBasis(moved))), 1e-14)

	v = linalg.RandomGaussian(rng, d, k)
	sanger, want := mat.DenseCopyOf(v.T()), mat.DenseCopyOf(v)
	y := mat.Col(nil, 0, linalg.Product(v.T(), x))
	for i := range k {
		for j := range d {
			remainder := x.At(j, 0) - floats.Dot(y[:i+1], v.RawRowView(j)[:i+1])
			want.Set(j, i, v.At(j, i)+eta*y[i]*remainder)
		}
	}
	require.NoError(t, SangerStep(sanger, x.RawMatrix().Data, eta))
	assert.InDelta(t, 0, mat.Norm(linalg.Difference(want.T(), sanger), 2), 1e-13)
}

// From any start the eigenvectors are learned in order, and for equal eigenvalues their space.
func TestStreamingPCALearnsTheLeadingSpaces(t *testing.T) {
	for rule, step := range map[string]func(vt *mat.Dense, x []float64, eta float64) error{
		"Oja":    func(vt *mat.Dense, x []float64, eta float64) error { OjaStep(vt, x, eta); return nil },
		"Sanger": SangerStep,
	} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(51, seed))
			directions := linalg.RandomOrthonormal(rng, 6, 6)
			roots := mat.NewDiagDense(6, []float64{1, math.Sqrt(0.7), math.Sqrt(0.4), math.Sqrt(0.4), 0.3, 0.3})
			vt := StreamStart(4, 6, seed)
			for n := range 20_000 {
				x := linalg.Product(directions, roots, linalg.RandomGaussian(rng, 6, 1))
				require.NoError(t, step(vt, x.RawMatrix().Data, 6/(51+float64(n))))
			}
			distances := testkit.Must(spectral.SubspaceDistances(directions, mat.DenseCopyOf(vt.T()),
				[]float64{1, 1, 1, 1, 1, 1}, []spectral.Eigenspace{{End: 1}, {First: 1, End: 2}, {First: 2, End: 4}}))
			assert.Less(t, slices.Max(distances), 0.01, rule)
		}
	}
}

func TestSangerDivergesWithALargeRateAndOjaDoesNot(t *testing.T) {
	x, sanger, oja := []float64{3, -1, 2}, StreamStart(2, 3, 0), StreamStart(2, 3, 0)
	var diverged error
	for range 50 {
		if diverged == nil {
			diverged = SangerStep(sanger, x, 10)
		}
		OjaStep(oja, x, 10)
	}
	assert.ErrorContains(t, diverged, "140")
	assert.InDelta(t, floats.Norm(x, 2), math.Abs(floats.Dot(oja.RawRowView(0), x)), 1e-12)
}
