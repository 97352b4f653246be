package theory

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Section 2.2.5: streaming PCA by stochastic gradients, with the second moment A_t of B samples in place of A. Across
// the eigenvectors the gradients of Sanger and OMM_seq both have the Jacobian 2(λ_i − λ_l), and at W_{1:k} the same
// noise, −2(I − VVᵀ)A_tv_i. With half the steps of Oja's rule, ½c/(t₀ + t), t counting batches, both should therefore
// have its error after n = Bt Gaussian samples, [StreamingError], and PCA of the same samples at once [PCAError]. Runs
// start at the eigenvectors, so that nothing but the noise of the samples is measured. A mean of 200 squares errs by a
// tenth.
func TestStreamedSamplesGiveTheErrorOfOjasRule(t *testing.T) {
	claim := ommtest.Of(t, "streaming-pca")
	const runs, batch, c, t0, d, k = 200, 10, 6, 30, 4, 2
	lambda := []float64{1, 0.6, 0.2, 0.1}
	marks := []int{50, 100, 200, 400, 800}
	type rule struct {
		objective ommlx.Objective
		program   graphtest.Program
		learned   graphtest.Array
		squares   [k][]float64 // for each column the mean of sin² after marks[m] batches
	}
	rules := []*rule{{objective: ommlx.OMM{Nesting: ommlx.Sequential}}, {objective: ommlx.Sanger{}}}
	for _, r := range rules {
		r.program = graphtest.NewProgram(t, func(in []*Node) []*Node {
			f := MulScalar(in[0], math.Sqrt(d))
			loss, _ := r.objective.Loss(ommlx.Batch{F: f, TF: Einsum("rde,rek->rdk", in[1], f)}, nil)
			return Gradient(ReduceAllSum(loss), in[0])
		})
		r.learned = graphtest.NewArray(runs, d, k)
		for run := range runs {
			r.learned.Run(run).Matrix().Copy(Columns(Eye(d), 0, k)) // A is diagonal: w_i is the i-th unit vector
		}
	}
	rng := graphtest.NewRand(780)
	moments := graphtest.NewArray(runs, d, d) // of all samples so far
	var times []float64
	for step := 1; len(times) < len(marks); step++ {
		at := graphtest.NewArray(runs, d, d)
		for run := range runs {
			x := Gaussian(rng, batch, d)
			x.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(lambda[j]/batch) }, x)
			at.Run(run).Matrix().Mul(x.T(), x)
		}
		floats.Add(moments.Data, at.Data)
		for _, r := range rules {
			gradient := r.program.Call(t, r.learned, at)[0]
			floats.AddScaled(r.learned.Data, -c/(t0+float64(step))/2, gradient.Data)
		}
		if step == marks[len(times)] {
			times = append(times, t0+float64(step))
			for _, r := range rules {
				for i, s := range meanSquaredSines(r.learned) {
					r.squares[i] = append(r.squares[i], s)
				}
			}
		}
	}

	n := float64(batch * marks[len(marks)-1])
	batchwise := graphtest.NewArray(runs, d, k)
	for run := range runs {
		batchwise.Run(run).Matrix().Copy(eigen(moments.Run(run).Matrix()).Vectors)
	}
	atOnce := meanSquaredSines(batchwise)
	for i := range k {
		streamed, best := StreamingError(lambda, i, c), PCAError(lambda, i)
		for _, r := range rules {
			slope, last := PowerLaw(times, r.squares[i]), r.squares[i][len(marks)-1]
			t.Logf("%s, column %d: slope %.3f, %.2f times the theory's error, %.2f times that of PCA", r.objective.Name(),
				i+1, slope, last*n/streamed, last/atOnce[i])
			claim.Printed.Within(t, "distance from −1 of the slope of the squared error in the number of samples",
				math.Abs(slope+1), 0.15)
			claim.Printed.Within(t, "relative distance of that error after 8,000 samples from that of Oja's rule in theory",
				math.Abs(last*n/streamed-1), 0.3)
			require.Greater(t, last, atOnce[i])
		}
		require.InDelta(t, 1, atOnce[i]*n/best, 0.3, "PCA, column %d", i+1)
	}
}

// meanSquaredSines returns for each column the mean over runs of sin² of its angle to the unit vector of its number.
func meanSquaredSines(v graphtest.Array) []float64 {
	means := make([]float64, v.Dims[2])
	for run := range v.Dims[0] {
		for i := range means {
			column := mat.Col(nil, i, v.Run(run).Matrix())
			length := floats.Dot(column, column)
			column[i] = 0 // before the difference 1 − cos² loses it
			means[i] += floats.Dot(column, column) / length / float64(v.Dims[0])
		}
	}
	return means
}

// The steps of streaming PCA are unbiased because both rules are linear in A_t, where VᵀV is known exactly. (On
// functions it is estimated from the same batch: TestMinibatchLossIsBiased.)
func TestStreamingGradientsAreLinearInTheMatrix(t *testing.T) {
	claim := ommtest.Of(t, "streaming-pca")
	for _, o := range []ommlx.Objective{
		ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.Sanger{}, ommlx.OMM{Nesting: ommlx.Joint},
	} {
		program := onMatrix(t, o)
		rapid.Check(t, func(t *rapid.T) {
			one, two := drawSpectrum(t, libraryStates, 0, 0, 4), drawSpectrum(t, libraryStates, 0, 0, 4)
			v := one.gaussian(0.5, 3)
			share := rapid.Float64Range(0, 1).Draw(t, "share")
			_, first := program(v, one.a)
			_, second := program(v, two.a)
			_, mean := program(v, Combine(share, one.a, 1-share, two.a))
			claim.Printed.Same(t, "relative difference of the mean of two gradients and the gradient for the mean of the A_t",
				Combine(share, first, 1-share, second), mean, 1e-12)
		})
	}
}
