// Package verify is the laboratory of the paper's theory: small matrices, on which notebooks 00, 01, 02, 03, 09 and 10
// and the tests try its statements. It has the losses as the paper prints them ([Printed]), a [Loss] of V for a matrix
// A, ways to minimise it ([Descend], [Flow], [Minimise]) and predictions ([Rates], [StreamingError]).
//
// V is d×k; its columns are learned. A = WΛWᵀ is d×d and symmetric, λ_1 ≥ … ≥ λ_d; W_{1:k} are the leading k columns
// of W. Wrong shapes panic, as in gonum.
//
// The tests record measurements of claims with papertest.Of, also for the corrected statement if the printed one fails.
package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/operator"
)

// Loss is a loss of V, d×k, for a symmetric matrix A, d×d, with its gradient with respect to V. For sequential nesting
// and Sanger's rule, which are not gradients of any function, it returns the training direction instead. It panics if
// shapes do not fit.
type Loss func(v, a *mat.Dense) (loss float64, gradient *mat.Dense)

// OnMatrix returns an objective of the library as a loss of V: the columns of f = √d·V are k functions on d samples, so
// M[f] = VᵀV and M[f,Tf] = VᵀAV. The gradient is by automatic differentiation, in float64. The loss is compiled once
// per shape. Objectives with a state start from the initial state in every call. See also operator.Matrix, f and Tf as
// nodes, and learn.Matrix, which trains.
func OnMatrix(b compute.Backend, o ommlx.Objective) (Loss, error) { return onNodes(b, ofMatrix(o)) }

// ofMatrix returns an objective as a function of V and A; see [OnMatrix].
func ofMatrix(o ommlx.Objective) func(v, a *Node) *Node {
	return func(v, a *Node) *Node {
		f, tf := operator.Matrix(InsertAxes(v, 0), a)
		return ReduceAllSum(lossOf(o)(f, tf))
	}
}

// lossOf returns an objective as a function of f and Tf, [R,] B×k, in its initial state.
func lossOf(o ommlx.Objective) func(f, tf *Node) *Node {
	return func(f, tf *Node) *Node {
		runs := 0
		if f.Rank() == 3 {
			runs = f.Shape().Dim(0)
		}
		var state []*Node
		for _, s := range o.InitState(runs, f.Shape().Dim(-1)) {
			state = append(state, ConstTensor(f.Graph(), s))
		}
		loss, _ := o.Loss(ommlx.Batch{F: f, TF: tf}, state)
		return loss
	}
}

// onNodes is [OnValues] without the gradient with respect to the second argument.
func onNodes(b compute.Backend, loss func(v, a *Node) *Node) (Loss, error) {
	l, err := OnValues(b, loss)
	return func(v, a *mat.Dense) (float64, *mat.Dense) {
		loss, gradient, _ := l(v, a)
		return loss, gradient
	}, err
}

// OMM returns Σ_p c_p L^(p) in closed form, where orders[p−1] is the weight c_p: with R = I − VVᵀ and E = I − VᵀV, so
// that RV = VE,
//
//	L^(p) = −Σ_{i<2p} tr(VᵀRⁱAV),   ∇L^(p) = −2 Σ_{i<2p} RⁱAV E^{2p−1−i}.
//
// On small matrices it is many times faster than [OnMatrix] and gives the same value.
func OMM(orders []float64) Loss {
	return func(v, a *mat.Dense) (loss float64, gradient *mat.Dense) {
		d, k := v.Dims()
		e := linalg.Difference(linalg.IdentityMatrix(k), linalg.Gram(v))
		term := linalg.Product(a, v) // RⁱAV
		sum, order := mat.NewDense(d, k, nil), 0.0
		gradient = mat.NewDense(d, k, nil)
		for i := range 2 * len(orders) {
			if i > 0 {
				term = linalg.Difference(term, linalg.Product(v, linalg.Product(v.T(), term)))
			}
			sum = linalg.Sum(linalg.Product(sum, e), term)
			order -= floats.Dot(v.RawMatrix().Data, term.RawMatrix().Data)
			if weight := orders[i/2]; i%2 == 1 && weight != 0 {
				loss += weight * order
				gradient = linalg.Difference(gradient, linalg.Scaled(2*weight, sum))
			}
		}
		return loss, gradient
	}
}

// ValueLoss is a loss of the values of k functions f and of Tf on B samples, both B×k, with its gradients with respect
// to f and Tf. It panics if shapes do not fit.
type ValueLoss func(f, tf *mat.Dense) (loss float64, df, dtf *mat.Dense)

// OnValues returns a scalar loss that is built from f and Tf, [B, k] in float64, with gradients by automatic
// differentiation. It is compiled once per shape.
func OnValues(b compute.Backend, loss func(f, tf *Node) *Node) (ValueLoss, error) {
	exec, err := NewExec(b, func(f, tf *Node) []*Node {
		l := loss(f, tf)
		return append([]*Node{l}, Gradient(l, f, tf)...)
	})
	if err != nil {
		return nil, fmt.Errorf("verify.OnValues: %w", err)
	}
	return func(f, tf *mat.Dense) (float64, *mat.Dense, *mat.Dense) {
		out, err := exec.Call(Tensor(f), Tensor(tf))
		if err != nil {
			panic(fmt.Errorf("verify.OnValues: %w", err))
		}
		return tensors.ToScalar[float64](out[0]), Runs(out[1])[0], Runs(out[2])[0]
	}, nil
}

