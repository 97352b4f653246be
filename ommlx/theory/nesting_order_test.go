package theory

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// Theorem 2, for joint nesting of any order and for LoRA: the minimiser is the eigenvectors in order, with norm 1 (OMM)
// or √λ (LoRA). The printed variants of joint nesting end there too for these eigenvalues, the pseudocode's with norm
// 1/√k; for others see TestPrintedJointEquationIsUnboundedBelow.
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
		ommlx.OMM{Nesting: ommlx.Joint, Orders: ommlx.Order(2)},
		ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode},
		ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointEquation},
		ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha},
	} {
		t.Run(o.Name(), func(t *testing.T) {
			program, tolerance := onMatrix(t, o), 1e-4
			if omm, ok := o.(ommlx.OMM); ok && len(omm.Orders) > 1 {
				tolerance = 5e-3 // the minimum is flat: the gradient falls with the third power of the distance
			}
			for seed := range uint64(4) {
				rng := graphtest.NewRand(40 + seed)
				a, w := Symmetric(rng, eigenvalues)
				_, v := minimise(t, program, Scaled(0.4, Gaussian(rng, len(eigenvalues), k)), a)
				deviation := ommtest.RequireEigenvectors(t, o, v, w, eigenvalues, tolerance)
				switch omm, ok := o.(ommlx.OMM); {
				case !ok:
					lora.Printed("distance of f_i from ±√λ_i w_i with joint nesting", deviation, tolerance)
				case omm.Printed == ommlx.JointPseudocode:
					pseudocode.Corrected("distance of the minimiser from ±w_i/√k", deviation, tolerance)
				case omm.Printed == ommlx.NotPrinted:
					ordered.Corrected(fmt.Sprintf("distance from ±w_i where L-BFGS ends, p = %d",
						max(1, len(omm.Orders))), deviation, tolerance)
				}
			}
		})
	}
}

// Sequential nesting and Sanger's rule are no gradients of a function, so they are followed by plain descent. All
// starts are runs of one program.
func TestSequentialDescentIsOrdered(t *testing.T) {
	omm := claims.Of(t, "seq-converges")
	lora := claims.Of(t, "lora-optimum")
	const k, starts, steps, rate = 3, 4, 3000, 0.02
	eigenvalues := []float64{4, 3, 2, 1, 0.5, 0.25}
	for _, o := range []ommlx.Objective{
		ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.Sanger{}, ommlx.LoRA{Nesting: ommlx.Sequential},
	} {
		t.Run(o.Name(), func(t *testing.T) {
			rng := graphtest.NewRand(50)
			a, w := Symmetric(rng, eigenvalues)
			v := graphtest.Gaussian(rng, starts, len(eigenvalues), k).Scaled(0.3)
			program := graphtest.NewProgram(t, ommtest.OnMatrix(o))
			for range steps {
				floats.AddScaled(v.Data, -rate, program.Call(t, v, graphtest.FromMatrix(a))[1].Data)
			}
			for r := range starts {
				deviation := ommtest.RequireEigenvectors(t, o, v.Run(r).Matrix(), w, eigenvalues, 1e-6)
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
