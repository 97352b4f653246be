package bench

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx"
	"operator-omm/ommlx/backend"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// devices compares a step on 2 and 4 devices with the one on one device, of OMM-seq on points of a square by a network
// of 3×256: four runs, which are divided over the devices, and one run of which the samples are. The devices are this
// machine's processor, so that the best ratio is 1: it says what the division costs, not what several processors give.
func (s *session) devices() error {
	batch, hidden := 2_048, 256
	if s.options.scale < 1 {
		batch, hidden = 64, 8
	}
	const steps = 10
	for _, runs := range []int{4, 1} {
		seeds, what := []int64{1, 2, 3, 4}[:runs], "samples divided"
		if runs > 1 {
			what = "runs divided"
		}
		network := net.MLP{In: 2, Hidden: []int{hidden, hidden, hidden}, Out: outputs}
		loss := func(in train.Inputs) (*Node, []*Node) {
			x := in.Random.Uniform(dtypes.Float32, batch, 2)
			f := network.Apply(in.Params, x)
			weight := AddScalar(ReduceAndKeep(x, ReduceSum, -1), 0.1)
			loss, _ := ommlx.OMM{Nesting: ommlx.Sequential}.Loss(ommlx.Batch{F: f, TF: Mul(f, weight)}, nil)
			return loss, nil
		}
		problem := func() train.Problem { // with parameters of its own, since a tensor belongs to one engine
			return train.Problem{Seeds: seeds, Params: network.Init(seeds), Loss: loss}
		}
		one, err := s.train(what+", one device", problem(), s.steps(steps))
		if err != nil {
			return err
		}
		for _, n := range []int{2, 4} {
			if err := s.over(n, what, problem(), steps, one); err != nil {
				one.close()
				return err
			}
		}
		one.close()
	}
	return nil
}

// over compares a training on n virtual devices with that on one.
func (s *session) over(n int, what string, p train.Problem, steps int, one *trainer) error {
	engine, err := backend.Virtual(n)
	if err != nil {
		return err
	}
	defer engine.Finalize()
	t, err := newTrainer(s.ctx, engine, p, optim.Adam{}, s.steps(steps))
	if err != nil {
		return err
	}
	defer t.close()
	label := fmt.Sprintf("%d devices, %s", n, what)
	s.compiled = append(s.compiled, compilation{label, t.compile})
	_, err = s.compare(label, t.round, contender{"one device", 0, one.round})
	return err
}
