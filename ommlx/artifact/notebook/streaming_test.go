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
	"omm-go/ommlx/internal/linalg"
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

// rules are the steps of streaming PCA. They fail the test if they diverge.
func rules(t *testing.T) map[string]func(vt *mat.Dense, x []float64, eta float64) {
	return map[string]func(vt *mat.Dense, x []float64, eta float64){"Oja": OjaStep,
		"Sanger": func(vt *mat.Dense, x []float64, eta float64) { require.NoError(t, SangerStep(vt, x, eta)) }}
}

// With rates c/t, from the eigenvectors on, the error falls as 1/t with the constant of [verify.StreamingError]: in
// every column of Oja's rule, since two orthonormal columns rotate against each other by one angle, and in the first
// column of Sanger's, whose others follow late. The mean of 150 squared normal numbers has an error of 12 %, and the
// slope of about 0.06.
func TestStreamingPCAConvergesAsOneOverT(t *testing.T) {
	variances := []float64{1, 0.7, 0.4, 0.1, 0.1}
	const k, c, t0, runs, d = 3, 6, 50, 150, 5
	steps := []float64{500, 1_000, 2_000, 4_000, 8_000}
	for rule, step := range rules(t) {
		errs := mat.NewDense(k, len(steps), nil) // mean of sin² of each column's angle
		for run := range uint64(runs) {
			rng := rand.New(rand.NewPCG(run, 7))
			samples := gaussian{rng, linalg.RandomOrthonormal(rng, d, d), variances}
			vt, n := mat.DenseCopyOf(samples.directions.Slice(0, d, 0, k).T()), 0.0
			for at, end := range steps {
				for ; n < end; n++ {
					step(vt, samples.draw(), c/(t0+n+1))
				}
				for i, angle := range linalg.Angles(mat.DenseCopyOf(vt.T()), samples.directions) {
					errs.Set(i, at, errs.At(i, at)+math.Pow(math.Sin(angle), 2)/runs)
				}
			}
		}
		last := len(steps) - 1
		shifted := slices.Clone(steps)
		floats.AddConst(t0, shifted)
		for i := range k {
			assert.InDelta(t, -1, linalg.FitPower(shifted, errs.RawRowView(i)), 0.15, "%s, column %d", rule, i)
			if rule == "Oja" || i == 0 {
				ratio := errs.At(i, last) * steps[last] / verify.StreamingError(variances, i, c)
				assert.InDelta(t, 1, ratio, 0.3, "%s, column %d", rule, i)
			}
		}
	}
}

// From any start the eigenvectors are learned in order, and for equal eigenvalues their space.
func TestStreamingPCALearnsTheLeadingSpaces(t *testing.T) {
	for rule, step := range rules(t) {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(51, seed))
			samples := gaussian{rng, linalg.RandomOrthonormal(rng, 6, 6), []float64{1, 0.7, 0.4, 0.4, 0.1, 0.1}}
			vt := StreamStart(4, 6, seed)
			for n := range 20_000 {
				step(vt, samples.draw(), 6/(51+float64(n)))
			}
			distances := testkit.Must(spectral.SubspaceDistances(samples.directions, mat.DenseCopyOf(vt.T()),
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
