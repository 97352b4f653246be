package gridworld

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// degenerate returns a truth with eigenspaces {0}, {1,2,3}, {4}, {5,6}, {7}.
func degenerate(rng *rand.Rand) spectral.Eigenpairs {
	values := mat.NewDiagDense(8, []float64{1, 0.7, 0.7, 0.7, 0.5, 0.2, 0.2, -1})
	w := linalg.RandomOrthonormal(rng, 8, 8)
	return testkit.Must(spectral.SymEigen(spectral.SymmetricPart(linalg.Product(linalg.Product(w, values), w.T()))))
}

func TestCosineSimilarityIsOneOnTheTruth(t *testing.T) {
	truth := degenerate(rand.New(rand.NewPCG(3, 0)))
	claim := papertest.Of(t, "cosine-metric").Printed
	perMode, _ := testkit.Must2(CosineSimilarity(truth, truth.Vectors))
	for _, c := range perMode {
		claim.Within(t, "distance from 1 on the truth", math.Abs(1-c), 1e-14)
	}
}

func TestCosineSimilarityIgnoresSignScaleAndRotationWithinEigenspaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	truth := degenerate(rng)
	learned := mat.NewDense(8, 8, nil)
	for _, space := range truth.Eigenspaces() {
		rotated := linalg.Product(linalg.Columns(truth.Vectors, space.First, space.End),
			linalg.RandomOrthonormal(rng, space.Dim(), space.Dim()))
		for j := range space.Dim() {
			scale := -math.Pow(10, float64(60*j-70)) // squares of 1e±170 would leave float64
			learned.Slice(0, 8, space.First+j, space.First+j+1).(*mat.Dense).Scale(scale, rotated.Slice(0, 8, j, j+1))
		}
	}
	claim := papertest.Of(t, "cosine-metric").Printed
	perMode, _ := testkit.Must2(CosineSimilarity(truth, learned))
	for _, c := range perMode {
		claim.Within(t, "distance from 1 after signs, scales and rotations within eigenspaces", math.Abs(1-c), 1e-12)
	}

	// k = 2 and 6 cut through eigenspaces: the whole space still counts.
	for _, k := range []int{2, 6} {
		cut, mean := testkit.Must2(CosineSimilarity(truth, linalg.Columns(learned, 0, k)))
		assert.Equal(t, perMode[:k], cut)
		assert.InDelta(t, 1, mean, 1e-12)
	}
}

func TestCosineSimilarityMeasuresTheAngle(t *testing.T) {
	claim := papertest.Of(t, "cosine-metric").Printed
	truth := degenerate(rand.New(rand.NewPCG(5, 0)))
	for _, angle := range []float64{1e-6, 0.3, math.Pi / 4, 1.5} {
		// Every column is rotated out of its eigenspace towards the last mode; the last one, towards the first.
		learned := mat.NewDense(8, 8, nil)
		for i := range 8 {
			for j := range 8 {
				away := 7
				if j == 7 {
					away = 0
				}
				learned.Set(i, j, math.Cos(angle)*truth.Vectors.At(i, j)+math.Sin(angle)*truth.Vectors.At(i, away))
			}
		}
		perMode, _ := testkit.Must2(CosineSimilarity(truth, learned))
		for _, c := range perMode {
			claim.Within(t, "distance from the cosine of a known angle", math.Abs(math.Cos(angle)-c), 1e-13)
		}
	}
}

func TestCosineSimilarityIsZeroOnOrthogonalZeroAndNonFiniteColumns(t *testing.T) {
	truth := degenerate(rand.New(rand.NewPCG(6, 0)))
	learned := mat.NewDense(8, 5, nil) // column 3 stays zero
	learned.SetCol(0, mat.Col(nil, 4, truth.Vectors))
	learned.SetCol(1, mat.Col(nil, 2, truth.Vectors)) // the right eigenspace
	learned.SetCol(2, mat.Col(nil, 5, truth.Vectors))
	learned.SetCol(4, mat.Col(nil, 4, truth.Vectors))
	want := []float64{0, 1, 0, 0, 1}
	for _, bad := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1)} {
		learned.Set(6, 3, bad)
		perMode, mean := testkit.Must2(CosineSimilarity(truth, learned))
		assert.InDeltaSlice(t, want, perMode, 1e-14)
		assert.InDelta(t, 0.4, mean, 1e-14)
	}
}

func TestCosineSimilarityRefusesShapesThatDoNotFit(t *testing.T) {
	truth := degenerate(rand.New(rand.NewPCG(7, 0)))
	for _, learned := range []*mat.Dense{{}, mat.NewDense(7, 2, nil), mat.NewDense(8, 9, nil)} {
		_, _, err := CosineSimilarity(truth, learned)
		assert.ErrorContains(t, err, "8 states")
	}
}
