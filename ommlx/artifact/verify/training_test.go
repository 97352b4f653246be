package verify

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// Theorem 2 prints V = W for the minimiser, with V d×k and W d×d. The least loss is −Σ_i m_i λ_i.
func TestJointMinimisersUpToSign(t *testing.T) {
	claim := papertest.Of(t, "theorem2")
	alpha := []float64{0.5, 2, 1}
	for p := 1; p <= 3; p++ {
		program := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint, Orders: ommlx.Order(p), Weights: alpha})
		rapid.Check(t, func(t *rapid.T) {
			values := rapid.SampledFrom([][]float64{{3, 2, 0}, {3, 2, 1, 0.5, 0}}).Draw(t, "eigenvalues")
			s, last := newSpectrum(drawRand(t), values...), 1.0
			if len(values) == 3 {
				last = rapid.Float64Range(0, 2).Draw(t, "length of the last column")
			}
			sign := func() float64 { return 1 - 2*float64(s.rng.IntN(2)) }
			signs := mat.NewDiagDense(3, []float64{sign(), sign(), last})
			least := -floats.Dot(JointWeights(alpha), values[:3])
			loss, gradient := program(Product(s.leading(3), signs), s.a)
			claim.Corrected.Within(t, "excess over −Σ_i m_i λ_i at ±w_1, ±w_2, …, p = 1, 2, 3; for k = d, λ_d = 0 "+
				"with any last length", math.Abs(least-loss), 1e-9)
			claim.Corrected.Within(t, "gradient there", mat.Norm(gradient, 2), 1e-9)
			if len(values) == 3 {
				claim.Printed("‖v_kv_kᵀ − w_kw_kᵀ‖ at minimisers for k = d, λ_d = 0", math.Abs(last*last-1), 1e-3)
			}
			other, _ := program(s.gaussian(0.5, 3), s.a)
			require.Greater(t, other, least)
		})
	}
}

// Footnote to Theorem 2: for repeated eigenvalues the minimiser of joint nesting has orthonormal columns in the
// eigenspaces.
func TestJointMinimiserOfARepeatedEigenvalue(t *testing.T) {
	claim := papertest.Of(t, "theorem2-degenerate")
	program := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint})
	for _, k := range []int{2, 3, 4} { // part of the eigenspace of 2, all of it, and one more
		for seed := range uint64(2) {
			s := newSpectrum(testkit.NewRand(740+seed), 4, 2, 2, 1, 0.5, 0.25)
			_, v := s.minimise(t, program, 0.4, k)
			claim.Corrected.Same(t, "relative distance of VᵀV from I where L-BFGS ends", Eye(k), Gram(v), 1e-4)
			two := Columns(s.w, 1, 3)
			for i, space := range []*mat.Dense{s.mode(0), two, two, s.mode(3)}[:k] {
				claim.Corrected.Within(t, "largest part of a column outside of its eigenspace",
					mat.Norm(Product(residual(space), Columns(v, i, i+1)), 2), 1e-4)
			}
			if k == 2 {
				claim.Printed.Beyond(t, "part of the cut eigenspace that the columns do not span",
					mat.Norm(Product(residual(Columns(v, 1, 2)), two), 2), 0.9)
			}
		}
	}
}

// Theorem 2, for joint nesting of any order and for LoRA: the minimiser is the eigenvectors in order, with norm 1 (OMM)
// or √λ (LoRA). The printed pseudocode of joint nesting gives norm 1/√k.
func TestJointMinimiserIsOrdered(t *testing.T) {
	ordered, lora := papertest.Of(t, "theorem2").Corrected, papertest.Of(t, "lora-optimum").Printed
	pseudocode := papertest.Of(t, "pseudocode-joint").Corrected
	const ends = "distance from ±w_i where L-BFGS ends, p = "
	alpha := []float64{0.2, 0.5, 1}
	for _, c := range []struct {
		objective ommlx.Objective
		record    papertest.Measure
		what      string
		tolerance float64
	}{
		{ommlx.OMM{Nesting: ommlx.Joint}, ordered, ends + "1", 1e-4},
		{ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha}, ordered, ends + "1", 1e-4},
		// The minimum is flat: the gradient falls as the third power of the distance.
		{ommlx.OMM{Nesting: ommlx.Joint, Orders: ommlx.Order(2)}, ordered, ends + "2", 5e-3},
		{JointPseudocode, pseudocode,
			"distance of the minimiser from ±w_i/√k", 1e-4},
		{ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha}, lora,
			"distance of f_i from ±√λ_i w_i with joint nesting", 1e-4},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			program := onMatrix(t, c.objective)
			for seed := range uint64(4) {
				s := newSpectrum(testkit.NewRand(40+seed), 4, 3, 2, 1, 0.5, 0.25)
				_, v := s.minimise(t, program, 0.4, 3)
				deviation := testkit.RequireEigenvectors(t, c.objective, v, s.w, s.values, c.tolerance)
				c.record(c.what, deviation, c.tolerance)
			}
		})
	}
}

