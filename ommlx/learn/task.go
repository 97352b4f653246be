package learn

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// Operator is a linear operator that [Learn] can decompose. Its Define method returns the training of k eigenfunctions
// and may compute on the backend.
type Operator interface {
	Define(b compute.Backend, k int) (Task, error)
}

// Task is an [Operator] of your own: k functions, and a function that draws samples and applies the operator to them.
// Only Functions and Draw are required. The other operators of this package make a Task from their data.
//
// This one is the mean of f at two neighbours on a circle, (Tf)(φ) = (f(φ − ½) + f(φ + ½))/2:
//
//	const k = 3
//	mean := learn.Task{
//		Functions: net.MLP{In: 2, Hidden: []int{32, 32}, Out: k}, // of (cos φ, sin φ)
//		Draw: func(in learn.Inputs, n int) ommlx.Batch {
//			angle := graph.MulScalar(in.Random.Uniform(in.Params[0].DType(), n, 1), 2*math.Pi)
//			at := func(turn float64) *graph.Node {
//				moved := graph.AddScalar(angle, turn)
//				return in.F(graph.Concatenate([]*graph.Node{graph.Cos(moved), graph.Sin(moved)}, -1))
//			}
//			return ommlx.Batch{F: at(0), TF: graph.DivScalar(graph.Add(at(-0.5), at(0.5)), 2)}
//		},
//	}
//	learned, err := learn.Learn(ctx, mean, k, learn.Settings{Batch: 128, Steps: 600})
//	if err != nil {
//		return err
//	}
//	fmt.Printf("%.2f\n", learned.Values) // [1.00 0.88 0.88]
//
// For samples of another law than ρ, with weights w = dρ/dlaw, multiply F and TF by √w.
type Task struct {
	Functions net.Functions
	// Draw draws n samples for every run and returns f and Tf there, [R, n, k]. It builds a graph, once for training
	// and once for evaluation, under the rules of a [train.LossFunc]. T should have a spectral radius of about 1.
	Draw func(in Inputs, n int) ommlx.Batch
	Data []*tensors.Tensor // tables that Draw reads, of any shape; may be empty
	// States draws n independent states from the law of the samples and returns f there, [R, n, k], for
	// [Settings].Overlap. It is nil if moments are exact or M[f] must come from the samples of M[f,Tf].
	States func(in Inputs, n int) *graph.Node
	// Own undoes scaling, shift and inversion: it turns a batch into functions and the original operator applied to
	// them. nil: F and TF are already unscaled.
	Own     func(b ommlx.Batch) (f, tf *graph.Node)
	Noisy   bool   // Tf is sampled, so residuals are unknown
	HeldOut Pairs  // pairs (x, x') on which Draw does not train, if T is known by pairs; see [Run].HeldOut
	Key     string // identifies in checkpoints what Draw applies besides Data; see [Settings].Options

	defaults Settings // its Objective, Shift, Batch, Steps, Rate and EvalBatch replace zero settings
	spare    int      // extra functions, k' = k + spare, trained and then dropped, since the last are least accurate
	volume   float64  // the integral of 1: functions are normalised to ∫f² = 1. 0: 1, the law of samples
	lowest   bool     // learns the lowest eigenvalues of the original operator, not the largest; not with apply
	negative bool     // only negative eigenvalues are of bound states, since the continuous spectrum begins at 0
	// gap estimates the distance from the lowest energy to the rest of the spectrum, if only that is learned; nil:
	// unknown.
	gap    func(energy float64) float64
	radius float64 // the spectral radius of the original operator, estimated; 0: unknown

	rows int // of Data from which Draw takes samples; a batch has at most all of them. 0: any number
	// apply multiplies a vector of values at all rows by the original operator, on the host, if a batch of all rows has
	// the exact moments. Bounds are then proved. nil: unknown.
	apply func(dst, src []float64)
	// work is how many numbers a step of one run touches if every batch has all rows. If they are few, the engine is
	// pure Go; with apply and no Steps, the training ends as soon as the residuals are below the gaps. 0: many.
	work int

	// pairs are (x, x'), if T is known by these. Draw then returns F at both ends of n pairs, starts before ends, and
	// TF with ends before starts.
	pairs Pairs
	// side converts points x (side 0) or y (side 1) to inputs of the functions; nil: the functions have no sides.
	side func(points mat.Matrix, side int) (mat.Matrix, error)
	// scales describe a potential in a box; the zero value: there is no box.
	scales schrodinger.Scales

	changing bool // a remark says that the process is not stationary, which explains symptoms of its pairs
	// For [Learned.Advice]: remarks on the data, evidence that T is not self-adjoint, what to do if every run diverges,
	// and what to do about large residuals instead of more steps.
	remarks                       []string
	notSymmetric, remedy, improve string
}

