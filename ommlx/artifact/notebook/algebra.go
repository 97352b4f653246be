package notebook

import "omm-go/ommlx/internal/linalg"

// Matrix algebra as expressions, of an internal package that notebooks cannot import.
var (
	Product, Sum, Difference = linalg.Product, linalg.Sum, linalg.Difference // of matrices
	Scaled, Power, Gram      = linalg.Scaled, linalg.Power, linalg.Gram      // αA, Aⁿ, VᵀV
	IdentityMatrix, Columns  = linalg.IdentityMatrix, linalg.Columns
	OrthonormalBasis         = linalg.OrthonormalBasis // of the span of V's columns
	SingularValues           = linalg.SingularValues
	Angles                   = linalg.Angles                    // between v_i and w_i
	SineOfLargestAngle       = linalg.SineOfLargestAngle        // between the spaces of W and V
	RandomGaussian           = linalg.RandomGaussian            // independent standard normal numbers
	RandomOrthonormal        = linalg.RandomOrthonormal         // columns
	RandomSymmetric          = linalg.RandomSymmetric           // A = WΛWᵀ and W, for given eigenvalues
	FitPower, FitDecay       = linalg.FitPower, linalg.FitDecay // s of y ∝ xˢ, r of y ∝ e^{−rt}
)
