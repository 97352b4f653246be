package verify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// spaces136 are eigenspaces of the modes {0}, {1, 2, 3}, {4, 5}.
var spaces136 = []spectral.Eigenspace{{First: 0, End: 1}, {First: 1, End: 4}, {First: 4, End: 6}}

// orthonormalFunctions returns k functions on n points that are orthonormal for the weights.
func orthonormalFunctions(rng *rand.Rand, n, k int) (f *mat.Dense, weights []float64) {
	f = RandomOrthonormal(rng, n, k)
	for p := range n {
		w := 0.1 + rng.Float64()
		weights = append(weights, w)
		floats.Scale(1/math.Sqrt(w), f.RawRowView(p))
	}
	return f, weights
}

// scaleColumns multiplies each column by a number.
func scaleColumns(f *mat.Dense, by ...float64) *mat.Dense {
	return Product(f, mat.NewDiagDense(len(by), by))
}

func TestAlignUndoesRotationsAndSigns(t *testing.T) {
	claim := papertest.Of(t, "procrustes-alignment")
	rng := rand.New(rand.NewPCG(21, 0))
	truth, weights := orthonormalFunctions(rng, 30, 6)
	rotation := mat.NewDense(6, 6, nil)
	for _, s := range spaces136 {
		block := rotation.Slice(s.First, s.End, s.First, s.End).(*mat.Dense)
		block.Copy(RandomOrthonormal(rng, s.Dim(), s.Dim()))
	}
	// Scales differ within a space, since the columns are scaled to norm 1 before they are rotated back.
	learned := scaleColumns(Product(truth, rotation), -1e-150, 2, -3, 1e150, -1, 7)
	aligned, target := testkit.Must2(
		spectral.Align(scaleColumns(truth, 1, 5, 1, 2, 3, 1), learned, weights, spaces136))
	assert.True(t, mat.EqualApprox(truth, target, 1e-13), "the truth scaled to norm 1")
	// Negative scales of single columns are reflections, which the alignment undoes with the rotation.
	left := Difference(truth, aligned)
	claim.Printed.Within(t, "what is left of known rotations, signs and scales", mat.Max(left)-mat.Min(left), 2e-12)
}

// No other orthogonal matrix, drawn at random near and far, brings noisy functions closer to the truth.
func TestAlignIsOptimal(t *testing.T) {
	claim := papertest.Of(t, "procrustes-alignment")
	rng := rand.New(rand.NewPCG(23, 0))
	truth, weights := orthonormalFunctions(rng, 30, 3)
	learned := Sum(Product(truth, RandomOrthonormal(rng, 3, 3)),
		Scaled(0.1, RandomGaussian(rng, 30, 3)))
	aligned, target := testkit.Must2(spectral.Align(truth, learned, weights, []spectral.Eigenspace{{First: 0, End: 3}}))
	distance := func(f *mat.Dense) float64 {
		return floats.Norm(testkit.Must(spectral.Norms(Difference(f, target), weights)), 2)
	}
	best := distance(aligned)
	for range 200 {
		noise := Scaled(math.Pow(10, -4*rng.Float64()), RandomGaussian(rng, 3, 3))
		near := OrthonormalBasis(Sum(IdentityMatrix(3), noise))
		for i := range 3 { // a basis has arbitrary signs
			if near.At(i, i) < 0 {
				near.SetCol(i, mat.Col(nil, i, Scaled(-1, near)))
			}
		}
		claim.Printed.Within(t, "how much closer one of 200 other rotations comes",
			max(0, best-distance(Product(aligned, near))), 1e-12)
	}
}

func TestDistancesOfKnownTilts(t *testing.T) {
	claim := papertest.Of(t, "hydrogen-metrics")
	f, weights := orthonormalFunctions(rand.New(rand.NewPCG(22, 0)), 30, 12)
	truth := Columns(f, 0, 6)
	for _, tilts := range [][]float64{
		{0, 0.1, 0.2, 0.3, 0.4, 1.2},
		{1e-9, 1e-8, 2e-8, 3e-8, 0, 1e-10}, // an arccosine would give 0 or 1.5e-8 here
		{math.Pi / 2, 0, 0, 0.7, 0.7, 0.7},
	} {
		// Mode i is rotated towards column 6+i, which is orthogonal to every eigenspace.
		cos, sin := slices.Clone(tilts), slices.Clone(tilts)
		for i, angle := range tilts {
			sin[i], cos[i] = math.Sincos(angle)
		}
		learned := scaleColumns(truth, cos...)
		learned.Add(learned, scaleColumns(Columns(f, 6, 12), sin...))
		angles := testkit.Must(spectral.AngleDistances(truth, learned, weights, spaces136))
		distances := testkit.Must(spectral.SubspaceDistances(truth, learned, weights, spaces136))
		for i, want := range tilts {
			// The cross matrix of each space is diagonal and positive, so that the alignment is the identity.
			claim.Printed.Within(t, "difference of the angle of a mode that is turned by a known angle",
				math.Abs(want-angles[i]), 1e-14+1e-12*want)
		}
		for i, s := range spaces136 {
			want := math.Pow(floats.Norm(sin[s.First:s.End], 2), 2) / float64(s.Dim())
			assert.InDelta(t, want, distances[i], 1e-28+1e-6*want)
			claim.Printed.Within(t, "difference of the subspace distance and 1 − tr(P_1P_2)/k",
				math.Abs(want-distances[i]), 1e-6)
		}
	}
}
