package notebook

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// Each batch has its own samples, in the order in which they are drawn, and none is lost between calls.
func TestBatchLossesAreThoseOfTheSamples(t *testing.T) {
	const batch, count = 2, blockOfBatches + 3
	next := 0.0
	losses, err := BatchLosses(func(f, tf *Node) (*Node, []*Node) {
		return ReduceSum(Sub(tf, f), 1, 2), nil
	}, batch, count, func(samples int) (f, tf *mat.Dense) {
		f, tf = mat.NewDense(samples, 1, nil), mat.NewDense(samples, 1, nil)
		for i := range samples {
			f.Set(i, 0, next)
			tf.Set(i, 0, 3*next)
			next++
		}
		return f, tf
	})
	require.NoError(t, err)
	require.Len(t, losses, count)
	for b, loss := range losses { // 2(2b + 2b + 1)
		require.Equal(t, float64(8*b+2), loss)
	}
}
