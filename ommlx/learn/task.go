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
	"omm-go/ommlx/train"
)

// Operator makes the Task by which k of its eigenfunctions are learned. It may compute on the backend.
type Operator interface {
	Task(b compute.Backend, k int) (Task, error)
}

// Task is k functions, and an operator as one function that draws samples and applies it. A Task is an [Operator]; all
// operators of this package are made of these fields. Only Functions and Draw are required.
type Task struct {
	Functions net.Functions
	// Draw draws n samples of every run and returns f and Tf there, [R, n, k']. It builds a graph, in the body of a
	// device loop and again to judge, under the rules of a [train.LossFunc].
	Draw func(in Inputs, n int) ommlx.Batch
	Data []*tensors.Tensor // tables that Draw reads, of any shape; may be empty
	// States draws n states of the law of the samples, independent of everything drawn before, and returns f there,
	// [R, n, k'], for [Settings].Overlap. nil: moments are exact, or M[f] has to come from the samples of M[f,Tf].
	States func(in Inputs, n int) *graph.Node
	// Own turns a batch into functions and the operator applied to them with the eigenvalues of the original
	// operator, by undoing scaling, shift and inversion. nil: F and TF already are.
	Own         func(b ommlx.Batch) (f, tf *graph.Node)
	Spare       int     // functions that are trained beyond the k that are asked for: k' = k + Spare
	Lowest      bool    // the lowest eigenvalues of the original operator are learned, not the largest
	Noisy       bool    // Tf is sampled, so residuals are unknown
	Differences bool    // the rows of TF are F at the other end of a pair; see [ommlx.Differences]
	Volume      float64 // the integral of 1: functions are normalised to ∫f² = 1. 0: 1, the law of samples

	// Objective, Batch, Steps, Rate and Judge are defaults of [Settings].
	Objective    ommlx.Objective
	Batch, Steps int
	Rate         float64
	Judge        int
	Work         int // numbers that a step of one run touches; if they are few, the pure-Go engine is chosen. 0: many

	HeldOut Pairs // pairs that no step sees, to judge by; may be empty
	// Border draws n samples of a box and returns the functions there in the units of the original operator,
	// [R, n, k'], and a number that is positive at the border, [R, n, 1]. nil: there is no box.
	Border func(in Inputs, n int) (f, at *graph.Node)
	// Side turns points of x (side 0) or y (side 1) into points of the functions, for [Learned.Left] and
	// [Learned.Right]. nil: the functions have no sides.
	Side func(points mat.Matrix, side int) (mat.Matrix, error)

	First        float64 // the first eigenvalue, where it is known; 0: it is not
	Premise      string  // what is wrong with the data, for [Learned.Advice]; empty: nothing
	NotSymmetric string  // how the operator is known not to be self-adjoint, as in [spectral.Diagnosis]
	Remedy       string  // what to do where every run diverges
}

// Inputs is what a Task sees in a graph.
type Inputs struct {
	train.Inputs
	// F evaluates the functions at points x [R, n, D]: [R, n, k'].
	F func(x *graph.Node) *graph.Node
}

// Task returns t itself.
func (t Task) Task(compute.Backend, int) (Task, error) { return t, nil }

func (t Task) validate() error {
	switch {
	case t.Functions == nil:
		return errors.New("the task has no Functions; give a net.Table, a net.MLP or another network")
	case t.Draw == nil:
		return errors.New("the task has no Draw, which applies the operator")
	case t.Spare < 0 || t.Volume < 0:
		return fmt.Errorf("the task has Spare %d and Volume %g; they cannot be negative", t.Spare, t.Volume)
	}
	if v, ok := t.Functions.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// inputs binds the functions to the parameters.
func (t Task) inputs(in train.Inputs) Inputs {
	return Inputs{Inputs: in, F: func(x *graph.Node) *graph.Node { return t.Functions.Apply(in.Params, x) }}
}

// draw returns a batch of the operator. It panics where the batch does not hold k functions of each run.
func (t Task) draw(in train.Inputs, n, runs, k int) ommlx.Batch {
	b := t.Draw(t.inputs(in), n)
	if b.F == nil || b.TF == nil {
		panic(errors.New("Draw returned no F or no TF"))
	}
	switch f, tf := b.F.Shape(), b.TF.Shape(); {
	case f.Rank() != 3 || f.Dim(0) != runs || !f.Equal(tf):
		panic(fmt.Errorf("Draw returned F of shape %s and TF of shape %s; both must be [%d, samples, functions]", f,
			tf, runs))
	case f.Dim(2) != k:
		panic(fmt.Errorf("Functions has %d outputs, want k = %d", f.Dim(2), k))
	}
	return b
}

// problem is the training in terms of package train.
func (l *Learned) problem() train.Problem {
	t, s, objective := l.Task, l.settings, l.settings.Objective
	if s.Shift != 0 {
		objective = ommlx.Shifted{Objective: objective, Kappa: s.Shift}
	}
	params := t.Functions.Init(s.Seeds)
	if s.Start != nil {
		params = s.Start.Result.Best()
	}
	_, allo := s.Objective.(ommlx.ALLO) // takes differences itself
	differences := t.Differences && s.Overlap == 2 && !allo
	return train.Problem{Seeds: s.Seeds, Params: params, Data: t.Data,
		State: objective.InitState(len(s.Seeds), l.k+t.Spare),
		Loss: func(in train.Inputs) (*graph.Node, []*graph.Node) {
			b := t.draw(in, s.Batch, len(s.Seeds), l.k+t.Spare)
			for range s.Overlap {
				b.Overlap = append(b.Overlap, t.States(t.inputs(in), s.Batch))
			}
			in.Watch("F", b.F)
			in.Watch("TF", b.TF)
			if differences {
				b = ommlx.Differences(b.F, b.TF, b.Overlap...)
			}
			return objective.Loss(b, in.State)
		}}
}

// evaluated returns a value that needs no parameters, [1, n, m], in the stream of the first run.
func evaluated(b compute.Backend, data []*tensors.Tensor, value func(in train.Inputs) *graph.Node) (*mat.Dense, error) {
	none := train.Snapshot{Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{0}, 1)}}
	out, err := train.Problem{Seeds: []int64{1}, Data: data}.Evaluate(b, none, func(in train.Inputs) []*graph.Node {
		return []*graph.Node{value(in)}
	})
	if err != nil {
		return nil, err
	}
	return out[0][0], nil
}
