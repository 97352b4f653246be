package learn

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/train"
)

// Task is what is learned: k functions, and the operator as one function that draws samples and applies it. It is an
// [Operator] itself, so that an operator of one's own is a Task.
type Task struct {
	Functions Functions
	Data      []*tensors.Tensor // tables that Draw reads, of any shape; may be empty
	Spare     int               // functions that are trained beyond the k that are asked for: k' = k + Spare
	// Draw draws n samples of every run and returns f and Tf there, [R, n, k']. It builds a graph, in the body of a
	// device loop and again to judge: what holds for a [train.LossFunc] holds here.
	Draw func(in Inputs, n int) ommlx.Batch
	// States draws n states of the law of the samples, independent of all that was drawn before, and returns f there,
	// [R, n, k'], for [Settings].Overlap. nil: moments are exact, or M[f] has to be that of the samples of M[f,Tf].
	States func(in Inputs, n int) *graph.Node
	// Own turns a batch into functions and the operator applied to them such that the eigenvalues are those of the
	// operator as it was given: the inverse of what scaling, shift and inversion did to it. nil: F and TF are that.
	Own func(b ommlx.Batch) (f, tf *graph.Node)
	// Lowest says that the lowest eigenvalues of the operator as it was given are learned, not the largest.
	Lowest bool
	// Noisy says that Tf is sampled, so that residuals cannot be known.
	Noisy bool
	// Volume is the integral of 1: functions are normalised to ∫f² = 1. 0 stands for 1, the law of samples.
	Volume float64
	// Objective, Batch, Steps, Rate and Judge are the defaults of [Settings].
	Objective    ommlx.Objective
	Batch, Steps int
	Rate         float64
	Judge        int

	// byDifferences says that the rows of TF are F at the other end of a pair; see [ommlx.Differences].
	byDifferences bool
	notSymmetric  string  // what the operator knows of itself, as in [spectral.Diagnosis]
	diverges      string  // the likely cause where every run diverges
	premise       string  // what is wrong with the data, for Advice; empty: nothing
	heldOut       Pairs   // pairs that no step sees; may be empty
	left          int     // of a table of [Joint], its rows; 0: it is none
	sides         *sides  // of sampled pairs of [Joint]
	first         float64 // the first eigenvalue, where it is known; 0: it is not
	// touched is how many numbers a step of one run touches, where the functions are a table and moments are exact; 0
	// elsewhere.
	touched int
	// border draws n samples of a box and returns the functions there in the operator's own units, [R, n, k'], and what
	// is positive for those at the border, [R, n, 1]. May be nil.
	border func(in Inputs, n int) []*graph.Node
}

// Inputs is what the operator sees in a graph.
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
		return errors.New("the task has no functions; give a net.Table, a net.MLP or another network")
	case t.Draw == nil:
		return errors.New("the task has no operator; set Draw")
	case t.Spare < 0:
		return fmt.Errorf("there are %d spare functions; there cannot be fewer than 0", t.Spare)
	case t.Volume < 0:
		return fmt.Errorf("the volume is %g; give a positive one, or 0 for the law of samples", t.Volume)
	}
	if v, ok := t.Functions.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// inputs binds the functions to the parameters.
func (t Task) inputs(in train.Inputs) Inputs {
	return Inputs{Inputs: in, F: func(x *graph.Node) *graph.Node { return apply(t.Functions, in.Params, x) }}
}

// requireFits panics, as all graph building does, when the batch does not hold k functions of each run.
func requireFits(b ommlx.Batch, runs, k int) {
	if b.F == nil || b.TF == nil {
		panic(errors.New("the operator returned no F or no TF; it must return both"))
	}
	switch f, tf := b.F.Shape(), b.TF.Shape(); {
	case f.Rank() != 3 || f.Dim(0) != runs:
		panic(fmt.Errorf("the operator returned F of shape %s; it must be [%d, samples, functions]", f, runs))
	case !f.Equal(tf):
		panic(fmt.Errorf("the operator returned F of shape %s and TF of shape %s; both must have the same", f, tf))
	case f.Dim(2) != k:
		panic(fmt.Errorf("the functions given are %d, but %d are trained; give them that many outputs", f.Dim(2), k))
	}
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
	return train.Problem{Seeds: s.Seeds, Params: params, Data: t.Data,
		State: objective.InitState(len(s.Seeds), l.k+t.Spare),
		Loss: func(in train.Inputs) (*graph.Node, []*graph.Node) {
			b := t.Draw(t.inputs(in), s.Batch)
			for range s.Overlap {
				b.Overlap = append(b.Overlap, t.States(t.inputs(in), s.Batch))
			}
			requireFits(b, len(s.Seeds), l.k+t.Spare)
			in.Watch("F", b.F)
			in.Watch("TF", b.TF)
			_, allo := s.Objective.(ommlx.ALLO) // which has them anyway
			if t.byDifferences && s.Overlap == 2 && !allo {
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
