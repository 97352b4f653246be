package learn

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"omm-go/ommlx"
	"omm-go/ommlx/jet"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/train"
)

// Kernel is the integral operator of a symmetric kernel on samples of a law ρ, (Tf)(x) = E_{y~ρ}[k(x, y) f(y)], whose k
// largest eigenvalues and eigenfunctions are learned. Of one that is not symmetric on the first 512 samples, but for
// rounding, the symmetric part is learned, and the diagnosis and [Learned.Advice] say so.
type Kernel struct {
	Samples mat.Matrix // N×D
	// K is the kernel: x [R, n, 1, D] and y [R, 1, n, D] to [R, n, n], a number for each pair of points.
	K func(x, y *graph.Node) *graph.Node
	// Functions are of the samples' coordinates; nil: a network of two layers on standardised coordinates.
	Functions Functions
}

// Pairs is the transition operator of a reversible process, (Tf)(x) = E[f(x')|x], of which pairs (x, x') are sampled in
// its stationary law. A pair counts in both directions, which makes T self-adjoint. Its k largest eigenvalues and
// eigenfunctions are learned.
//
// Tf is known by samples, f(x'), so residuals are not known, and are NaN. Values are fitted to the pairs that train,
// and mean nothing where those on pairs held out, [Run].HeldOut, are lower. [Learned.Advice] says so, and also where
// the pairs are not stationary or the process is not reversible, which are measured before anything is symmetrised.
//
// Since a pair counts in both directions, M[f,Tf] of a batch is M[f] less half the mean square of f(x) − f(x'), whose
// noise falls with 1 − λ. With Settings.Overlap 2 M[f] is from two more batches, see [ommlx.Differences]: that has less
// noise where eigenvalues are near 1, and more where they are small. With as many points evaluated, sin² of three
// functions was .22 and not .36 at eigenvalues .99, .98, .97, but .47 and not .40 at .5, .25, .125
// (BenchmarkDifferencesOfPairs). A [Graph] has exact moments, and no use for it.
type Pairs struct {
	From, To  mat.Matrix // x and x', N×D, a pair in each row
	Functions Functions  // as of [Kernel]; a net.Table where x and x' are numbers of states, with D = 1
	// HeldOut is the share of pairs that no step sees, in blocks of consecutive ones; 0: a tenth, of few pairs more, at
	// most a third; negative: none.
	HeldOut float64
}

const (
	networkRate   = 3e-3
	networkWidth  = 64
	radiusSamples = 512 // from which the spectral radius of a kernel is estimated
)

// Task scales the operator to a spectral radius of about 1.
func (o Kernel) Task(b compute.Backend, k int) (Task, error) {
	if err := o.check(); err != nil {
		return Task{}, err
	}
	n, _ := o.Samples.Dims()
	if err := enoughStates(n, k); err != nil {
		return Task{}, err
	}
	first := min(n, radiusSamples)
	gram, err := evaluated(b, []*tensors.Tensor{train.Table(o.Samples)}, func(in train.Inputs) *graph.Node {
		x := graph.InsertAxes(graph.Slice(in.Data[0], graph.AxisRange(0, first)), 0)
		return o.between(x, x)
	})
	if err != nil {
		return Task{}, err
	}
	for i := range first {
		for j := range first {
			if v := gram.At(i, j); !finite(v) {
				return Task{}, fmt.Errorf("the kernel of samples %d and %d is %v; all its values must be finite", i, j,
					v)
			}
		}
	}
	said := notSymmetric(gram.At, above(first), "the kernel of samples %d and %d is %.3g, but of %d and %d %.3g",
		"give (k(x, y) + k(y, x))/2")
	gram.Scale(1/float64(first), gram)
	radius := spectralRadius(first, times(gram))
	t := Task{Functions: orNetwork(o.Functions, o.Samples, k), Data: []*tensors.Tensor{train.Table(o.Samples)},
		Batch: 512, Steps: 5_000, Rate: networkRate, notSymmetric: said}
	t.Draw = func(in Inputs, batch int) ommlx.Batch {
		x := choose(in, n, batch)(in.Data[0])
		f := in.F(x)
		return ommlx.Batch{F: f, TF: graph.MulScalar(operator.Kernel(o.between(x, x), f), 1/radius)}
	}
	t.States = func(in Inputs, batch int) *graph.Node { return in.F(chooseApart(in, n, batch)(in.Data[0])) }
	t.Own = func(b ommlx.Batch) (f, tf *graph.Node) { return b.F, graph.MulScalar(b.TF, radius) }
	return t, nil
}

func (o Kernel) check() error {
	if o.K == nil {
		return errors.New("no kernel is given; set K")
	}
	if err := ofSamples.check(o.Samples, o.Functions); err != nil {
		return err
	}
	if n, _ := o.Samples.Dims(); n < 2 {
		return errors.New("a kernel is given one sample; give at least 2, for none is compared with itself")
	}
	return nil
}

