package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/learn/inspect"
	"omm-go/ommlx/net"
	"omm-go/ommlx/train"
)

// Pairs is the transition operator of a reversible process, (Tf)(x) = E[f(x')|x], given by pairs (x, x') sampled from
// its stationary law. [Learn] finds the k largest eigenvalues, 1 first; their functions are slow. An eigenvalue near
// −1, of a function that changes sign at every step, comes last; with twice the lag it is squared, and [Joint] finds
// its absolute value. Each pair counts in both directions.
//
// Residuals are NaN because Tf is known only by samples f(x'). Values are fitted to the training pairs and are
// meaningless if the values on held-out pairs, [Run].HeldOut, are lower. [Learned.Advice] reports that, as well as
// pairs that are not stationary, processes that are not reversible, and values that [Pairs.EDMD] or a function of
// labels of states exceeds. The default network has two more functions, which are dropped after the training.
//
// With OMM, M[f] of one half of a batch is multiplied by M[f,Tf] of the other half, so loss and gradient are unbiased,
// unless a batch has all pairs. The bias of one batch, of order 1/Batch, matters if 1 − λ is as small. Settings.Overlap
// = 2 takes differences, M[f,Tf] = M[f] − ½E[(f(x) − f(x'))²] with M[f] from two extra batches ([ommlx.Differences]).
// All forms have the same mean, the symmetric part of M[f,Tf], also for processes that are not reversible;
// [ommlx.HalvedLoss] compares them.
type Pairs struct {
	From, To  mat.Matrix    // x and x', N×D, one pair per row
	Functions net.Functions // as in [Kernel]; a net.Table if x and x' are state numbers, with D = 1
	// Weights of the pairs, 0 or more, to any scale; nil: equal. Moments, values and errors refer to the weighted
	// pairs, for example of an ensemble that is reweighted to its stationary law.
	Weights []float64
	// HeldOut is the fraction of pairs excluded from training, in blocks of consecutive pairs drawn at random, the same
	// in every run; 0: a tenth, and up to a third of a small sample; or None.
	HeldOut float64

	made   path  // by [Trajectories] or, if the caller cut them, by [Pairs.followed]
	blocks []int // of each pair if they are held out; see [spectral.ScorePairs]
}

// Define checks the pairs and counts each in both directions.
func (o Pairs) Define(_ compute.Backend, k int) (Task, error) {
	if err := o.check(); err != nil {
		return Task{}, err
	}
	if err := enoughStates("pairs: From and To", k, o.From, o.To); err != nil {
		return Task{}, err
	}
	o.made = o.followed()
	t := o.task(k)
	t.examinePairs(o, o.Functions)
	return t, nil
}

// task is Define without checks.
func (o Pairs) task(k int) Task {
	// A few large steps are as good as many small ones: four slow functions of 50,000 frames of a Langevin trajectory
	// have sin² .0024 after 2,000 steps at rate .01, .0024 after 5,000 at .003, and .0045 after 2,000 at .003.
	t := Task{Noisy: true, defaults: Settings{Batch: 1_024, Steps: 2_000, Rate: 1e-2}}
	t.Functions, t.spare = orNetwork(o.Functions, o.From, k, spareFunctions)
	if o.Functions = t.Functions; net.IsDiscrete(o.Functions) {
		t.defaults.Rate = tableRate
	}
	trained, heldOut := o.split()
	n, _ := trained.From.Dims()
	t.pairs, t.HeldOut, t.rows = o, heldOut, n
	t.Data = []*tensors.Tensor{inputs(o.Functions, trained.From), inputs(o.Functions, trained.To)}
	if trained.Weights != nil {
		ones := mat.NewDense(n, 1, slices.Repeat([]float64{1}, n))
		t.Data = append(t.Data, train.Table(trained.weigh(ones)))
	}
	functions := func(in Inputs, rows func(*graph.Node) *graph.Node, ends ...*graph.Node) *graph.Node { // times √w
		f := in.F(graph.Concatenate(ends, 1))
		if trained.Weights == nil {
			return f
		}
		root := graph.Concatenate(slices.Repeat([]*graph.Node{rows(in.Data[2])}, len(ends)), 1)
		return graph.Mul(f, graph.BroadcastToShape(root, f.Shape()))
	}
	t.Draw = func(in Inputs, batch int) ommlx.Batch {
		rows := choose(in, n, batch)
		ends := functions(in, rows, rows(in.Data[0]), rows(in.Data[1]))
		count := ends.Shape().Dim(1) / 2
		from := graph.Slice(ends, graph.AxisRange(), graph.AxisRange(0, count))
		to := graph.Slice(ends, graph.AxisRange(), graph.AxisRange(count))
		return ommlx.Batch{F: ends, TF: graph.Concatenate([]*graph.Node{to, from}, 1)}
	}
	t.States = func(in Inputs, batch int) *graph.Node { // one end of each pair
		rows := choose(in, n, batch)
		start, end := rows(in.Data[0]), rows(in.Data[1])
		coin := graph.BroadcastToShape(in.Random.IntN(2, batch, 1), start.Shape())
		return functions(in, rows, graph.Where(graph.Equal(coin, graph.ZerosLike(coin)), start, end))
	}
	return t
}

