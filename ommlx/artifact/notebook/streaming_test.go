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

	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

// gaussian draws samples with the given variances in the directions of an orthogonal matrix.
type gaussian struct {
	rng        *rand.Rand
	directions *mat.Dense
	variances  []float64
}

func (g gaussian) draw() []float64 {
	source, x := mat.NewVecDense(len(g.variances), nil), mat.NewVecDense(len(g.variances), nil)
	for i, variance := range g.variances {
		source.SetVec(i, math.Sqrt(variance)*g.rng.NormFloat64())
	}
	x.MulVec(g.directions, source)
	return x.RawVector().Data
}

// With rates c/t, from the eigenvectors on, the error falls as 1/t with the constant of [verify.StreamingError]: in
// every column of Oja's rule, since two orthonormal columns rotate against each other by one angle, and in the first
// column of Sanger's, whose others follow late. The mean of 150 squared normal numbers has an error of 12 %, and the
// slope of about 0.06.
func TestStreamingPCAConvergesAsOneOverT(t *testing.T) {
	variances := []float64{1, 0.7, 0.4, 0.1, 0.1}
	const k, c, t0, runs, d = 3, 6, 50, 150, 5
	steps := []float64{500, 1_000, 2_000, 4_000, 8_000}
	for _, rule := range []StreamRule{Oja, Sanger} {
		errs := mat.NewDense(k, len(steps), nil) // mean of sin² of each column's angle
		for run := range uint64(runs) {
			rng := rand.New(rand.NewPCG(run, 7))
			samples := gaussian{rng, verify.Orthonormal(rng, d, d), variances}
			pca := testkit.Must(NewStreamingPCA(rule, d, k, InverseTime(c, t0), run))
			pca.rows.Copy(samples.directions.T())
			for at, step := range steps {
				for float64(pca.steps) < step {
					require.NoError(t, pca.Update(samples.draw()))
				}
				for i, angle := range verify.Angles(pca.Components(), samples.directions) {
					errs.Set(i, at, errs.At(i, at)+math.Pow(math.Sin(angle), 2)/runs)
				}
			}
		}
		last := len(steps) - 1
		shifted := slices.Clone(steps)
		floats.AddConst(t0, shifted)
		for i := range k {
			assert.InDelta(t, -1, verify.PowerLaw(shifted, errs.RawRowView(i)), 0.15, "rule %v, column %d", rule, i)
			if rule == Oja || i == 0 {
				ratio := errs.At(i, last) * steps[last] / verify.StreamingError(variances, i, c)
				assert.InDelta(t, 1, ratio, 0.3, "rule %v, column %d", rule, i)
			}
		}
	}
}

// From any start the eigenvectors are learned in order, and for equal eigenvalues their space.
func TestStreamingPCALearnsTheLeadingSpaces(t *testing.T) {
	for _, rule := range []StreamRule{Oja, Sanger} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(51, seed))
			samples := gaussian{rng, verify.Orthonormal(rng, 6, 6), []float64{1, 0.7, 0.4, 0.4, 0.1, 0.1}}
			pca := testkit.Must(NewStreamingPCA(rule, 6, 4, InverseTime(6, 50), seed))
			for range 20_000 {
				require.NoError(t, pca.Update(samples.draw()))
			}
			distances := testkit.Must(spectral.SubspaceDistances(samples.directions, pca.Components(),
				[]float64{1, 1, 1, 1, 1, 1}, []spectral.Eigenspace{{End: 1}, {First: 1, End: 2}, {First: 2, End: 4}}))
			assert.Less(t, slices.Max(distances), 0.01, "rule %v", rule)
		}
	}
}

func TestSangerDivergesWithALargeRateAndOjaDoesNot(t *testing.T) {
	large := func(int) float64 { return 10 }
	x := []float64{3, -1, 2}
	sanger := testkit.Must(NewStreamingPCA(Sanger, 3, 2, large, 0))
	oja := testkit.Must(NewStreamingPCA(Oja, 3, 2, large, 0))
	var diverged error
	for range 50 {
		if diverged == nil {
			diverged = sanger.Update(x)
		}
		require.NoError(t, oja.Update(x))
	}
	assert.ErrorContains(t, diverged, "140")
	first := mat.Col(nil, 0, oja.Components())
	assert.InDelta(t, floats.Norm(x, 2), math.Abs(floats.Dot(first, x)), 1e-12)

	_, err := NewStreamingPCA(Oja, 2, 3, large, 0)
	assert.ErrorContains(t, err, "k = 3")
}
