package devicetest

import (
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"
)

// A difference is of the numbers, whatever their type; tensors whose numbers cannot be read are not alike.
func TestADifferenceIsOfTheNumbers(t *testing.T) {
	require.InDelta(t, 2./4, Difference(t, tensors.FromFlatDataAndDimensions([]float32{1, 3}, 2),
		tensors.FromFlatDataAndDimensions([]float32{1, 5}, 2)), 1e-12)
	require.InDelta(t, 2./4, Difference(t, tensors.FromFlatDataAndDimensions([]int32{1, 3}, 2),
		tensors.FromFlatDataAndDimensions([]int32{1, 5}, 2)), 1e-12)
	require.Panics(t, func() {
		Difference(t, tensors.FromFlatDataAndDimensions([]uint64{1, 3}, 2),
			tensors.FromFlatDataAndDimensions([]uint64{1, 5}, 2))
	})
}
