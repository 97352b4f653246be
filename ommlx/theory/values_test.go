package theory

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx/internal/graphtest"
)

// On s·f, s·Tf the loss Σ(f·Tf)²/2 − 4 Σ f·Tf has its rest at s = 2 where every f·Tf is 1.
func TestALossOfValuesAndItsRest(t *testing.T) {
	l, err := OnValues(graphtest.PureGo(t), func(f, tf *Node) *Node {
		product := Mul(f, tf)
		return ReduceAllSum(Sub(MulScalar(Square(product), 0.5), MulScalar(product, 4)))
	})
	require.NoError(t, err)
	f, tf := mat.NewDense(2, 1, []float64{2, 0.5}), mat.NewDense(2, 1, []float64{0.5, 2})
	loss, df, dtf := l(f, tf)
	require.InDelta(t, -7, loss, 1e-12)
	require.InDeltaSlice(t, []float64{-1.5, -6}, df.RawMatrix().Data, 1e-12)
	require.InDeltaSlice(t, []float64{-6, -1.5}, dtf.RawMatrix().Data, 1e-12)
	require.InDelta(t, 2, l.Rest(f, tf, 3), 1e-6)
	require.Less(t, l.Rest(f, Scaled(-1, tf), 3), 1e-6)
}
