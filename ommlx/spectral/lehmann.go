package spectral

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// LehmannMaehly returns upper bounds of the m largest eigenvalues of a self-adjoint T, descending, from m trial
// functions f and Tf (N×m) on N samples. It needs a number ρ that separates them from the rest of the spectrum,
// λ_{m+1} ≤ ρ < the least Ritz value of f. With g = (T − ρ)f the bounds are ρ + μ_i, where
//
//	M[g] c = μ M[f,g] c.
//
// The Ritz values are lower bounds. For m = 1 their distance is the bound of Temple and Kato, ‖Tf − θf‖²/(θ − ρ). It is
// an error if the shapes of f and Tf differ, or if ρ is not below the Ritz values.
//
// Source: Lehmann 1949 (Zeitschrift für Angewandte Mathematik und Mechanik 29); Parlett, The Symmetric Eigenvalue
// Problem, section 10.5.
func LehmannMaehly(f, tf *mat.Dense, rho float64) ([]float64, error) {
	left, right, err := weighBoth(f, tf, nil)
	if err != nil {
		return nil, err
	}
	var shifted, product, gram mat.Dense
	shifted.Scale(-rho, left)
	shifted.Add(&shifted, right)
	product.Mul(left.T(), &shifted)
	gram.Mul(shifted.T(), &shifted)
	basis, err := inverseRoot(SymmetricPart(&product))
	if err != nil {
		return nil, fmt.Errorf("bounds: ρ = %g is not below the Ritz values: %w", rho, err)
	}
	bounds, _, err := eigenIn(basis, &gram)
	if err != nil {
		return nil, fmt.Errorf("bounds: %w", err)
	}
	floats.AddConst(rho, bounds)
	return bounds, nil
}

// SymmetricPart returns (A + Aᵀ)/2 of a square matrix, for gonum's eigensolvers and [SymEigen].
func SymmetricPart(a mat.Matrix) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, (a.At(i, j)+a.At(j, i))/2)
		}
	}
	return s
}
