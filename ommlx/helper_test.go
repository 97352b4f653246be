package ommlx_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	_ "github.com/gomlx/compute/gobackend"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/backend"
)

// array is a row-major array of numbers on its way to a graph or back.
type array struct {
	Dims []int     `json:"dims"`
	Data []float64 `json:"data"`
}

func newArray(dims ...int) array {
	size := 1
	for _, d := range dims {
		size *= d
	}
	return array{Dims: dims, Data: make([]float64, size)}
}

func gaussian(rng *rand.Rand, dims ...int) array {
	a := newArray(dims...)
	for i := range a.Data {
		a.Data[i] = rng.NormFloat64()
	}
	return a
}

func fromMatrix(m mat.Matrix) array {
	r, c := m.Dims()
	a := newArray(r, c)
	for i := range r {
		for j := range c {
			a.Data[i*c+j] = m.At(i, j)
		}
	}
	return a
}

// matrix views a two-dimensional array, sharing its numbers.
func (a array) matrix() *mat.Dense { return mat.NewDense(a.Dims[0], a.Dims[1], a.Data) }

func (a array) clone() array { return array{a.Dims, slices.Clone(a.Data)} }

func (a array) scaled(c float64) array {
	b := a.clone()
	for i := range b.Data {
		b.Data[i] *= c
	}
	return b
}

// run returns the part of run r of an array with a leading run axis.
func (a array) run(r int) array {
	size := len(a.Data) / a.Dims[0]
	return array{a.Dims[1:], a.Data[r*size : (r+1)*size]}
}

// stack puts arrays of equal shape on a leading axis.
func stack(arrays ...array) array {
	b := array{Dims: append([]int{len(arrays)}, arrays[0].Dims...)}
	for _, a := range arrays {
		b.Data = append(b.Data, a.Data...)
	}
	return b
}

// trainingBackend is the engine that training runs on: XLA where there is one.
func trainingBackend(t testing.TB) compute.Backend {
	t.Helper()
	b, _, err := backend.Open()
	require.NoError(t, err)
	return b
}

var openPureGo = sync.OnceValues(func() (compute.Backend, error) { return compute.NewWithConfig("go:ops_sequential") })

// pureGoBackend needs no compilation, which is most of what a small test costs on XLA. TestEveryObjective ties the two
// together: there every objective gives the same loss, gradients and state on both.
func pureGoBackend(t testing.TB) compute.Backend {
	t.Helper()
	b, err := openPureGo()
	require.NoError(t, err)
	return b
}

// program is a graph function that is compiled once per shape and called with arrays.
type program struct {
	exec  *Exec
	dtype dtypes.DType
}

func newProgram(t testing.TB, fn func(in []*Node) []*Node) program {
	t.Helper()
	return newProgramOn(t, pureGoBackend(t), dtypes.Float64, fn)
}

func newProgramOn(t testing.TB, b compute.Backend, dtype dtypes.DType, fn func(in []*Node) []*Node) program {
	t.Helper()
	exec, err := NewExec(b, fn)
	require.NoError(t, err)
	t.Cleanup(exec.Finalize)
	return program{exec, dtype}
}

func (p program) tryCall(in ...array) ([]array, error) {
	args := make([]any, len(in))
	for i, a := range in {
		if p.dtype == dtypes.Float32 {
			x := make([]float32, len(a.Data))
			for j, v := range a.Data {
				x[j] = float32(v)
			}
			args[i] = tensors.FromFlatDataAndDimensions(x, a.Dims...)
		} else {
			args[i] = tensors.FromFlatDataAndDimensions(a.Data, a.Dims...)
		}
	}
	results, err := p.exec.Call(args...)
	if err != nil {
		return nil, err
	}
	out := make([]array, len(results))
	for i, r := range results {
		out[i] = fromTensor(r)
	}
	return out, nil
}

func (p program) call(t testing.TB, in ...array) []array {
	t.Helper()
	out, err := p.tryCall(in...)
	require.NoError(t, err)
	return out
}

