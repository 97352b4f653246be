package notebook

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/spectral"
)

// WaterFilling returns the μ_i between 0 and 1 with the sum s that minimise Σ_i λ_i Σ_p c_p (1 − μ_i)^{2p}, where c_p
// are the weights of the orders: the norms that features of squared norm s spend on eigenfunctions. It finds the level
// h of λ_i Σ_p p c_p (1 − μ_i)^{2p−1} = h by bisection. Values descend.
func WaterFilling(values, orders []float64, s float64) []float64 {
	slope := func(mu float64) (sum float64) {
		for i, c := range orders {
			sum += c * float64(i+1) * math.Pow(1-mu, float64(2*i+1))
		}
		return sum
	}
	end := func(high float64, holds func(x float64) bool) float64 { // the x in [0, high] up to which it holds
		low := 0.0
		for range 60 {
			if x := (low + high) / 2; holds(x) {
				low = x
			} else {
				high = x
			}
		}
		return low
	}
	mu := make([]float64, len(values))
	end(values[0]*slope(0), func(h float64) bool {
		for i, l := range values {
			mu[i] = end(1, func(m float64) bool { return l*slope(m) > h })
		}
		return floats.Sum(mu) > s
	})
	return mu
}

// Torus returns the joint distribution of two views of the points of a side×side torus, where a view moves each
// coordinate by a discrete Gaussian of the width. It also returns inputs for a network: the cosines and sines of both
// angles of each point.
func Torus(side int, width float64) (pairs, inputs *mat.Dense) {
	line := mat.NewDense(side, side, nil)
	line.Apply(func(i, j int, _ float64) float64 {
		away := math.Abs(float64(i - j))
		away = min(away, float64(side)-away)
		return math.Exp(-away * away / (2 * width * width))
	}, line)
	line.Scale(1/floats.Sum(mat.Row(nil, 0, line)), line)
	var views mat.Dense // p(t|x)
	views.Kronecker(line, line)
	inputs = mat.NewDense(side*side, 4, nil)
	for i := range side * side {
		a, b := 2*math.Pi*float64(i/side)/float64(side), 2*math.Pi*float64(i%side)/float64(side)
		inputs.SetRow(i, []float64{math.Cos(a), math.Sin(a), math.Cos(b), math.Sin(b)})
	}
	return linalg.Scaled(1/float64(side*side), linalg.Product(&views, views.T())), inputs
}

// Spent returns the squared norms μ_i = Σ_j ⟨φ_i, f_j⟩² that k features, N×k, spend on the leading k eigenfunctions,
// each the mean over its eigenspace, and the share of these eigenfunctions that a linear probe of f finds: the mean R²
// of ridge regressions with a hundredth of f's mean squared norm as penalty. ⟨·,·⟩ is the mean over the N points.
func Spent(truth spectral.Eigenpairs, f *mat.Dense) (mu []float64, share float64) {
	n, k := f.Dims()
	points := float64(n)
	c := linalg.Scaled(1/math.Sqrt(points), linalg.Product(linalg.Columns(truth.Vectors, 0, k).T(), f)) // ⟨φ_i, f_j⟩
	for _, space := range truth.Eigenspaces() {
		last := min(space.End, k)
		for range last - min(space.First, k) {
			part := c.Slice(space.First, last, 0, k)
			mu = append(mu, math.Pow(mat.Norm(part, 2), 2)/float64(last-space.First))
		}
	}
	moment := linalg.Scaled(1/points, linalg.Gram(f))
	ridge := linalg.Scaled(0.01*mat.Trace(moment)/float64(k), linalg.IdentityMatrix(k))
	var weights mat.Dense
	Check(weights.Solve(linalg.Sum(moment, ridge), c.T()))
	found := 2*mat.Trace(linalg.Product(c, &weights)) - mat.Trace(linalg.Product(weights.T(), moment, &weights))
	return mu, found / float64(k)
}
