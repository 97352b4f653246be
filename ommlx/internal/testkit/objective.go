package testkit

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Point is where an objective is evaluated, in the shapes of [ommlx.Batch].
type Point struct{ F, TF, C1, C2 Array }

// GaussianPoint returns a point of independent standard normal numbers, [R,] B×k each.
func GaussianPoint(rng *rand.Rand, dims ...int) Point {
	g := func() Array { return Gaussian(rng, dims...) }
	return Point{F: g(), TF: g(), C1: g(), C2: g()}
}

// MatrixPoint treats V (d×k) as k functions on d samples with the operator A: f = √d·V, Tf = √d·AV.
func MatrixPoint(v, a *mat.Dense) Point {
	d, _ := v.Dims()
	var av mat.Dense
	av.Mul(a, v)
	f := FromMatrix(v).Scaled(math.Sqrt(float64(d)))
	return Point{F: f, TF: FromMatrix(&av).Scaled(math.Sqrt(float64(d))), C1: f, C2: f}
}

// Map applies f to each part.
func (p Point) Map(f func(part Array) Array) Point {
	return Point{F: f(p.F), TF: f(p.TF), C1: f(p.C1), C2: f(p.C2)}
}

// Parts lists F, TF, C1 and C2.
func (p Point) Parts() []Array { return []Array{p.F, p.TF, p.C1, p.C2} }

// SecondMoment returns M[f, g] = fᵀg/B of two B×k arrays.
func SecondMoment(f, g Array) Array {
	var m mat.Dense
	m.Mul(f.Matrix().T(), g.Matrix())
	m.Scale(1/float64(f.Dims[0]), &m)
	return FromMatrix(&m)
}
