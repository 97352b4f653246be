package notebook

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
)

// blockOfBatches is how many batches are evaluated in one call.
const blockOfBatches = 2_000

// BatchLosses returns the losses of many batches of independent samples, in float64. draw returns the values of f and
// Tf, samples×k each, on new samples; loss builds the losses [R] of R batches from f and Tf, [R, batch, k]. An error
// says why the loss could not be built.
func BatchLosses(loss func(f, tf *Node) (*Node, []*Node), batch, count int,
	draw func(samples int) (f, tf *mat.Dense)) ([]float64, error) {
	exec, err := NewExec(Engine(), func(f, tf *Node) *Node {
		losses, _ := loss(f, tf)
		return losses
	})
	if err != nil {
		return nil, fmt.Errorf("losses of batches: %w", err)
	}
	defer exec.Finalize()
	all := make([]float64, 0, count)
	for len(all) < count {
		block := min(blockOfBatches, count-len(all))
		f, tf := draw(block * batch)
		_, k := f.Dims()
		tensor := func(m *mat.Dense) *tensors.Tensor {
			return tensors.FromFlatDataAndDimensions(m.RawMatrix().Data, block, batch, k)
		}
		out, err := exec.Call(tensor(f), tensor(tf))
		if err != nil {
			return nil, fmt.Errorf("losses of batches: %w", err)
		}
		all = append(all, tensors.MustCopyFlatData[float64](out[0])...)
	}
	return all, nil
}
