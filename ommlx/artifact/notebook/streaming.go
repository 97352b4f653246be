package notebook

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
)

// Streaming PCA learns the k leading eigenvectors of the second moment E[x xᵀ] of samples x ∈ R^d, without subtracting
// the mean. It sees each sample once and stores d·k numbers, Vᵀ, k×d, by rows. With steps η_t = c/(t₀ + t) and
// c > 1/(2 gap), where gap is the difference of the eigenvalues of two directions, the squared sine of the angle that
// mixes them falls as 1/t; [verify.StreamingError] has the constant. A smaller c is slower.

// StreamStart returns Vᵀ, k×d, with k ≤ d random orthonormal rows.
func StreamStart(k, d int, seed uint64) *mat.Dense {
	vt := linalg.RandomGaussian(rand.New(rand.NewPCG(seed, 0)), k, d)
	orthonormalise(vt)
	return vt
}

// OjaStep moves every column of V along a sample x, of length d, and orthonormalises the columns in order by the
// Gram-Schmidt process (Oja & Karhunen 1985, J. Math. Anal. Appl. 106:1),
//
//	V ← GS( V + η x xᵀV ).
//
// η is in units of 1/‖x‖². Each column tends to its eigenvector where eigenvalues are simple. A step takes about
// 2dk(k + 2) multiplications.
func OjaStep(vt *mat.Dense, x []float64, eta float64) {
	for i := range vt.RawMatrix().Rows {
		row := vt.RawRowView(i)
		floats.AddScaled(row, eta*floats.Dot(row, x), x)
	}
	orthonormalise(vt)
}

// SangerStep is a step of Sanger's rule, the generalized Hebbian algorithm (Sanger 1989, Neural Networks 2:6), with no
// constraint:
//
//	v_i ← v_i + η y_i (x − Σ_{j≤i} y_j v_j),   y = Vᵀx.
//
// The columns become orthonormal eigenvectors in order if η is small compared with 1/‖x‖². A large η diverges, which is
// an error. The paper's section 2.2.5 compares the mean step over samples with OMM's sequential nesting.
func SangerStep(vt *mat.Dense, x []float64, eta float64) error {
	remainder := slices.Clone(x) // x minus its projections
	for i := range vt.RawMatrix().Rows {
		row := vt.RawRowView(i)
		y := floats.Dot(row, x)
		floats.AddScaled(remainder, -y, row)
		floats.AddScaled(row, eta*y, remainder)
	}
	if size := mat.Norm(vt, 2); math.IsNaN(size) || math.IsInf(size, 0) {
		return fmt.Errorf("notebook: Sanger's rule diverged with η‖x‖² = %.3g; use a smaller learning rate",
			eta*floats.Dot(x, x))
	}
	return nil
}

// orthonormalise is the modified Gram-Schmidt process on rows, run twice for rows that a long step has made nearly
// parallel.
func orthonormalise(vt *mat.Dense) {
	for i := range vt.RawMatrix().Rows {
		row := vt.RawRowView(i)
		for range 2 {
			for j := range i {
				before := vt.RawRowView(j)
				floats.AddScaled(row, -floats.Dot(before, row), before)
			}
			floats.Scale(1/floats.Norm(row, 2), row)
		}
	}
}