// Inputs are the arguments of a Task's graph-building functions.
type Inputs struct {
	train.Inputs
	// F evaluates the functions at points x [R, n, D]: [R, n, k'].
	F func(x *graph.Node) *graph.Node
}

// Define returns t itself.
func (t Task) Define(compute.Backend, int) (Task, error) { return t, nil }

func (t Task) validate() error {
	switch {
	case t.Functions == nil:
		return errors.New("task: Functions is nil, want a net.Table, a net.MLP or another network")
	case t.Draw == nil:
		return errors.New("task: Draw is nil, want a function that applies the operator")
	case (t.HeldOut.From == nil) != (t.HeldOut.To == nil):
		return errors.New("task: HeldOut has only one end, want From and To")
	}
	return net.Validate(t.Functions)
}

// inputs binds the functions to the parameters.
func (t Task) inputs(in train.Inputs) Inputs {
	return Inputs{Inputs: in, F: func(x *graph.Node) *graph.Node { return t.Functions.Apply(in.Params, x) }}
}

// draw returns a batch of the operator. It panics unless the batch holds k functions for each run.
func (t Task) draw(in train.Inputs, n, runs, k int) ommlx.Batch {
	b := t.Draw(t.inputs(in), n)
	if b.F == nil || b.TF == nil {
		panic(errors.New("Draw returned a batch without F or TF"))
	}
	switch f, tf := b.F.Shape(), b.TF.Shape(); {
	case f.Rank() != 3 || f.Dim(0) != runs || !f.Equal(tf):
		panic(fmt.Errorf("Draw: F is %s and TF is %s, want [%d samples functions] for both", f, tf, runs))
	case f.Dim(2) != k && t.spare > 0:
		panic(fmt.Errorf("Functions has %d outputs, want %d, k and %d spare ones", f.Dim(2), k, t.spare))
	case f.Dim(2) != k:
		panic(fmt.Errorf("Functions has %d outputs, want k = %d", f.Dim(2), k))
	}
	return b
}

// problem expresses the training in terms of package train.
func (l *Learned) problem() train.Problem {
	t, s, objective := l.Task, l.settings, l.settings.Objective
	if s.Shift != 0 {
		objective = ommlx.Shifted{Objective: objective, Kappa: s.Shift}
	}
	traits := ommlx.TraitsOf(objective)
	differences := t.pairs.From != nil && s.Overlap == 2 && !traits.Differences
	reversible := t.pairs.From != nil && t.side == nil
	halved := traits.Bilinear && reversible && s.Overlap == 0 && s.Batch > 1 && s.Batch < t.rows
	return train.Problem{Seeds: s.Seeds, Params: t.Functions.Init(s.Seeds), Data: t.Data,
		State: objective.InitState(len(s.Seeds), l.k+t.spare),
		Loss: func(in train.Inputs) (*graph.Node, []*graph.Node) {
			b := t.draw(in, s.Batch, len(s.Seeds), l.k+t.spare)
			for range max(0, s.Overlap) {
				b.Overlap = append(b.Overlap, t.States(t.inputs(in), s.Batch))
			}
			switch {
			case differences:
				b = ommlx.Differences(b.F, b.TF, b.Overlap...)
			case halved:
				return ommlx.HalvedLoss(objective, b, in.State)
			}
			return objective.Loss(b, in.State)
		}}
}
