package ommlx_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/train"
)

// Every objective has the same loss and gradient where samples are divided over devices, by XLA, as on one device: the
// moments are summed over the devices. Tf is a multiple of f that depends on the point.
//
// Settings without a name differ from these in numbers. All of them are one program, each with functions of its own and
// its loss as a state, so that each is compared apart. The functions are linear in features that all share, for the
// program to be small.
func TestEveryObjectiveOverSeveralDevices(t *testing.T) {
	const k, batch = 3, 32
	m, list := net.MLP{In: 6, Out: k}, named(t)
	p := train.Problem{Seeds: []int64{1}}
	params := len(m.Init(p.Seeds))
	for i, o := range list {
		t.Logf("%s has the parameters from %d on", o.Name(), params*i)
		p.Params = append(p.Params, m.Init(p.Seeds)...)
		p.State = append(p.State, o.InitState(1, k)...)
		p.State = append(p.State, tensors.FromFlatDataAndDimensions([]float32{0}, 1))
	}
	p.Loss = func(in train.Inputs) (total *Node, states []*Node) {
		x := in.Random.Uniform(dtypes.Float32, batch, 2)
		weight := AddScalar(ReduceAndKeep(x, ReduceSum, 2), 0.1)
		features := Concatenate([]*Node{x, Square(x), Sin(MulScalar(x, 5))}, 2)
		for i, o := range list {
			f := m.Apply(in.Params[params*i:params*(i+1)], features)
			first := len(states)
			loss, next := o.Loss(ommlx.Batch{F: f, TF: Mul(f, Sqrt(weight))},
				in.State[first:first+len(o.InitState(1, k))])
			if states = append(append(states, next...), loss); total == nil {
				total = loss
			} else {
				total = Add(total, loss)
			}
		}
		return total, states
	}
	ommtest.AsOnOne(t, p, 1e-4, 4)
}
