package notebook

import "omm-go/ommlx/internal/linalg"

// Matrix algebra as expressions, of an internal package that notebooks cannot import.
var (
	Product            = linalg.Product    // of any number of matrices
	Sum                = linalg.Sum        // A + B
	Difference         = linalg.Difference // A − B
	Scaled             = linalg.Scaled     // αA
	Power              = linalg.Power      // Aⁿ
	Gram               = linalg.Gram       // VᵀV
	IdentityMatrix     = linalg.IdentityMatrix
	Columns            = linalg.Columns
	OrthonormalBasis   = linalg.OrthonormalBasis // of the span of V's columns
	SingularValues     = linalg.SingularValues
	Angles             = linalg.Angles             // between v_i and w_i
	SineOfLargestAngle = linalg.SineOfLargestAngle // between the spaces of W and V
	RandomGaussian     = linalg.RandomGaussian     // independent standard normal numbers
	RandomOrthonormal  = linalg.RandomOrthonormal  // columns
	RandomSymmetric    = linalg.RandomSymmetric    // A = WΛWᵀ and W, for given eigenvalues
	FitPower           = linalg.FitPower           // s of y ∝ xˢ
	FitDecay           = linalg.FitDecay           // r of y ∝ e^{−rt}
)
