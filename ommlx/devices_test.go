package ommlx_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/devicetest"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/train"
)

// Every objective has the same loss and gradient where samples are divided over devices, by XLA, as on one device: the
// moments are summed over the devices. Tf is a multiple of f that depends on the point.
func TestEveryObjectiveOverSeveralDevices(t *testing.T) {
	const k, batch = 4, 32
	m := net.MLP{In: 2, Hidden: []int{8}, Out: k}
	for _, o := range objectives(t) {
		t.Run(o.Name(), func(t *testing.T) {
			p := train.Problem{Seeds: []int64{1}, Params: m.Init([]int64{1}), State: o.InitState(1, k)}
			p.Loss = func(in train.Inputs) (*Node, []*Node) {
				x := in.Random.Uniform(dtypes.Float32, batch, 2)
				f := m.Apply(in.Params, x)
				weight := AddScalar(ReduceAndKeep(x, ReduceSum, 2), 0.1)
				return o.Loss(ommlx.Batch{F: f, TF: Mul(f, Sqrt(weight))}, in.State)
			}
			devicetest.AsOnOne(t, p, 1e-4, 4)
		})
	}
}
