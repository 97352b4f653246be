package gridworld

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// On an open rectangle the walk is a sum of two reflecting walks on paths, both diagonal in cosines (Strang: The
// discrete cosine transform, SIAM Review 1999, DCT-2), so
//
//	λ_{ab} = (cos(πa/m) + cos(πb/n)) / 2,  a = 0…m−1, b = 0…n−1.
func TestSpectrumOfTheOpenRoomIsClosedForm(t *testing.T) {
	g := testkit.Must(Load("GridRoom-1"))
	const side = 15
	var want []float64
	for a := range side {
		for b := range side {
			want = append(want, (math.Cos(math.Pi*float64(a)/side)+math.Cos(math.Pi*float64(b)/side))/2)
		}
	}
	slices.Sort(want)
	slices.Reverse(want)
	truth := testkit.Must(spectral.SymEigen(g.Transition()))
	assert.InDeltaSlice(t, want, truth.Values, 1e-13)
	spaces := []spectral.Eigenspace{{First: 0, End: 1}, {First: 1, End: 3}, {First: 3, End: 4}, {First: 4, End: 6}}
	assert.Equal(t, spaces, truth.Eigenspaces()[:4], "λ_{ab} = λ_{ba}")
}

// No gap between neighbours among the top 60 eigenvalues of an environment is near the tolerance that defines
// degeneracy. So the eigenspaces equal those in the code of ALLO and of section 3.1, which identifies eigenvalues that
// are equal after rounding to 16 decimals and casting to float32 (github.com/samueltzhou/laplacian_dual_dynamics_omm at
// commit 58e10cd, round_eigenvalues in src/env/grid/grid.py).
func TestNoTopGapIsNearTheDegeneracyTolerance(t *testing.T) {
	const top = 60
	claim := papertest.Of(t, "cosine-metric")
	near := 0
	for _, name := range Names() {
		w := testkit.Must(LoadWorld(name))
		assert.InDelta(t, 1, w.Truth.Values[0], 1e-12, name)
		first := w.Truth.Eigenspaces()[0]
		assert.Equal(t, w.Grid.Components(), first.Dim(), "%s: multiplicity of the eigenvalue 1", name)
		truth := w.Truth
		truth.Values = truth.Values[:min(top, w.Grid.N())]
		cast := func(value float64) float32 { return float32(math.RoundToEven(value*1e16) / 1e16) }
		want := []spectral.Eigenspace{{First: 0, End: 1}}
		for i := 1; i < len(truth.Values); i++ {
			gap := truth.Values[i-1] - truth.Values[i]
			if !assert.False(t, gap > 1e-9 && gap < 1e-6, "%s: λ_%d − λ_%d = %g", name, i, i+1, gap) {
				near++
			}
			if cast(truth.Values[i]) != cast(truth.Values[i-1]) {
				want = append(want, spectral.Eigenspace{First: i})
			}
			want[len(want)-1].End = i + 1
		}
		assert.Equal(t, want, truth.Eigenspaces(), name)
	}
	claim.Printed("gaps between 10⁻⁹ and 10⁻⁶ among the top 60 of the environments", float64(near), 0)
}

func TestGeometricTransitionSharesEigenvectors(t *testing.T) {
	claim := papertest.Of(t, "pair-law")
	p := testkit.Must(Load("GridRoom-4")).Transition()
	truth := testkit.Must(spectral.SymEigen(p))
	for _, gamma := range []float64{0, 0.5, 0.9} {
		g := GeometricTransition(p, gamma, 50)
		gv := linalg.Product(g, truth.Vectors)
		for i, mu := range truth.Values {
			value := GeometricEigenvalue(mu, gamma, 50)
			for s := range len(truth.Values) {
				require.InDelta(t, value*truth.Vectors.At(s, i), gv.At(s, i), 1e-13, "γ = %v, mode %d", gamma, i)
				claim.Corrected("largest residual of P's eigenvectors for discounted pairs, γ = 0, 0.5, 0.9",
					math.Abs(value*truth.Vectors.At(s, i)-gv.At(s, i)), 1e-13)
			}
		}
		if gamma == 0 {
			assert.True(t, mat.Equal(p, g), "one-step pairs leave P as it is")
		}
	}
}

// Without truncation the mixture is (1−γ) P (I − γP)⁻¹. Truncation affects about the last 1/(1−γ) of L times, so the
// error falls as 1/L.
func TestLongEpisodesApproachTheClosedForm(t *testing.T) {
	claim := papertest.Of(t, "pair-law")
	const gamma = 0.9
	p := testkit.Must(Load("GridMaze-7")).Transition()
	n := p.SymmetricDim()
	var inverse mat.Dense
	require.NoError(t, inverse.Inverse(linalg.Difference(linalg.IdentityMatrix(n), linalg.Scaled(gamma, p))))
	limit := linalg.Scaled(1-gamma, linalg.Product(p, &inverse))

	distance := func(length int) float64 {
		return mat.Norm(linalg.Difference(GeometricTransition(p, gamma, length), limit), 2)
	}
	short, long := distance(500), distance(2_000)
	assert.InDelta(t, 1, math.Log(short/long)/math.Log(4), 0.01, "order of convergence in 1/L")
	assert.Less(t, long, 0.01)

	truth := testkit.Must(spectral.SymEigen(p))
	for _, mu := range truth.Values {
		value := GeometricEigenvalue(mu, gamma, 2_000)
		claim.Corrected.Within(t, "distance of the eigenvalues of discounted pairs from (1−γ)μ/(1−γμ), episodes of "+
			"2,000 steps", math.Abs((1-gamma)*mu/(1-gamma*mu)-value), 0.01)
	}
}

func TestGapAtTop(t *testing.T) {
	for _, scale := range []float64{1e-3, 1, 1e6} {
		values := []float64{1, 0.7, 0.7, 0.7, 0.7 - 1e-6, 0.2, 0.2, -1}
		floats.Scale(scale, values)
		w := &World{Truth: testkit.Must(spectral.SymEigen(mat.NewDiagDense(len(values), values)))}
		assert.True(t, math.IsInf(w.GapAtTop(1), 1))
		assert.InEpsilon(t, 0.3*scale, w.GapAtTop(4), 1e-9, "gaps inside an eigenspace do not count")
		assert.InEpsilon(t, 1e-6*scale, w.GapAtTop(5), 1e-3)
		assert.Equal(t, w.GapAtTop(len(values)), w.GapAtTop(100))
	}
}
