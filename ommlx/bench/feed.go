package bench

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/net"
	"operator-omm/ommlx/train"
)

// feeding is a step of OMM-seq on the batches of a table, in its order and from the beginning again.
type feeding struct {
	name          string
	batch, width  int // samples of a batch, and numbers of a sample
	rows          int // of the table, a multiple of those of a batch
	hidden, steps int
}

// Batches of 16 KiB and of 3 MiB. A picture has the size of one of CIFAR-100.
var feedings = []feeding{
	{name: "points", batch: 2048, width: 2, rows: 1 << 16, hidden: 256, steps: 20},
	{name: "pictures", batch: 256, width: 3 * 32 * 32, rows: 1 << 12, hidden: 256, steps: 20},
}

// feed compares batches that the host makes ahead of the device with the same ones from a table on the device: when
// each step is a call as it is with a feed, and when many steps are. Target: no more than a tenth above the former.
func (s *session) feed() error {
	for _, f := range feedings {
		if s.options.scale < 1 {
			f.rows, f.hidden = f.batch, 8
		}
		called := f.resident()
		called.Feed = func(int) ([]*tensors.Tensor, error) { // which the loss does not read
			return []*tensors.Tensor{tensors.FromScalar(float32(0))}, nil
		}
		var others []contender
		for _, c := range []struct {
			label   string
			target  float64
			problem train.Problem
		}{{"resident, a call each", 1.1, called}, {"resident, one call", 0, f.resident()}} {
			t, err := s.train(f.name+", "+c.label, c.problem, s.steps(f.steps))
			if err != nil {
				return err
			}
			defer t.close()
			others = append(others, contender{c.label, c.target, t.round})
		}
		if _, err := s.compareWith(f.name+", fed", f.name, f.fed(), f.steps, others...); err != nil {
			return err
		}
	}
	return nil
}

// problem trains on the samples that of returns, [batch, width].
func (f feeding) problem(of func(in train.Inputs) *Node) train.Problem {
	seeds := []int64{1}
	network := net.MLP{In: f.width, Hidden: []int{f.hidden, f.hidden, f.hidden}, Out: outputs}
	return train.Problem{
		Seeds:  seeds,
		Params: network.Init(seeds),
		State:  []*tensors.Tensor{tensors.FromShape(shapes.Make(dtypes.Int32, 1))}, // the step
		Loss: func(in train.Inputs) (*Node, []*Node) {
			rows := network.Apply(in.Params, of(in))
			half := f.batch / 2
			part := func(from, to int) *Node { return Slice(rows, AxisRange(), AxisRange(from, to)) }
			batch := ommlx.Batch{F: part(0, half), TF: part(half, f.batch)}
			loss, _ := ommlx.OMM{Nesting: ommlx.Sequential}.Loss(batch.Shift(1), nil)
			return loss, []*Node{AddScalar(in.State[0], 1)}
		},
	}
}

// table returns rows×width numbers.
func (f feeding) table() []float32 {
	flat := make([]float32, f.rows*f.width)
	for i := range flat {
		flat[i] = float32(i%1000)/1000 - 0.5
	}
	return flat
}

func (f feeding) resident() train.Problem {
	p := f.problem(func(in train.Inputs) *Node {
		step := Reshape(in.State[0], 1)
		first := Mul(Rem(step, ConstAs(step, f.rows/f.batch)), ConstAs(step, f.batch))
		index := Add(Iota(step.Graph(), shapes.Make(dtypes.Int32, f.batch), 0), BroadcastToDims(first, f.batch))
		return Gather(in.Data[0], InsertAxes(index, -1), true)
	})
	p.Data = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(f.table(), f.rows, f.width)}
	return p
}

func (f feeding) fed() train.Problem {
	p := f.problem(func(in train.Inputs) *Node { return in.Fed[0] })
	table, size := f.table(), f.batch*f.width
	p.Feed = func(step int) ([]*tensors.Tensor, error) {
		first := step % (f.rows / f.batch) * size
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(table[first:first+size], f.batch, f.width)}, nil
	}
	return p
}
