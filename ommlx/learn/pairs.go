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

// Pairs is the transition operator of a reversible process, (Tf)(x) = E[f(x')|x], given by pairs (x, x') sampled from
// its stationary law. [Learn] finds the k largest eigenvalues. Each pair counts in both directions.
//
// Residuals are NaN because Tf is known only by samples f(x'). Values are fitted to the training pairs and are
// meaningless if the values on held-out pairs, [Run].HeldOut, are lower. [Learned.Advice] reports that, as well as
// pairs that are not stationary and processes that are not reversible.
//
// M[f,Tf] of a batch is M[f] minus half the mean square of f(x) − f(x'), whose noise falls with 1 − λ. With
// Settings.Overlap = 2, M[f] comes from two extra batches (see [ommlx.Differences]), which reduces the noise if
// eigenvalues are near 1 and increases it if they are small. At equal cost, sin² of three functions fell from .36 to
// .22 at eigenvalues .99, .98, .97, but rose from .40 to .47 at .5, .25, .125 (BenchmarkDifferencesOfPairs).
type Pairs struct {
	From, To  mat.Matrix    // x and x', N×D, one pair per row
	Functions net.Functions // as in [Kernel]; a net.Table if x and x' are state numbers, with D = 1
	// HeldOut is the fraction of pairs excluded from training, in blocks of consecutive pairs; 0: a tenth, and up to a
	// third of a small sample; negative: none.
	HeldOut float64
}

// Trajectories makes pairs of states that are lag frames apart, x' = x(t + lag), from one or more trajectories. A
// trajectory is T×D, one frame per row. No pair spans two trajectories, and blocks of consecutive frames are held out.
func Trajectories(lag int, x ...mat.Matrix) (Pairs, error) {
	if lag < 1 || len(x) == 0 {
		return Pairs{}, fmt.Errorf("trajectories: got %d with a lag of %d frames, want at least 1 of each", len(x), lag)
	}
	var from, to []float64
	var d int
	for i, trajectory := range x {
		if trajectory == nil {
			return Pairs{}, fmt.Errorf("trajectories: x[%d] is nil", i)
		}
		frames, columns := trajectory.Dims()
		if i == 0 {
			d = columns
		}
		if frames <= lag || columns != d {
			return Pairs{}, fmt.Errorf("trajectories: x[%d] is %d×%d, want more than %d frames (the lag) of %d "+
				"coordinates", i, frames, columns, lag, d)
		}
		for t := range frames - lag {
			from, to = append(from, mat.Row(nil, t, trajectory)...), append(to, mat.Row(nil, t+lag, trajectory)...)
		}
	}
	return pairsOf(d, from, to), nil
}

// pairsOf makes pairs from flat rows of d coordinates.
func pairsOf(d int, from, to []float64) Pairs {
	return Pairs{From: mat.NewDense(len(from)/d, d, from), To: mat.NewDense(len(to)/d, d, to)}
}

// Task checks the pairs and counts each in both directions.
func (o Pairs) Task(_ compute.Backend, k int) (Task, error) {
	t, err := o.task(k)
	if err == nil {
		t.Premise = o.premises()
	}
	return t, err
}

// task is Task without the check of premises.
func (o Pairs) task(k int) (Task, error) {
	if err := o.check(); err != nil {
		return Task{}, err
	}
	// A few large steps are as good as many small ones: four slow functions of 50,000 frames of a Langevin trajectory
	// have sin² .0024 after 2,000 steps at rate .01, .0024 after 5,000 at .003, and .0045 after 2,000 at .003.
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
		return fmt.Errorf("pairs: From is %d×%d and To is %d×%d, want equal shapes", n, d, m, e)
	}
	if !(o.HeldOut < 1) {
		return fmt.Errorf("pairs: HeldOut is %g, want less than 1", o.HeldOut)
	}
	return nil
}

const (
	heldOutShare = 0.1
	heldOutLeast = 50 // pairs, up to a third of them
	// heldOutBlocks of consecutive pairs are held out or trained on: enough for both parts to cover the data, and few
	// enough that most pairs of a trajectory are in the same part as their neighbours.
	heldOutBlocks = 100
)

// split separates the training pairs from the held-out pairs.
func (o Pairs) split() (trained, heldOut Pairs) {
	n, d := o.From.Dims()
	share := o.HeldOut
	if share == 0 {
		share = max(heldOutShare, min(1./3, heldOutLeast/float64(n)))
	}
	size := max(1, n/heldOutBlocks)
	var from, to [2][]float64 // training, held out
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

// tables returns both ends of the pairs, or nil without pairs.
func (o Pairs) tables() []*tensors.Tensor {
	if o.From == nil {
		return nil
	}
	return []*tensors.Tensor{train.Table(o.From), train.Table(o.To)}
}

// choose draws batch of n rows with replacement, or all in order if batch ≥ n. The function that it returns gathers
// them from a table [n, D]: [R, batch, D].
func choose(in Inputs, n, batch int) func(table *graph.Node) *graph.Node {
	if batch >= n {
		return func(table *graph.Node) *graph.Node { return graph.BroadcastPrefix(table, in.Params[0].Shape().Dim(0)) }
	}
	index := graph.InsertAxes(in.Random.IntN(n, batch), -1)
	return func(table *graph.Node) *graph.Node { return graph.Gather(table, index) }
}

// chooseApart is [choose] for the samples of M[f] that are independent of M[f,Tf]. It panics if batch ≥ n, when both
// moments are exact.
func chooseApart(in Inputs, n, batch int) func(table *graph.Node) *graph.Node {
	if batch >= n {
		panic(fmt.Errorf("Overlap is set, but a batch of %d takes all %d samples: set it to 0, or use a smaller Batch",
			batch, n))
	}
	return choose(in, n, batch)
}
