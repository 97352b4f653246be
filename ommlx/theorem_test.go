package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
)

// onMatrix computes loss, gradient and next state of an objective as a function of V, [R,] d×k, for the matrix A, d×d, and
// the state.
func onMatrix(o ommlx.Objective) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		v, a := in[0], in[1]
		root := math.Sqrt(float64(v.Shape().Dim(-2)))
		f := MulScalar(v, root)
		tf := MatMul(a, f)
		if f.Rank() == 3 {
			tf = Einsum("de,rek->rdk", a, f)
		}
		loss, next := o.Loss(ommlx.Batch{F: f, TF: tf}, in[2:])
		return append([]*Node{loss, Gradient(ReduceAllSum(loss), v)[0]}, next...)
	}
}

// minimise runs L-BFGS from v.
func minimise(t *testing.T, p program, a *mat.Dense, v array) (loss float64, at *mat.Dense) {
	t.Helper()
	evaluateAt := func(x []float64) []array { return p.call(t, array{v.Dims, x}, fromMatrix(a)) }
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { return evaluateAt(x)[0].Data[0] },
		Grad: func(grad, x []float64) { copy(grad, evaluateAt(x)[1].Data) },
	}, v.Data, &optimize.Settings{GradientThreshold: 1e-10, MajorIterations: 2000}, &optimize.LBFGS{})
	if result == nil {
		require.NoError(t, err)
	}
	return result.F, array{v.Dims, result.X}.matrix()
}

// Theorem 1: from any start the minimum is −Σ of the leading eigenvalues, m = min(k, rank) of them, and there VVᵀ is the
// projection onto their eigenvectors w_1, …, w_m. How close V must be follows from what the loss is above the minimum:
// by the theorem's proof that excess is a sum of two non-negative parts, of which one bounds the angle between the spaces,
// sin² ≤ excess/(λ_m − λ_{m+1}), and the other the squared norms μ of the modes, (1−μ)^{2p} ≤ excess/λ_m.
func TestMinimiserSpansTheLeadingSpace(t *testing.T) {
	value := claims.Of(t, "theorem1-value")
	minimiser := claims.Of(t, "omm-minimiser")
	above := claims.Of(t, "theorem1-minimiser")
	spurious := claims.Of(t, "no-spurious-minima")
	for _, c := range []struct {
		name        string
		k, m        int
		eigenvalues []float64
	}{
		{"k below the rank", 3, 3, []float64{4, 3, 2, 1, 0.5, 0.25, 0.1}},
		{"repeated eigenvalue", 3, 3, []float64{4, 2, 2, 1, 0.5, 0.25, 0.1}},
		{"k above the rank", 5, 3, []float64{4, 3, 2, 0, 0, 0, 0}},
	} {
		for p := 1; p <= 3; p++ {
			t.Run(fmt.Sprintf("%s, p=%d", c.name, p), func(t *testing.T) {
				program := newProgram(t, onMatrix(ommlx.OMM{Orders: order(p)}))
				d, lambda := len(c.eigenvalues), c.eigenvalues[c.m-1]
				reached, record := value.Printed, minimiser.Corrected
				if c.eigenvalues[d-1] > 0 {
					reached = every(value.Printed, spurious.Corrected)
				}
				if c.k > c.m {
					record = above.Corrected
				}
				for seed := range uint64(4) {
					rng := newRand(30 + seed)
					a, w := symmetric(rng, c.eigenvalues)
					loss, v := minimise(t, program, a, gaussian(rng, d, c.k).scaled(0.3+float64(seed)/5))
					excess := loss + floats.Sum(c.eigenvalues[:c.m])
					within(t, reached, "distance from −Σ λ_i where L-BFGS ends, p = 1, 2, 3", math.Abs(excess), 1e-7)

					excess = math.Max(excess, 1e-14)
					angle := math.Sqrt(excess / (lambda - c.eigenvalues[c.m]))
					norm := math.Pow(excess/lambda, 1/float64(2*p))
					span := orthonormal(v)
					for i := range c.m {
						within(t, record, "part of w_i outside the span of V there, over the bound from the excess of the loss", residual(span, w.ColView(i))/(2*angle), 1)
						within(t, record, "‖(I − VVᵀ)w_i‖, over its bound", residual(v, w.ColView(i))/(2*norm+3*angle), 1)
					}
				}
			})
		}
	}
}

// residual returns ‖(I − VVᵀ)w‖.
func residual(v *mat.Dense, w mat.Vector) float64 {
	var inside, outside mat.VecDense
	inside.MulVec(v.T(), w)
	outside.MulVec(v, &inside)
	outside.SubVec(w, &outside)
	return mat.Norm(&outside, 2)
}

// orthonormal returns an orthonormal basis of the columns of v.
func orthonormal(v *mat.Dense) *mat.Dense {
	var svd mat.SVD
	svd.Factorize(v, mat.SVDThin)
	var u mat.Dense
	svd.UTo(&u)
	return &u
}