// between is the kernel of points x [R, m, D] with points y [R, n, D], [R, m, n].
func (o Kernel) between(x, y *graph.Node) *graph.Node {
	gram := o.K(graph.InsertAxes(x, 2), graph.InsertAxes(y, 1))
	runs, m, n := x.Shape().Dim(0), x.Shape().Dim(1), y.Shape().Dim(1)
	if s := gram.Shape(); s.Rank() != 3 || s.Dim(0) != runs || s.Dim(1) != m || s.Dim(2) != n {
		panic(fmt.Errorf("the kernel returned shape %s for %d and %d points; it must be [%d, %d, %d], a number for "+
			"each pair", s, m, n, runs, m, n))
	}
	return gram
}

// Task symmetrises the pairs.
func (o Pairs) Task(_ compute.Backend, k int) (Task, error) {
	if err := o.check(); err != nil {
		return Task{}, err
	}
	// Fewer and larger steps do as well as many: four slow functions of 50,000 frames of a Langevin trajectory have
	// sin² .0024 from 2,000 steps at rate .01, .0024 from 5,000 at .003, .0045 from 2,000 at .003.
	t := Task{Functions: orNetwork(o.Functions, o.From, k), Noisy: true, byDifferences: true, premise: o.premises(),
		Batch: 1_024, Steps: 2_000, Rate: 1e-2}
	if _, ok := o.Functions.(net.Table); ok {
		t.Rate = tableRate
	}
	trained, apart := o.split()
	n, _ := trained.From.Dims()
	t.Data, t.heldOut = trained.tables(), apart
	t.Draw = func(in Inputs, batch int) ommlx.Batch {
		rows := choose(in, n, batch)
		ends := in.F(graph.Concatenate([]*graph.Node{rows(in.Data[0]), rows(in.Data[1])}, 1))
		half := ends.Shape().Dim(1) / 2
		from := graph.Slice(ends, graph.AxisRange(), graph.AxisRange(0, half))
		to := graph.Slice(ends, graph.AxisRange(), graph.AxisRange(half))
		return ommlx.Batch{F: ends, TF: graph.Concatenate([]*graph.Node{to, from}, 1)}
	}
	t.States = func(in Inputs, batch int) *graph.Node { // one end of each of so many pairs
		rows := chooseApart(in, n, batch)
		start, end := rows(in.Data[0]), rows(in.Data[1])
		coin := graph.BroadcastToShape(in.Random.IntN(2, batch, 1), start.Shape())
		return in.F(graph.Where(graph.Equal(coin, graph.ZerosLike(coin)), start, end))
	}
	return t, nil
}

func (o Pairs) check() error {
	if err := cmp.Or(ofStarts.check(o.From, o.Functions), ofEnds.check(o.To, o.Functions)); err != nil {
		return err
	}
	n, d := o.From.Dims()
	if m, e := o.To.Dims(); m != n || e != d {
		return fmt.Errorf("the starts of pairs are %d×%d but the ends %d×%d; give both of each", n, d, m, e)
	}
	if !(o.HeldOut < 1) {
		return fmt.Errorf("a share of %g of the pairs is to be held out; give less than 1, or 0 for a tenth", o.HeldOut)
	}
	return nil
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

// chooseApart is [choose] for M[f] apart from M[f,Tf]. It panics, as all graph building does, where batch is no fewer
// than n: both are exact then.
func chooseApart(in Inputs, n, batch int) func(table *graph.Node) *graph.Node {
	if batch >= n {
		panic(fmt.Errorf("M[f] is to come from batches of its own, but a batch of %d takes all %d samples, so that "+
			"moments are exact; leave Overlap 0, or give a smaller Batch", batch, n))
	}
	return choose(in, n, batch)
}

// orNetwork returns f or, where that is nil, the default network for such points.
func orNetwork(f Functions, samples mat.Matrix, k int) Functions {
	if f != nil {
		return f
	}
	_, d := samples.Dims()
	s := standardised{MLP: net.MLP{In: d, Hidden: []int{networkWidth, networkWidth}, Out: k}}
	for j := range d {
		mean, deviation := stat.PopMeanStdDev(mat.Col(nil, j, samples), nil)
		if deviation == 0 {
			deviation = 1 // a coordinate that is always the same
		}
		s.mean, s.scale = append(s.mean, mean), append(s.scale, 1/deviation)
	}
	return s
}

// standardised is a network of (x − mean)·scale.
type standardised struct {
	net.MLP
	mean, scale []float64 // D each
}

func (s standardised) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	if d := x.Shape().Dim(-1); d != len(s.mean) {
		panic(fmt.Errorf("functions of %d coordinates are asked for at points of shape %s", len(s.mean), x.Shape()))
	}
	return s.MLP.Apply(params, jet.Standardise(jet.Inputs(x), s.mean, s.scale).Value)
}
