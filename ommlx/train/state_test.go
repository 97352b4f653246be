package train

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/net"
)

// TestStateIsSeen by the evaluations, by what is evaluated afterwards and in the result: a running mean of the values
// of the networks, computed again on the host from the parameters before each step. That it survives a kill is in
// TestKilled.
func TestStateIsSeen(t *testing.T) {
	o := pureGo(t)
	p := fit(1, 2)
	m := net.MLP{In: 2, Hidden: []int{8}, Out: 3}
	loss := p.Loss
	p.Loss = func(in Inputs) (*Node, []*Node) {
		value, _ := loss(in)
		return value, []*Node{in.State[0], runningMean(in.State[1], m.Apply(in.Params, in.Data[0]))}
	}
	values := func(in Inputs) []*Node {
		return []*Node{m.Apply(in.Params, in.Data[0]), InsertAxes(in.State[1], 1)} // [R, N, 3], [R, 1, 3]
	}
	want := make([]float64, 3)
	o.Eval = func(now Snapshot) ([]float64, error) {
		seen, err := p.Evaluate(o.Backend, now, values)
		require.NoError(t, err)
		assert.InDeltaSlice(t, want, seen[1][1].RawRowView(0), 1e-6, "step %d", now.Step)
		f := seen[1][0]
		rows, _ := f.Dims()
		for j := range want {
			mean := 0.0
			for i := range rows {
				mean += f.At(i, j) / float64(rows)
			}
			want[j] = momentum*want[j] + (1-momentum)*mean
		}
		return make([]float64, 2), nil
	}
	const steps = 30
	result := mustRun(t, p, config(steps, 1), o)
	seen, err := p.Evaluate(o.Backend, result.Snapshot, values)
	require.NoError(t, err)
	require.Equal(t, ofRun(result.State[1:], 1), seen[1][1].RawRowView(0))
	require.Greater(t, seen[1][1].RawRowView(0)[0], 0.0)
	require.Equal(t, dtypes.Float32, result.State[1].DType())
}

func TestBest(t *testing.T) {
	with := mustRun(t, toy(4, 1), config(5, 0), pureGo(t))
	require.Equal(t, content(with.Average), content(with.Best()))
	c := config(5, 0)
	c.EMA.Decay = 0
	without := mustRun(t, toy(4, 1), c, pureGo(t))
	require.Empty(t, without.Average)
	require.Equal(t, content(without.Params), content(without.Best()))
	require.Equal(t, content(with.Params), content(without.Params))
}