// Rest returns, to 1e-7, the size s in [0, high] at which gradient descent along s·f stops: below it the loss of s·f
// and s·Tf decreases with s.
func (l ValueLoss) Rest(f, tf *mat.Dense, high float64) float64 {
	low := 0.0
	for high-low > 1e-7 {
		s := (low + high) / 2
		_, df, dtf := l(linalg.Scaled(s, f), linalg.Scaled(s, tf))
		if mat.Trace(linalg.Product(f.T(), df))+mat.Trace(linalg.Product(tf.T(), dtf)) < -1e-12 {
			low = s
		} else {
			high = s
		}
	}
	return low
}

// Tensor copies a matrix to float64: [rows, columns].
func Tensor(m mat.Matrix) *tensors.Tensor {
	rows, columns := m.Dims()
	return tensors.FromFlatDataAndDimensions(mat.DenseCopyOf(m).RawMatrix().Data, rows, columns)
}

// Stacked copies matrices of one shape to float64, one per run: [R, rows, columns].
func Stacked(runs []*mat.Dense) *tensors.Tensor {
	rows, columns := runs[0].Dims()
	all := xslices.Map(runs, func(m *mat.Dense) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data })
	return tensors.FromFlatDataAndDimensions(slices.Concat(all...), len(runs), rows, columns)
}

// Runs copies the matrix of each run of x, [R, rows, columns] or one run's [rows, columns], in float32 or float64.
func Runs(x *tensors.Tensor) []*mat.Dense { return tensorx.Matrices(x) }

// Descend takes steps V ← V − η∇L and returns the last V. visit is called with V before each step and at the end;
// descent stops early if it returns false. visit may be nil.
func Descend(l Loss, v, a *mat.Dense, eta float64, steps int, visit func(step int, v *mat.Dense) bool) *mat.Dense {
	for step := 0; (visit == nil || visit(step, v)) && step < steps; step++ {
		_, gradient := l(v, a)
		v = linalg.Difference(v, linalg.Scaled(eta, gradient))
	}
	return v
}

// RungeKutta returns V after a step of the gradient flow V̇ = −∇L by the classical fourth-order method.
func RungeKutta(l Loss, v, a *mat.Dense, step float64) *mat.Dense {
	slope := func(v *mat.Dense) *mat.Dense {
		_, gradient := l(v, a)
		return gradient
	}
	k1 := slope(v)
	k2 := slope(linalg.Difference(v, linalg.Scaled(step/2, k1)))
	k3 := slope(linalg.Difference(v, linalg.Scaled(step/2, k2)))
	k4 := slope(linalg.Difference(v, linalg.Scaled(step, k3)))
	return linalg.Difference(v, linalg.Scaled(step/6, linalg.Sum(linalg.Sum(k1, linalg.Scaled(2, k2)),
		linalg.Sum(linalg.Scaled(2, k3), k4))))
}

// Flow follows the gradient flow V̇ = −∇L from V at time 0 by steps of [RungeKutta] and returns the last V; visit is
// called with V after each step. It ends at the given time, or when ‖V‖_F exceeds 100, since the flow then diverges.
func Flow(l Loss, v, a *mat.Dense, time, step float64, visit func(t float64, v *mat.Dense)) *mat.Dense {
	for n := range int(math.Round(time / step)) {
		v = RungeKutta(l, v, a, step)
		visit(float64(n+1)*step, v)
		if !(mat.Norm(v, 2) < 100) {
			break
		}
	}
	return v
}

// Minimise runs L-BFGS from V for at most the given number of iterations or to double precision, and returns the least
// loss and its V. The loss is evaluated once per V. It returns an error if the loss is not finite or L-BFGS fails.
func Minimise(l Loss, v, a *mat.Dense, iterations int) (loss float64, at *mat.Dense, err error) {
	d, k := v.Dims()
	var last, gradient []float64 // last point of evaluation, and its gradient
	var value float64
	evaluate := func(x []float64) {
		if !slices.Equal(last, x) {
			last = slices.Clone(x)
			l, g := l(mat.NewDense(d, k, last), a)
			value, gradient = l, g.RawMatrix().Data
		}
	}
	result, err := optimize.Minimize(optimize.Problem{
		Func: func(x []float64) float64 { evaluate(x); return value },
		Grad: func(grad, x []float64) { evaluate(x); copy(grad, gradient) },
	}, mat.DenseCopyOf(v).RawMatrix().Data, &optimize.Settings{GradientThreshold: 1e-12, MajorIterations: iterations,
		Converger: optimize.NeverTerminate{}}, &optimize.LBFGS{Store: 20})
	if result != nil && (math.IsNaN(result.F) || math.IsInf(result.F, 0)) {
		err, result = fmt.Errorf("loss is %g; start from another V", result.F), nil
	}
	if result == nil { // with a result, an error only means that the line search reached double precision
		return 0, nil, fmt.Errorf("verify.Minimise: V is %d×%d: %w", d, k, err)
	}
	return result.F, mat.NewDense(d, k, result.X), nil
}
