// Package spectral compares learned eigenfunctions with exact eigenpairs, and diagnoses them without.
package spectral

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
)

// degeneracyTolerance is [Eigenpairs].Tolerance relative to the spectral radius: eigenvalues closer than this belong to
// one eigenspace. The dense solver errs by about 1e-14, six digits below. Among the top 60 of the twelve
// grid environments no gap lies between 1e-9 and 1e-6 (tested in package gridworld). The ALLO code groups eigenvalues
// as float32, which resolves 6e-8 near 1.
const degeneracyTolerance = 1e-8

// Eigenpairs are eigenpairs of a symmetric operator A on n states: all of them from [SymEigen], K from [Lanczos].
type Eigenpairs struct {
	Values    []float64  // K eigenvalues, descending
	Vectors   *mat.Dense // n×K, column i is a unit eigenvector of Values[i]; the columns are orthonormal
	Tolerance float64    // consecutive eigenvalues at most this far apart are one eigenspace; absolute
	// Residuals are ‖A v_i − λ_i v_i‖, K of them, as measured by Lanczos, and Applications how often it applied A.
	Residuals    []float64
	Applications int
}

// SymEigen solves the symmetric eigenproblem
//
//	A v_i = λ_i v_i,  λ_1 ≥ … ≥ λ_N,  VᵀV = I
//
// densely (LAPACK's dsyev: tridiagonal reduction and implicit QL) in O(N³), a few seconds at N = 1,000. It returns an
// error for an empty matrix, for entries that are not finite, and if the solver does not converge.
func SymEigen(a mat.Symmetric) (Eigenpairs, error) {
	n := a.SymmetricDim()
	if n == 0 {
		return Eigenpairs{}, errors.New("eigenproblem: the matrix is empty, want at least one state")
	}
	if i, j, found := linalg.Find(a, linalg.IsInfinite); found {
		return Eigenpairs{}, fmt.Errorf("eigenproblem: entry (%d, %d) is %v, want all entries finite", i, j, a.At(i, j))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		return Eigenpairs{}, fmt.Errorf("eigenproblem: no convergence on the %d×%d matrix: check its scale", n, n)
	}
	values, vectors := eigen.Values(nil), new(mat.Dense)
	eigen.VectorsTo(vectors)
	slices.Reverse(values) // from ascending order
	for row := range n {
		slices.Reverse(vectors.RawRowView(row))
	}
	radius := max(math.Abs(values[0]), math.Abs(values[n-1]))
	return Eigenpairs{Values: values, Vectors: vectors, Tolerance: degeneracyTolerance * radius}, nil
}

// Eigenspace is the range First ≤ i < End of the indices of modes that share one eigenvalue.
type Eigenspace struct{ First, End int }

// Dim returns the multiplicity.
func (e Eigenspace) Dim() int { return e.End - e.First }

// Eigenspaces partitions the modes 0…N−1 into eigenspaces, in descending order of eigenvalue: neighbours whose
// eigenvalues differ by at most Tolerance are in the same one.
func (t Eigenpairs) Eigenspaces() []Eigenspace {
	var spaces []Eigenspace
	for i, value := range t.Values {
		if i > 0 && t.Values[i-1]-value <= t.Tolerance {
			spaces[len(spaces)-1].End = i + 1
			continue
		}
		spaces = append(spaces, Eigenspace{i, i + 1})
	}
	return spaces
}
