package bench

import (
	_ "embed"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/train"
)

var (
	//go:embed jax_step.py
	jaxStep string
	//go:embed torch_omm.py
	torchOMM string
	//go:embed torch_step.py
	torchStep string
)

// setting is the training step that every side runs: OMM-seq on P + I, k = 11, inputs (x, y), three hidden layers.
type setting struct {
	Batch int  `json:"batch"`
	Width int  `json:"width"`
	Rows  int  `json:"rows"` // states to sample from
	Scan  bool `json:"scan"` // all steps in one call; JAX only
	Axis  bool `json:"axis"` // parameters and batches with a leading axis of one run, as ours have; JAX only
}

// step compares the step of the paper's setting (Section C.1), as published code computes it, and a tiny step, which
// shows the overhead beyond arithmetic. Targets: JAX, with one call per step, and PyTorch; for the tiny step JAX in one
// call, and half of PyTorch.
//
// JAX takes 5 to 6 % longer for the paper's step, the same as ours, if its parameters and batches have a leading axis
// of one run too (AMD EPYC, two cores). Our networks keep that axis, because it trains several seeds in one program.
func (s *session) step() error {
	jax, torch := s.script("JAX", jaxStep), s.script("PyTorch", torchOMM+torchStep)
	for _, c := range []struct {
		label            string
		set              setting
		steps            int
		jit, scan, eager float64 // targets
	}{
		{"paper", setting{Batch: 1024, Width: 256, Rows: 1_000_000}, 20, 1, 1, 1},
		{"tiny", setting{Batch: 128, Width: 64, Rows: 1_000_000}, 200, 0, 1, 0.5},
	} {
		if s.small {
			c.set = setting{Batch: 8, Width: 4, Rows: 100}
		}
		scan := c.set
		scan.Scan = true
		axis := scan
		axis.Axis = true
		n := s.steps(c.steps)
		if err := s.train(c.label, c.set.problem(), c.steps,
			contender{"JAX jit", c.jit, jax.round(n, c.set)},
			contender{"JAX scan", c.scan, jax.round(n, scan)},
			contender{"JAX scan, run axis", 0, jax.round(n, axis)},
			contender{"PyTorch eager", c.eager, torch.round(n, c.set)}); err != nil {
			return err
		}
	}
	return nil
}

// problem trains on uniformly drawn states. The network is evaluated in two passes, as in published code and in JAX. On
// two cores of a CPU one pass over both batches takes a third more time for the tiny step, and the same for the
// paper's.
//
// The tiny step gains nothing from parameters without the axis of runs, weights [in, out] or an update of Adam without
// its barrier, and loses 7 % with all parameters in one vector.
func (s setting) problem() train.Problem {
	const outputs = 11
	seeds := []int64{1}
	network := net.MLP{In: 2, Hidden: []int{s.Width, s.Width, s.Width}, Out: outputs}
	coordinates := make([]float32, 2*s.Rows)
	for i := range coordinates {
		coordinates[i] = float32(i%1000)/1000 - 0.5
	}
	return train.Problem{
		Seeds:  seeds,
		Params: network.Init(seeds),
		Data:   []*tensors.Tensor{tensors.FromFlatDataAndDimensions(coordinates, s.Rows, 2)},
		Loss: func(in train.Inputs) (*Node, []*Node) {
			index := in.Random.IntN(s.Rows, 2*s.Batch)
			f := func(from, to int) *Node {
				rows := Slice(index, AxisRange(), AxisRange(from, to))
				return network.Apply(in.Params, operator.GatherRows(InsertAxes(in.Data[0], 0), rows))
			}
			batch := ommlx.Batch{F: f(0, s.Batch), TF: f(s.Batch, 2*s.Batch)}
			return ommlx.Shifted{Objective: ommlx.OMM{Nesting: ommlx.Sequential}, Kappa: 1}.Loss(batch, nil)
		},
	}
}
