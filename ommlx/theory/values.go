package theory

import (
	"fmt"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
)

// ValueLoss is a loss of the values of k functions f and of Tf on B samples, B×k both, with its gradients for f and for
// Tf. It panics where the shapes do not fit.
type ValueLoss func(f, tf *mat.Dense) (loss float64, df, dtf *mat.Dense)

// OnValues returns a scalar loss that is built from f and Tf, [B, k] in float64, with its gradients by automatic
// differentiation. It is compiled once for each shape; the error says why the first time failed.
func OnValues(b compute.Backend, loss func(f, tf *Node) *Node) (ValueLoss, error) {
	exec, err := NewExec(b, func(f, tf *Node) []*Node {
		l := loss(f, tf)
		return append([]*Node{l}, Gradient(l, f, tf)...)
	})
	if err != nil {
		return nil, fmt.Errorf("a loss of values: %w", err)
	}
	return func(f, tf *mat.Dense) (float64, *mat.Dense, *mat.Dense) {
		out, err := exec.Call(Tensor(f), Tensor(tf))
		if err != nil {
			panic(fmt.Errorf("a loss of values: %w", err))
		}
		return tensors.ToScalar[float64](out[0]), Runs(out[1])[0], Runs(out[2])[0]
	}, nil
}

// Rest returns, to 1e-7, the size s at which gradient descent along s·f comes to rest: below it the loss of s·f and
// s·Tf falls with s. It is sought in [0, high]; 0 says that the loss falls nowhere.
func (l ValueLoss) Rest(f, tf *mat.Dense, high float64) float64 {
	low := 0.0
	for high-low > 1e-7 {
		s := (low + high) / 2
		_, df, dtf := l(Scaled(s, f), Scaled(s, tf))
		if mat.Trace(Product(f.T(), df))+mat.Trace(Product(tf.T(), dtf)) < -1e-12 {
			low = s
		} else {
			high = s
		}
	}
	return low
}
