package spectral

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// TestModesThatCutThroughAnEigenspace: any functions inside the last space are right; the truth is rotated instead.
func TestModesThatCutThroughAnEigenspace(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 0))
	f, weights := basis(t, rng, 30, 12)
	spaces := []Eigenspace{{0, 1}, {1, 4}, {4, 6}}
	truth := linalg.Columns(f, 0, 6)
	whole := rotateWithin(rng, truth, spaces, 6)
	for k, first := range map[int]int{2: 1, 3: 1, 5: 4} { // first: start of the space that k cuts
		learned := linalg.Columns(whole, 0, k)
		aligned, target := testkit.Must2(Align(truth, learned, weights, spaces))
		assert.True(t, mat.EqualApprox(aligned, target, 1e-12), "k = %d", k)
		assert.True(t, mat.EqualApprox(linalg.Columns(learned, first, k), linalg.Columns(aligned, first, k), 1e-14), "k = %d", k)
		angles := testkit.Must(AngleDistances(truth, learned, weights, spaces))
		assert.InDeltaSlice(t, make([]float64, k), angles, 1e-12)
		distances := testkit.Must(SubspaceDistances(truth, learned, weights, spaces))
		assert.InDeltaSlice(t, make([]float64, len(distances)), distances, 1e-25)

		// Tilted by an angle of 0.3 out of every eigenspace.
		out := linalg.Sum(linalg.Scaled(math.Cos(0.3), learned), linalg.Scaled(math.Sin(0.3), linalg.Columns(f, 6, 6+k)))
		angles = testkit.Must(AngleDistances(truth, out, weights, spaces))
		for _, angle := range angles {
			assert.InDelta(t, 0.3, angle, 1e-12)
		}
	}
}

// TestModesThatRepeatADirection: a cosine per mode would accept both.
func TestModesThatRepeatADirection(t *testing.T) {
	truth, weights := basis(t, rand.New(rand.NewPCG(25, 0)), 10, 2)
	repeated := mat.DenseCopyOf(truth)
	repeated.SetCol(1, mat.Col(nil, 0, truth))
	space := []Eigenspace{{0, 2}}
	angles := testkit.Must(AngleDistances(truth, repeated, weights, space))
	assert.InDelta(t, math.Pi/2, angles[0]+angles[1], 1e-12)
	distances := testkit.Must(SubspaceDistances(truth, repeated, weights, space))
	assert.InDelta(t, 0.5, distances[0], 1e-12)
}

func TestComparisonsRefuseEigenspacesThatDoNotFit(t *testing.T) {
	f, weights := basis(t, rand.New(rand.NewPCG(26, 0)), 10, 4)
	for message, spaces := range map[string][]Eigenspace{
		"2 modes":      {{0, 2}},
		"0 modes":      nil,
		"eigenspace 0": {{1, 4}},
		"eigenspace 1": {{0, 2}, {2, 2}, {2, 4}},
		"mode 4":       {{0, 2}, {2, 5}},
	} {
		_, err := AngleDistances(f, f, weights, spaces) // by Align
		assert.ErrorContains(t, err, message)
		_, err = SubspaceDistances(f, f, weights, spaces)
		assert.ErrorContains(t, err, message)
	}
	_, err := SubspaceDistances(f, linalg.Columns(f, 0, 2), weights, []Eigenspace{{0, 2}, {7, 9}})
	assert.NoError(t, err, "spaces beyond the learned modes do not matter")
}