// Sequential nesting and Sanger's rule are not gradients of a function, so plain descent is used. All starts are runs
// of one program.
func TestSequentialDescentIsOrdered(t *testing.T) {
	omm, lora := papertest.Of(t, "seq-converges").Printed, papertest.Of(t, "lora-optimum").Printed
	const k, starts, steps, rate = 3, 4, 3000, 0.02
	for _, c := range []struct {
		objective ommlx.Objective
		record    papertest.Measure
		what      string
	}{
		{ommlx.OMM{Nesting: ommlx.Sequential}, omm, "distance from ±w_i where descent ends"},
		{ommlx.Sanger{}, func(string, float64, float64) {}, ""},
		{ommlx.LoRA{Nesting: ommlx.Sequential}, lora, "distance of f_i from ±√λ_i w_i with sequential nesting"},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			s := newSpectrum(testkit.NewRand(50), 4, 3, 2, 1, 0.5, 0.25)
			v := testkit.Gaussian(s.rng, starts, len(s.values), k).Scaled(0.3)
			program := testkit.NewProgram(t, testkit.OnMatrix(c.objective))
			for range steps {
				floats.AddScaled(v.Data, -rate, program.Call(t, v, testkit.FromMatrix(s.a))[1].Data)
			}
			for r := range starts {
				deviation := testkit.RequireEigenvectors(t, c.objective, v.Run(r).Matrix(), s.w, s.values, 1e-6)
				c.record(c.what, deviation, 1e-6)
			}
		})
	}
}

// Section 2.2.5: streaming PCA by stochastic gradients, with the second moment A_t of B samples instead of A. Across
// the eigenvectors the gradients of Sanger and OMM_seq both have the Jacobian 2(λ_i − λ_l), and at W_{1:k} the same
// noise, −2(I − VVᵀ)A_tv_i. With half the steps of Oja's rule, ½c/(t₀ + t), where t counts batches, both should
// therefore have its error after n = Bt Gaussian samples, [StreamingError]. Runs start at the eigenvectors, so only
// sampling noise is measured. A mean of 200 squares has an error of 10%.
func TestStreamedSamplesGiveTheErrorOfOjasRule(t *testing.T) {
	claim := papertest.Of(t, "streaming-pca")
	const runs, batch, c, t0, d, k = 200, 10, 6, 30, 4, 2
	lambda := []float64{1, 0.6, 0.2, 0.1}
	for _, o := range []ommlx.Objective{ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.Sanger{}} {
		program := testkit.NewProgram(t, func(in []*Node) []*Node {
			f := MulScalar(in[0], math.Sqrt(d))
			loss, _ := o.Loss(ommlx.Batch{F: f, TF: Einsum("rde,rek->rdk", in[1], f)}, nil)
			return Gradient(ReduceAllSum(loss), in[0])
		})
		rng, v, at := testkit.NewRand(780), testkit.NewArray(runs, d, k), testkit.NewArray(runs, d, d)
		for run := range runs {
			v.Run(run).Matrix().Copy(Columns(Eye(d), 0, k)) // A is diagonal: w_i is the i-th unit vector
		}
		var times []float64
		var squares [k][]float64 // mean of sin² per column at these times
		for step := 1; step <= 800; step++ {
			for run := range runs {
				x := Gaussian(rng, batch, d)
				x.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(lambda[j]/batch) }, x)
				at.Run(run).Matrix().Mul(x.T(), x)
			}
			floats.AddScaled(v.Data, -c/(t0+float64(step))/2, program.Call(t, v, at)[0].Data)
			if slices.Contains([]int{50, 100, 200, 400, 800}, step) {
				times = append(times, t0+float64(step))
				for i, s := range meanSquaredSines(v) {
					squares[i] = append(squares[i], s)
				}
			}
		}
		for i := range k {
			claim.Printed.Within(t, "distance from −1 of the slope of the squared error in the number of samples",
				math.Abs(PowerLaw(times, squares[i])+1), 0.15)
			claim.Printed.Within(t, "relative distance of that error after 8,000 samples from that of Oja's rule in "+
				"theory", math.Abs(squares[i][4]*batch*800/StreamingError(lambda, i, c)-1), 0.3)
		}
	}
}

// meanSquaredSines returns, for each column, the mean over runs of sin² of its angle to the unit vector with the same
// index.
func meanSquaredSines(v testkit.Array) []float64 {
	runs, d, k := v.Dims[0], v.Dims[1], v.Dims[2]
	means := make([]float64, k)
	for run := range runs {
		for i, angle := range Angles(v.Run(run).Matrix(), Eye(d)) {
			means[i] += square(math.Sin(angle)) / float64(runs)
		}
	}
	return means
}
