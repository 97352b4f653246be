package ommlx_test

import (
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/train"
)

// ofTheSameMoments are objectives that do with samples what another one does.
var ofTheSameMoments = []string{"omm_jnt", "omm_jnt_pseudocode", "omm_jnt_equation", "omm2", "omm2_jnt", "omm12",
	"sanger_detached", "lora", "lora_jnt"}

// Every objective has the same loss and gradient where samples are divided over devices, by XLA, as on one device: the
// moments are summed over the devices. Tf is a multiple of f that depends on the point.
//
// Settings without a name differ from these in numbers, and those that are left out in what they do with the moments,
// which each device has whole. The functions are linear in features, for the program to be small.
func TestEveryObjectiveOverSeveralDevices(t *testing.T) {
	const k, batch = 3, 32
	m, seeds := net.MLP{In: 6, Out: k}, []int64{1}
	var all []train.Problem
	for _, o := range named(t) {
		if slices.Contains(ofTheSameMoments, o.Name()) {
			continue
		}
		t.Logf("%s is problem %d", o.Name(), len(all))
		all = append(all, train.Problem{Seeds: seeds, Params: m.Init(seeds), State: o.InitState(1, k),
			Loss: func(in train.Inputs) (*Node, []*Node) {
				x := in.Random.Uniform(dtypes.Float32, batch, 2)
				f := m.Apply(in.Params, Concatenate([]*Node{x, Square(x), Sin(MulScalar(x, 5))}, 2))
				weight := AddScalar(ReduceAndKeep(x, ReduceSum, 2), 0.1)
				return o.Loss(ommlx.Batch{F: f, TF: Mul(f, Sqrt(weight))}, in.State)
			}})
	}
	ommtest.AsOnOne(t, ommtest.Together(all...), 1e-4, 4)
}
