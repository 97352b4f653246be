package learn

import (
	"cmp"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// Pairs is the transition operator of a reversible process, (Tf)(x) = E[f(x')|x], given by pairs (x, x') sampled in its
// stationary law. A pair counts in both directions, which makes T self-adjoint. Its k largest eigenvalues and
// eigenfunctions are learned.
//
// Tf is known by samples, f(x'), so residuals are unknown, and are NaN. Values are fitted to the training pairs, and
// mean nothing where those on held-out pairs, [Run].HeldOut, are lower. [Learned.Advice] reports it, and also where the
// pairs are not stationary or the process is not reversible, which are measured before anything is symmetrised.
//
// Since a pair counts in both directions, M[f,Tf] of a batch is M[f] less half the mean square of f(x) − f(x'), whose
// noise falls with 1 − λ. With Settings.Overlap 2 M[f] is from two more batches, see [ommlx.Differences]: they have
// less noise where eigenvalues are near 1, and more where they are small. With as many points evaluated, sin² of three
// functions was .22 and not .36 at eigenvalues .99, .98, .97, but .47 and not .40 at .5, .25, .125
// (BenchmarkDifferencesOfPairs). A [Graph] has exact moments, and no use for it.
type Pairs struct {
	From, To  mat.Matrix    // x and x', N×D, a pair in each row
	Functions net.Functions // as of [Kernel]; a net.Table where x and x' are numbers of states, with D = 1
	// HeldOut is the share of pairs that no step sees, in blocks of consecutive ones; 0: a tenth, of few pairs more, at
	// most a third; negative: none.
	HeldOut float64
}

// Trajectories makes pairs of states that are lag frames apart, x' = x(t + lag), of one or several trajectories. A
// trajectory is T×D, one frame in each row. No pair reaches from one trajectory into another, and blocks of consecutive
// frames are held out.
func Trajectories(lag int, x ...mat.Matrix) (Pairs, error) {
	if lag < 1 || len(x) == 0 {
		return Pairs{}, fmt.Errorf("trajectories: %d of them with a lag of %d frames; both must be at least 1", len(x),
			lag)
	}
	var from, to []float64
	var d int
	for i, trajectory := range x {
		if trajectory == nil {
			return Pairs{}, fmt.Errorf("trajectories: trajectory %d is nil", i)
		}
		frames, columns := trajectory.Dims()
		if i == 0 {
			d = columns
		}
		if frames <= lag || columns != d {
			return Pairs{}, fmt.Errorf("trajectories: trajectory %d is %d×%d; all need more frames than the lag of "+
				"%d, and %d coordinates", i, frames, columns, lag, d)
		}
		for t := range frames - lag {
			from, to = append(from, mat.Row(nil, t, trajectory)...), append(to, mat.Row(nil, t+lag, trajectory)...)
		}
	}
	return pairsOf(d, from, to), nil
}

// pairsOf are pairs of D coordinates, row by row.
func pairsOf(d int, from, to []float64) Pairs {
	return Pairs{From: mat.NewDense(len(from)/d, d, from), To: mat.NewDense(len(to)/d, d, to)}
}

// Task symmetrises the pairs.
func (o Pairs) Task(_ compute.Backend, k int) (Task, error) {
	t, err := o.task(k)
	if err == nil {
		t.Premise = o.premises()
	}
	return t, err
}

// task is Task without its premises.
func (o Pairs) task(k int) (Task, error) {
	if err := o.check(); err != nil {
		return Task{}, err
	}
	// Fewer and larger steps do as well as many: four slow functions of 50,000 frames of a Langevin trajectory have
	// sin² .0024 from 2,000 steps at rate .01, .0024 from 5,000 at .003, .0045 from 2,000 at .003.
	t := Task{Functions: orNetwork(o.Functions, o.From, k), Noisy: true, Differences: true, Batch: 1_024, Steps: 2_000,
		Rate: 1e-2}
	if isDiscrete(o.Functions) {
		t.Rate = tableRate
	}
	trained, apart := o.split()
	n, _ := trained.From.Dims()
	t.Data, t.HeldOut = trained.tables(), apart
	t.Draw = func(in Inputs, batch int) ommlx.Batch {
		rows := choose(in, n, batch)
		ends := in.F(graph.Concatenate([]*graph.Node{rows(in.Data[0]), rows(in.Data[1])}, 1))
		half := ends.Shape().Dim(1) / 2
		from := graph.Slice(ends, graph.AxisRange(), graph.AxisRange(0, half))
		to := graph.Slice(ends, graph.AxisRange(), graph.AxisRange(half))
		return ommlx.Batch{F: ends, TF: graph.Concatenate([]*graph.Node{to, from}, 1)}
	}
	t.States = func(in Inputs, batch int) *graph.Node { // one end of each pair
		rows := chooseApart(in, n, batch)
		start, end := rows(in.Data[0]), rows(in.Data[1])
		coin := graph.BroadcastToShape(in.Random.IntN(2, batch, 1), start.Shape())
		return in.F(graph.Where(graph.Equal(coin, graph.ZerosLike(coin)), start, end))
	}
	return t, nil
}

func (o Pairs) check() error {
	if err := cmp.Or(check("pairs: From", o.From, o.Functions), check("pairs: To", o.To, o.Functions)); err != nil {
		return err
	}
	n, d := o.From.Dims()
	if m, e := o.To.Dims(); m != n || e != d {
		return fmt.Errorf("pairs: From is %d×%d, To is %d×%d", n, d, m, e)
	}
	if !(o.HeldOut < 1) {
		return fmt.Errorf("pairs: HeldOut is %g; give a share below 1, or 0 for a tenth", o.HeldOut)
	}
	return nil
}

const (
	heldOutShare = 0.1
	// heldOutBlocks is the number of blocks of consecutive pairs that are held out or trained on as a whole: enough for
	// both parts to cover the data, and few enough that pairs of a trajectory have most of their neighbours in their
	// part.
	heldOutBlocks = 100
	// heldOutLeast pairs are held out of few ones, up to a third of them.
	heldOutLeast = 50
)

// split divides pairs into those that train and those that are held out.
func (o Pairs) split() (trained, heldOut Pairs) {
	n, d := o.From.Dims()
	share := o.HeldOut
	if share == 0 {
		share = max(heldOutShare, min(1./3, heldOutLeast/float64(n)))
	}
	size := max(1, n/heldOutBlocks)
	var from, to [2][]float64 // of pairs that train and of those that are held out
	for i := range n {
		block, part := float64(i/size), 0
		if share > 0 && math.Floor((block+1)*share+1e-9) > math.Floor(block*share+1e-9) {
			part = 1
		}
		from[part] = append(from[part], mat.Row(nil, i, o.From)...)
		to[part] = append(to[part], mat.Row(nil, i, o.To)...)
	}
	if from[1] == nil {
		return o, Pairs{}
	}
	return pairsOf(d, from[0], to[0]), pairsOf(d, from[1], to[1])
}

// tables are both ends of the pairs; nil without pairs.
func (o Pairs) tables() []*tensors.Tensor {
	if o.From == nil {
		return nil
	}
	return []*tensors.Tensor{train.Table(o.From), train.Table(o.To)}
}

// choose draws batch rows out of n, with replacement, or takes all in order where batch is no fewer. The function that
// it returns picks them from a table [n, D]: [R, batch, D].
func choose(in Inputs, n, batch int) func(table *graph.Node) *graph.Node {
	if batch >= n {
		return func(table *graph.Node) *graph.Node { return graph.BroadcastPrefix(table, in.Params[0].Shape().Dim(0)) }
	}
	index := graph.InsertAxes(in.Random.IntN(n, batch), -1)
	return func(table *graph.Node) *graph.Node { return graph.Gather(table, index) }
}

// chooseApart is [choose] for M[f] apart from M[f,Tf]. It panics where batch is no fewer than n: both are exact then.
func chooseApart(in Inputs, n, batch int) func(table *graph.Node) *graph.Node {
	if batch >= n {
		panic(fmt.Errorf("Overlap is set, but a batch of %d takes all %d samples, so moments are exact; leave it 0, "+
			"or give a smaller Batch", batch, n))
	}
	return choose(in, n, batch)
}
