package theory

import (
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/operator"
)

// Loss is a loss of V, d×k, for a symmetric matrix A, d×d, with its gradient for V. Of rules that are the gradient of
// no function, sequential nesting and Sanger's, it is what trains V. It panics where the shapes do not fit.
type Loss func(v, a *mat.Dense) (loss float64, gradient *mat.Dense)

// OnMatrix returns an objective of the library as a loss of V: the columns of f = √d·V are k functions on d samples,
// with M[f] = VᵀV and M[f,Tf] = VᵀAV, and the gradient is by automatic differentiation, in float64. It is compiled once
// for each shape. Objectives that keep a state begin with it at every call.
func OnMatrix(b compute.Backend, o ommlx.Objective) (Loss, error) {
	exec, err := NewExec(b, func(v, a *Node) []*Node {
		f, tf := operator.Matrix(InsertAxes(v, 0), a)
		loss, _ := o.Loss(ommlx.Batch{F: f, TF: tf}, nil)
		loss = ReduceAllSum(loss)
		return []*Node{loss, Gradient(loss, v)[0]}
	})
	if err != nil {
		return nil, fmt.Errorf("%s on a matrix: %w", o.Name(), err)
	}
	return func(v, a *mat.Dense) (float64, *mat.Dense) {
		out, err := exec.Call(Tensor(v), Tensor(a))
		if err != nil {
			panic(fmt.Errorf("%s on a matrix: %w", o.Name(), err))
		}
		d, k := v.Dims()
		return tensors.ToScalar[float64](out[0]), mat.NewDense(d, k, tensors.MustCopyFlatData[float64](out[1]))
	}, nil
}

// OMM returns Σ_p c_p L^(p) in closed form, where orders[p−1] is the weight c_p: with R = I − VVᵀ and E = I − VᵀV, so
// that RV = VE,
//
//	L^(p) = −Σ_{i<2p} tr(VᵀRⁱAV),   ∇L^(p) = −2 Σ_{i<2p} RⁱAV E^{2p−1−i}.
//
// On small matrices it is many times faster than [OnMatrix], which has the same value.
func OMM(orders []float64) Loss {
	return func(v, a *mat.Dense) (loss float64, gradient *mat.Dense) {
		d, k := v.Dims()
		e := Combine(1, Eye(k), -1, Gram(v))
		term := Product(a, v) // RⁱAV
		sum, order := mat.NewDense(d, k, nil), 0.0
		gradient = mat.NewDense(d, k, nil)
		for i := range 2 * len(orders) {
			if i > 0 {
				term = Combine(1, term, -1, Product(v, Product(v.T(), term)))
			}
			sum = Combine(1, Product(sum, e), 1, term)
			order -= floats.Dot(v.RawMatrix().Data, term.RawMatrix().Data)
			if weight := orders[i/2]; i%2 == 1 && weight != 0 {
				loss += weight * order
				gradient = Combine(1, gradient, -2*weight, sum)
			}
		}
		return loss, gradient
	}
}
