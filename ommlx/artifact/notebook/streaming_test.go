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
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/spectral"
)

type gaussian struct {
	rng        *rand.Rand
	directions *mat.Dense
	variances  []float64
}

func (g gaussian) draw(x []float64) {
	source := make([]float64, len(g.variances))
	for i, variance := range g.variances {
		source[i] = math.Sqrt(variance) * g.rng.NormFloat64()
	}
	mat.NewVecDense(len(x), x).MulVec(g.directions, mat.NewVecDense(len(source), source))
}

// streamErrors returns, at each of the steps and for each column i, sin² of its angle to direction i in each run. A run
// starts from random columns or, if settled, from the eigenvectors.
func streamErrors(t *testing.T, rule StreamRule, variances []float64, k, runs int, rate func(int) float64,
	steps []int, settled bool) [][][]float64 {
	d := len(variances)
	errs := make([][][]float64, len(steps))
	for at := range errs {
		errs[at] = make([][]float64, k)
	}
	x := make([]float64, d)
	for run := range runs {
		rng := rand.New(rand.NewPCG(uint64(run), 7))
		samples := gaussian{rng, randomOrthogonal(rng, d), variances}
		pca := testkit.Must(NewStreamingPCA(rule, d, k, rate, uint64(run)))
		if settled {
			pca.rows.Copy(samples.directions.T())
		}
		for at, step := range steps {
			for pca.steps < step {
				samples.draw(x)
				require.NoError(t, pca.Update(x))
			}
			v := pca.Components()
			for i := range k {
				away := mat.Col(nil, i, v)
				direction := mat.Col(nil, i, samples.directions)
				length := floats.Norm(away, 2)
				floats.AddScaled(away, -floats.Dot(away, direction), direction)
				errs[at][i] = append(errs[at][i], math.Pow(floats.Norm(away, 2)/length, 2))
			}
		}
	}
	return errs
}

// With rates c/t the error that sample noise causes in the eigenvectors falls as 1/t. Its constant is the one in
// InverseTime's doc, summed over the other directions: for every column of Oja's rule, since two orthonormal columns
// rotate against each other by one angle, and for the first of Sanger's, whose others follow late. The mean of 150
// squared normal numbers has an error of 12%, and the slope of about 0.06.
func TestStreamingPCAConvergesAsOneOverT(t *testing.T) {
	variances := []float64{1, 0.7, 0.4, 0.1, 0.1}
	const k, c, t0, runs = 3, 6, 50, 150
	steps := []int{500, 1_000, 2_000, 4_000, 8_000}
	logSteps := make([]float64, len(steps))
	for i, step := range steps {
		logSteps[i] = math.Log(t0 + float64(step))
	}
	for _, rule := range []StreamRule{Oja, Sanger} {
		errs := streamErrors(t, rule, variances, k, runs, InverseTime(c, t0), steps, true)
		for i := range k {
			logs := make([]float64, len(steps))
			for at := range steps {
				logs[at] = math.Log(stat.Mean(errs[at][i], nil))
			}
			_, slope := stat.LinearRegression(logSteps, logs, nil, false)
			var want float64
			for j, variance := range variances {
				if j != i {
					want += c * c * variances[i] * variance / (2*c*math.Abs(variances[i]-variance) - 1)
				}
			}
			last := len(steps) - 1
			ratio := stat.Mean(errs[last][i], nil) * float64(steps[last]) / want
			t.Logf("%v, column %d: slope %.3f; at %d steps %.2f times the theory's error",
				rule, i, slope, steps[last], ratio)
			assert.InDelta(t, -1, slope, 0.15, "%v, column %d", rule, i)
			if rule == Oja || i == 0 {
				assert.InDelta(t, 1, ratio, 0.3, "%v, column %d", rule, i)
			}
		}
	}
}

// If c < 1/(2 gap) the error of the start dominates: the squared tangent falls as t^{−2c·gap}.
func TestStreamingPCAIsSlowWithASmallRate(t *testing.T) {
	const c, gap, t0 = 0.4, 0.5, 10
	steps := []int{1_000, 16_000}
	errs := streamErrors(t, Oja, []float64{1, 1 - gap, 1 - gap}, 1, 100, InverseTime(c, t0), steps, false)
	for _, sines := range errs {
		for run, s := range sines[0] {
			sines[0][run] = s / (1 - s)
		}
	}
	slope := (meanLog(errs[1][0]) - meanLog(errs[0][0])) / math.Log(float64(t0+steps[1])/float64(t0+steps[0]))
	t.Logf("slope %.3f", slope)
	assert.InDelta(t, -2*c*gap, slope, 0.08)
}

func meanLog(values []float64) (mean float64) {
	for _, v := range values {
		mean += math.Log(v) / float64(len(values))
	}
	return mean
}

// From any start the eigenvectors are learned in order, and for equal eigenvalues their space, as measured by
// SubspaceDistances.
func TestStreamingPCALearnsTheLeadingSpaces(t *testing.T) {
	for _, rule := range []StreamRule{Oja, Sanger} {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(51, seed))
			samples := gaussian{rng, randomOrthogonal(rng, 6), []float64{1, 0.7, 0.4, 0.4, 0.1, 0.1}}
			pca := testkit.Must(NewStreamingPCA(rule, 6, 4, InverseTime(6, 50), seed))
			x := make([]float64, 6)
			for range 20_000 {
				samples.draw(x)
				require.NoError(t, pca.Update(x))
			}
			distances := testkit.Must(spectral.SubspaceDistances(samples.directions, pca.Components(),
				[]float64{1, 1, 1, 1, 1, 1}, []spectral.Eigenspace{{End: 1}, {First: 1, End: 2}, {First: 2, End: 4}}))
			assert.Less(t, slices.Max(distances), 0.01, "%v", rule)
		}
	}
}

func TestStreamingPCARejectsInvalidInput(t *testing.T) {
	rate := InverseTime(1, 10)
	for word, create := range map[string]func() (*StreamingPCA, error){
		"k = 0":  func() (*StreamingPCA, error) { return NewStreamingPCA(Oja, 2, 0, rate, 0) },
		"rule 7": func() (*StreamingPCA, error) { return NewStreamingPCA(7, 2, 1, rate, 0) },
		"rate":   func() (*StreamingPCA, error) { return NewStreamingPCA(Oja, 2, 1, nil, 0) },
	} {
		_, err := create()
		assert.ErrorContains(t, err, word)
	}
	pca := testkit.Must(NewStreamingPCA(Oja, 2, 1, rate, 0))
	assert.ErrorContains(t, pca.Update([]float64{1}), "length 1")
	assert.ErrorContains(t, pca.Update([]float64{1, math.NaN()}), "NaN")
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
	assert.ErrorContains(t, diverged, "η‖x‖² is 140")
	first := mat.Col(nil, 0, oja.Components())
	assert.InDelta(t, floats.Norm(x, 2), math.Abs(floats.Dot(first, x)), 1e-12)
}

func randomOrthogonal(rng *rand.Rand, n int) *mat.Dense {
	random := mat.NewDense(n, n, nil)
	random.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, random)
	var qr mat.QR
	qr.Factorize(random)
	var q mat.Dense
	qr.QTo(&q)
	return &q
}