func (o Pairs) check() error {
	if err := cmp.Or(check("pairs: From", o.From, o.Functions), check("pairs: To", o.To, o.Functions),
		tiny("pairs: From", o.From)); err != nil {
		return cmp.Or(o.made.check(o.Functions), err)
	}
	n, d := o.From.Dims()
	m, e := o.To.Dims()
	bad := slices.IndexFunc(o.Weights, func(w float64) bool { return !(w >= 0) || math.IsInf(w, 0) })
	switch {
	case m != n || e != d:
		return fmt.Errorf("pairs: From is %d×%d and To is %d×%d, want equal shapes", n, d, m, e)
	case o.HeldOut != None && !(o.HeldOut >= 0 && o.HeldOut < 1):
		return fmt.Errorf("pairs: HeldOut is %g, want None or a fraction, at least 0 and less than 1", o.HeldOut)
	case o.Weights != nil && len(o.Weights) != n:
		return fmt.Errorf("pairs: Weights has %d entries, want %d, one per pair", len(o.Weights), n)
	case bad >= 0:
		return fmt.Errorf("pairs: weight of pair %d is %v, want finite and at least 0", bad, o.Weights[bad])
	case o.Weights != nil && floats.Sum(o.Weights) == 0:
		return errors.New("pairs: Weights are all 0, want some positive")
	}
	return nil
}

// examinePairs adds what the pairs violate of their assumptions, for functions that the caller gave, or nil.
func (t *Task) examinePairs(o Pairs, f net.Functions) {
	t.remarks, t.remedy = []string{strings.Join(o.made.said, "; "), o.tooFew()}, o.tooFew()
	t.examine(o.From, f, o.made.where)
	changing, others := inspect.Pairs{From: o.From, To: o.To, Weights: o.Weights, States: net.IsDiscrete(f),
		Lag: o.made.lag, Parts: o.made.parts}.Remarks()
	t.changing, t.remarks = changing != "", append(append(t.remarks, changing), others...)
}

// tooFew remarks on pairs that are not more than their coordinates. Weights count as (Σw)²/Σw² pairs.
func (o Pairs) tooFew() string {
	n, d := o.From.Dims()
	if n = int(math.Round(linalg.EffectiveCount(n, o.Weights))); n > d {
		return ""
	}
	return fmt.Sprintf("a linear function fits any values on %s of %s; use more pairs or fewer coordinates, or check "+
		"that frames are rows", say.Count(n, "pair"), say.Count(d, "coordinate"))
}

// enoughStates returns an error if the rows of tables are all equal or fewer than k of them differ.
func enoughStates(what string, k int, tables ...mat.Matrix) error {
	states := map[string]bool{}
	for _, x := range tables {
		n, _ := x.Dims()
		for p := 0; p < n && len(states) < max(2, k); p++ {
			states[fmt.Sprint(mat.Row(nil, p, x))] = true
		}
	}
	switch count := len(states); {
	case count < 2:
		return fmt.Errorf("%s are the same state in all rows, so every function is constant", what)
	case count < k:
		return fmt.Errorf("%s have only %d distinct states, want k = %d: learn at most %d functions", what, count, k,
			count)
	}
	return nil
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