// Theorem 2, for joint nesting of any order and for LoRA: the minimiser is the eigenvectors in order, with norm 1 (OMM)
// or √λ (LoRA). The printed variants of joint nesting end there too for these eigenvalues, the pseudocode's with norm 1/√k; for
// others see TestIdentityPrintedJointEquationIsUnboundedBelow.
func TestJointMinimiserIsOrdered(t *testing.T) {
	ordered := claims.Of(t, "theorem2")
	pseudocode := claims.Of(t, "pseudocode-joint")
	lora := claims.Of(t, "lora-optimum")
	const k = 3
	eigenvalues := []float64{4, 3, 2, 1, 0.5, 0.25}
	alpha := []float64{0.2, 0.5, 1}
	for _, o := range []ommlx.Objective{
		ommlx.OMM{Nesting: ommlx.Joint},
		ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha},
		ommlx.OMM{Nesting: ommlx.Joint, Orders: order(2)},
		ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode},
		ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointEquation},
		ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha},
	} {
		t.Run(o.Name(), func(t *testing.T) {
			program, tolerance := newProgram(t, onMatrix(o)), 1e-4
			if omm, ok := o.(ommlx.OMM); ok && len(omm.Orders) > 1 {
				tolerance = 5e-3 // the minimum is flat: the gradient falls with the third power of the distance
			}
			for seed := range uint64(4) {
				rng := newRand(40 + seed)
				a, w := symmetric(rng, eigenvalues)
				_, v := minimise(t, program, a, gaussian(rng, len(eigenvalues), k).scaled(0.4))
				deviation := requireEigenvectors(t, o, v, w, eigenvalues, tolerance)
				switch omm, ok := o.(ommlx.OMM); {
				case !ok:
					lora.Printed("distance of f_i from ±√λ_i w_i with joint nesting", deviation, tolerance)
				case omm.Printed == ommlx.JointPseudocode:
					pseudocode.Corrected("distance of the minimiser from ±w_i/√k", deviation, tolerance)
				case omm.Printed == ommlx.NotPrinted:
					ordered.Corrected(fmt.Sprintf("distance from ±w_i where L-BFGS ends, p = %d", max(1, len(omm.Orders))), deviation, tolerance)
				}
			}
		})
	}
}

// Sequential nesting and Sanger's rule are no gradients of a function, so they are followed by plain descent. All starts
// are runs of one program.
func TestSequentialDescentIsOrdered(t *testing.T) {
	omm := claims.Of(t, "seq-converges")
	lora := claims.Of(t, "lora-optimum")
	const k, starts, steps, rate = 3, 4, 3000, 0.02
	eigenvalues := []float64{4, 3, 2, 1, 0.5, 0.25}
	for _, o := range []ommlx.Objective{
		ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.Sanger{}, ommlx.LoRA{Nesting: ommlx.Sequential},
	} {
		t.Run(o.Name(), func(t *testing.T) {
			rng := newRand(50)
			a, w := symmetric(rng, eigenvalues)
			v := gaussian(rng, starts, len(eigenvalues), k).scaled(0.3)
			program := newProgram(t, onMatrix(o))
			for range steps {
				floats.AddScaled(v.Data, -rate, program.call(t, v, fromMatrix(a))[1].Data)
			}
			for r := range starts {
				deviation := requireEigenvectors(t, o, v.run(r).matrix(), w, eigenvalues, 1e-6)
				switch o.(type) {
				case ommlx.OMM:
					omm.Printed("distance from ±w_i where descent ends", deviation, 1e-6)
				case ommlx.LoRA:
					lora.Printed("distance of f_i from ±√λ_i w_i with sequential nesting", deviation, 1e-6)
				}
			}
		})
	}
}

// requireEigenvectors checks that column i of v is ± eigenvector i with the norm that the objective gives it, and returns
// how much the norm and the part along that eigenvector deviate at most.
func requireEigenvectors(t *testing.T, o ommlx.Objective, v, w *mat.Dense, eigenvalues []float64, tolerance float64) (deviation float64) {
	t.Helper()
	_, k := v.Dims()
	for i := range k {
		norm := 1.0
		if _, ok := o.(ommlx.LoRA); ok {
			norm = math.Sqrt(eigenvalues[i])
		}
		if omm, ok := o.(ommlx.OMM); ok && omm.Printed == ommlx.JointPseudocode {
			norm = 1 / math.Sqrt(float64(k))
		}
		deviation = max(deviation, math.Abs(norm-math.Abs(mat.Dot(v.ColView(i), w.ColView(i)))), math.Abs(norm-mat.Norm(v.ColView(i), 2)))
		require.LessOrEqual(t, deviation, tolerance, "norm of column %d, or its part along eigenvector %d", i+1, i+1)
	}
	return deviation
}
