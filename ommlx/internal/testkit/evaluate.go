package testkit

import (
	"math"
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
)

// Evaluation is the result of one call of an objective: the loss, [R] or a scalar, the gradients for the four parts of
// a [Point], and the next state.
type Evaluation struct {
	Loss              Array
	DF, DTF, DC1, DC2 Array
	Gradients         []Array // DF, DTF, DC1, DC2
	Next              []Array
	All               []Array // Loss, Gradients, Next
}

// Batching makes a batch for an objective from in = F, TF and up to two batches for M[f], C1 and C2.
type Batching func(o ommlx.Objective, in []*Node) ommlx.Batch

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
	return ommlx.Batch{F: in[0], TF: in[1], Overlap: in[2:]}
}

// Differences takes the pairs (F, TF) by differences and M[f] from the others.
func Differences(_ ommlx.Objective, in []*Node) ommlx.Batch {
	return ommlx.Differences(in[0], in[1], in[2:]...)
}

// OnBatch computes loss, gradients and next state of an objective from F, TF, C1, C2 and the state.
func OnBatch(o ommlx.Objective, batchOf Batching) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		loss, next := o.Loss(batchOf(o, in[:4]), in[4:])
		return append(append([]*Node{loss}, Gradient(ReduceAllSum(loss), in[:4]...)...), next...)
	}
}

// EvaluateAt calls a program of [OnBatch].
func EvaluateAt(t testing.TB, p Program, at Point, state []Array) Evaluation {
	t.Helper()
	out := p.Call(t, at.Parts(), state)
	return Evaluation{Loss: out[0], DF: out[1], DTF: out[2], DC1: out[3], DC2: out[4],
		Gradients: out[1:5], Next: out[5:], All: out}
}

// InitState returns an objective's initial state as arrays.
func InitState(o ommlx.Objective, runs, k int) (state []Array) {
	for _, s := range o.InitState(runs, k) {
		state = append(state, FromTensor(s))
	}
	return state
}

// LateState returns a state without zeros, as in the middle of training.
func LateState(o ommlx.Objective, runs, k int) []Array {
	rng := NewRand(77)
	state := InitState(o, runs, k)
	if _, ok := o.(ommlx.SpIN); ok { // an average of second moments, with and without a leading axis
		f := Gaussian(rng, 3*k, k)
		for i := range state[0].Data {
			state[0].Data[i] += SecondMoment(f, f).Data[i%(k*k)]
		}
		return state
	}
	for i := range state {
		for j := range state[i].Data {
			state[i].Data[j] += math.Abs(rng.NormFloat64())
		}
	}
	return state
}

// RequireAllClose is [RequireClose] for several arrays.
func RequireAllClose(t testing.TB, want, got []Array, tolerance float64, what string) {
	t.Helper()
	require.Len(t, got, len(want), what)
	for i := range want {
		RequireClose(t, want[i], got[i], tolerance, what)
	}
}

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
