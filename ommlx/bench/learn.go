package bench

import (
	"fmt"
	"math/rand/v2"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/learn"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/operator"
	"operator-omm/ommlx/optim"
	"operator-omm/ommlx/train"
)

// learned compares [learn.Learn] with the loop that one writes by hand for the same problem: a Gaussian kernel on 4,096
// samples, 5 functions, batch 256. Targets: 1.05 of its step, and 100 ms more until the first step is done.
func (s *session) learned() error {
	const k, batch, steps = 5, 256, 2_000
	rng := rand.New(rand.NewPCG(1, 1))
	samples := mat.NewDense(4_096, 1, nil)
	samples.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, samples)
	network := net.MLP{In: 1, Hidden: []int{64, 64}, Out: k}
	kernel := func(x, y *Node) *Node { return Exp(MulScalar(ReduceSum(Square(Sub(x, y)), -1), -2)) }
	n := s.steps(steps)

	byLearn := func(progress func(train.Status)) error {
		_, err := learn.Learn(s.ctx, learn.Kernel{Samples: samples, K: kernel, Functions: network}, k,
			learn.Settings{Steps: n, Batch: batch, Backend: s.options.Engine, Progress: progress})
		return err
	}
	byHand := func(progress func(train.Status)) error {
		rows, _ := samples.Dims()
		p := train.Problem{Seeds: []int64{1}, Params: network.Init([]int64{1}),
			Data: []*tensors.Tensor{train.Table(samples)},
			Loss: func(in train.Inputs) (*Node, []*Node) {
				x := Gather(in.Data[0], InsertAxes(in.Random.IntN(rows, batch), -1))
				f := network.Apply(in.Params, x)
				tf := operator.Kernel(kernel(InsertAxes(x, 2), InsertAxes(x, 1)), f)
				return ommlx.OMM{Nesting: ommlx.Sequential}.Loss(ommlx.Batch{F: f, TF: tf}, nil)
			}}
		adam := optim.Adam{LearningRate: 3e-3, Schedule: optim.Schedule{Decay: optim.Cosine, Steps: n}}
		_, err := train.Run(s.ctx, p, train.Config{Steps: n, Optimiser: adam},
			train.Options{Backend: s.options.Engine, Progress: progress})
		return err
	}
	ours, theirs := &solving{solve: byLearn, steps: n}, &solving{solve: byHand, steps: n}
	hand := contender{label: "the loop by hand", target: 1.05, round: theirs.round}
	if _, err := s.compare("step", ours.round, hand); err != nil {
		return err
	}
	mine, their := median(ours.starts), median(theirs.starts)
	verdict := "reached"
	if mine-their > 100*time.Millisecond {
		verdict = "missed"
	}
	fmt.Fprintf(s.out, "until the first step: %s ms, by hand %s ms; target at most 100 ms more, %s\n", ms(mine),
		ms(their), verdict)
	return nil
}

// solving measures whole trainings.
type solving struct {
	solve  func(progress func(train.Status)) error
	steps  int
	starts []time.Duration // from the call to the end of the first step
}

// round returns the time of a step after the first.
func (m *solving) round() (lap, error) {
	began := now()
	var first, last lap
	err := m.solve(func(s train.Status) {
		last = now()
		if first.wall == 0 {
			first = last
		}
	})
	if err != nil {
		return lap{}, err
	}
	m.starts = append(m.starts, first.wall-began.wall)
	n := time.Duration(max(1, m.steps-1))
	return lap{(last.wall - first.wall) / n, (last.cpu - first.cpu) / n}, nil
}
