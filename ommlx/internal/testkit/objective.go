package testkit

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
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

// Scaled returns c times the point.
func (p Point) Scaled(c float64) Point {
	return p.Map(func(part Array) Array { return part.Scaled(c) })
}

// Inputs lists the inputs of a program of [OnBatch].
func (p Point) Inputs(state []Array) []Array { return append([]Array{p.F, p.TF, p.C1, p.C2}, state...) }

// Evaluation is the result of one call of an objective: the loss, [R] or a scalar, the gradients for the four parts of
// a point, and the next state.
type Evaluation struct {
	Loss              Array
	DF, DTF, DC1, DC2 Array
	Gradients         []Array // DF, DTF, DC1, DC2
	Next              []Array
	All               []Array // Loss, Gradients, Next
}

// BatchOf makes a batch for an objective from in = F, TF, C1, C2.
type BatchOf func(o ommlx.Objective, in []*Node) ommlx.Batch

// OneBatch estimates M[f] from F, except for ALLO, whose constraint needs C1 and C2.
func OneBatch(o ommlx.Objective, in []*Node) ommlx.Batch {
	if s, ok := o.(ommlx.Shifted); ok {
		o = s.Objective
	}
	if _, ok := o.(ommlx.ALLO); ok {
		return TwoBatches(o, in)
	}
	return ommlx.Batch{F: in[0], TF: in[1]}
}

// TwoBatches estimates M[f] from C1 and C2.
func TwoBatches(_ ommlx.Objective, in []*Node) ommlx.Batch {
	return ommlx.Batch{F: in[0], TF: in[1], Overlap: in[2:4]}
}

// OnBatch computes loss, gradients and next state of an objective from F, TF, C1, C2 and the state.
func OnBatch(o ommlx.Objective, batchOf BatchOf) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		loss, next := o.Loss(batchOf(o, in), in[4:])
		return append(append([]*Node{loss}, Gradient(ReduceAllSum(loss), in[:4]...)...), next...)
	}
}

// EvaluateAt calls a program of [OnBatch].
func EvaluateAt(t testing.TB, p Program, at Point, state []Array) Evaluation {
	t.Helper()
	out := p.Call(t, at.Inputs(state)...)
	return Evaluation{Loss: out[0], DF: out[1], DTF: out[2], DC1: out[3], DC2: out[4],
		Gradients: out[1:5], Next: out[5:], All: out}
}

// EvaluateObjective compiles an objective with [OneBatch] and evaluates it once in float64.
func EvaluateObjective(t testing.TB, o ommlx.Objective, at Point, state []Array) Evaluation {
	t.Helper()
	return EvaluateAt(t, NewProgram(t, OnBatch(o, OneBatch)), at, state)
}

// OnMatrix computes loss, gradient and next state of an objective as a function of V, [R,] d×k, for the matrix A, d×d,
// and the state.
func OnMatrix(o ommlx.Objective) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		v, a := in[0], in[1]
		f := MulScalar(v, math.Sqrt(float64(v.Shape().Dim(-2))))
		tf := MatMul(a, f)
		if f.Rank() == 3 {
			tf = Einsum("de,rek->rdk", a, f)
		}
		loss, next := o.Loss(ommlx.Batch{F: f, TF: tf}, in[2:])
		return append([]*Node{loss, Gradient(ReduceAllSum(loss), v)[0]}, next...)
	}
}

// SecondMoment returns M[f, g] = fᵀg/B of two B×k arrays.
func SecondMoment(f, g Array) Array {
	var m mat.Dense
	m.Mul(f.Matrix().T(), g.Matrix())
	m.Scale(1/float64(f.Dims[0]), &m)
	return FromMatrix(&m)
}