func fromTensor(r *tensors.Tensor) array {
	a := array{Dims: slices.Clone(r.Shape().Dimensions)}
	if r.DType() == dtypes.Float32 {
		for _, v := range tensors.MustCopyFlatData[float32](r) {
			a.Data = append(a.Data, float64(v))
		}
		return a
	}
	a.Data = tensors.MustCopyFlatData[float64](r)
	return a
}

// evaluation is what one call of an objective returns.
type evaluation struct {
	loss                array
	dF, dTF, dC1, dC2   array
	next                []array
	gradients, everyone []array
}

// lossProgram computes loss, gradients and next state from F, TF, C1, C2 and the state.
func lossProgram(o ommlx.Objective) func(in []*Node) []*Node {
	return func(in []*Node) []*Node {
		b := ommlx.Batch{F: in[0], TF: in[1], C1: in[2], C2: in[3]}
		loss, next := o.Loss(b, in[4:])
		return append(append([]*Node{loss}, Gradient(ReduceAllSum(loss), in[:4]...)...), next...)
	}
}

// point is where an objective is evaluated.
type point struct{ f, tf, c1, c2 array }

func (p point) inputs(state []array) []array {
	return append([]array{p.f, p.tf, p.c1, p.c2}, state...)
}

func evaluate(t testing.TB, p program, at point, state []array) evaluation {
	t.Helper()
	out := p.call(t, at.inputs(state)...)
	return evaluation{loss: out[0], dF: out[1], dTF: out[2], dC1: out[3], dC2: out[4],
		gradients: out[1:5], next: out[5:], everyone: out}
}

// evaluateOnce compiles, evaluates in float64 and forgets.
func evaluateOnce(t testing.TB, o ommlx.Objective, at point, state []array) evaluation {
	t.Helper()
	return evaluate(t, newProgram(t, lossProgram(o)), at, state)
}

func gaussianPoint(rng *rand.Rand, dims ...int) point {
	return point{gaussian(rng, dims...), gaussian(rng, dims...), gaussian(rng, dims...), gaussian(rng, dims...)}
}

// initState returns an objective's initial state as arrays.
func initState(o ommlx.Objective, runs, k int) []array {
	var state []array
	for _, s := range o.InitState(runs, k) {
		state = append(state, fromTensor(s))
	}
	return state
}

// requireClose compares to a tolerance relative to the largest number wanted.
func requireClose(t testing.TB, want, got array, tolerance float64, what string) {
	t.Helper()
	require.Equal(t, want.Dims, got.Dims, "%s: shape", what)
	scale := 0.0
	for _, v := range want.Data {
		scale = math.Max(scale, math.Abs(v))
	}
	for i := range want.Data {
		require.InDelta(t, want.Data[i], got.Data[i], tolerance*math.Max(scale, 1e-3), "%s, entry %d", what, i)
	}
}

// symmetric returns WΛWᵀ and W for the given eigenvalues and random eigenvectors.
func symmetric(rng *rand.Rand, eigenvalues []float64) (a, w *mat.Dense) {
	d := len(eigenvalues)
	var qr mat.QR
	qr.Factorize(gaussian(rng, d, d).matrix())
	w = mat.NewDense(d, d, nil)
	qr.QTo(w)
	var scaled mat.Dense
	scaled.Mul(w, mat.NewDiagDense(d, eigenvalues))
	a = mat.NewDense(d, d, nil)
	a.Mul(&scaled, w.T())
	return a, w
}

// matrixPoint is V (d×k) seen as k functions on d samples with the operator A: f = √d·V, Tf = √d·AV.
func matrixPoint(v, a *mat.Dense) point {
	d, _ := v.Dims()
	var av mat.Dense
	av.Mul(a, v)
	f := fromMatrix(v).scaled(math.Sqrt(float64(d)))
	return point{f, fromMatrix(&av).scaled(math.Sqrt(float64(d))), f, f}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20261121)) }
