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

// Operator is a linear operator that [Learn] can decompose. Its Task method defines the training of k eigenfunctions
// and may compute on the backend.
type Operator interface {
	Task(b compute.Backend, k int) (Task, error)
}

// Task is an [Operator] of your own: k functions, and a function that draws samples and applies the operator to them.
// Only Functions and Draw are required. All other operators of this package make a Task, with defaults and checks of
// their own.
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
	Own    func(b ommlx.Batch) (f, tf *graph.Node)
	Lowest bool    // learns the lowest eigenvalues of the original operator, not the largest
	Noisy  bool    // Tf is sampled, so residuals are unknown
	Volume float64 // the integral of 1: functions are normalised to ∫f² = 1. 0: 1, the law of samples

	builtIn
}

// builtIn is what operators of this package add to a [Task].
type builtIn struct {
	Spare       int   // extra functions to train: k' = k + Spare
	Differences bool  // the rows of TF are F at the other end of a pair; see [ommlx.Differences]
	HeldOut     Pairs // pairs for evaluation only; may be empty

	// Objective, Batch, Steps, Rate and Judge are defaults of [Settings].
	Objective    ommlx.Objective
	Batch, Steps int
	Rate         float64
	Judge        int
	shift        float64 // of [Settings].Shift
	Work         int     // numbers that a step of one run touches; if few, the engine is pure Go. 0: many

	// Border draws n samples in a box and returns the functions there in the units of the original operator, [R, n,
	// k'], and a number that is positive near the border, [R, n, 1]. nil: no box.
	Border   func(in Inputs, n int) (f, at *graph.Node)
	border   float64 // the lowest potential there
	negative bool    // only negative eigenvalues are states
	// Side converts points x (side 0) or y (side 1) to inputs of the functions, for [Learned.Left] and [Learned.Right].
	// nil: the functions have no sides.
	Side func(points mat.Matrix, side int) (mat.Matrix, error)

	First        float64  // the first eigenvalue, if known; 0: unknown
	NotSymmetric string   // evidence that the operator is not self-adjoint
	Remedy       string   // what to do if every run diverges
	premises     []string // about the data, for [Learned.Advice]
	more         string   // what to do if the training is incomplete, other than more steps

	pairs  int   // the number of training pairs; 0: none
	all    Pairs // training, held-out and others; may be empty
	lag    int   // of trajectories, in frames; 0: unknown
	frames int   // of all trajectories

	// apply multiplies a vector of the N states by the original operator, on the host, if the functions are evaluated
	// at all states. nil: unknown.
	apply func(dst, src []float64)
	rows  int // a batch takes at most all rows of the data; 0: any number of samples
}

// Inputs are the arguments of a Task's graph-building functions.
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
		return errors.New("task: Functions is nil, want a net.Table, a net.MLP or another network")
	case t.Draw == nil:
		return errors.New("task: Draw is nil, want a function that applies the operator")
	case t.Spare < 0 || t.Volume < 0:
		return fmt.Errorf("task: Spare is %d and Volume is %g, want at least 0", t.Spare, t.Volume)
	}
	return valid(t.Functions)
}

// valid calls the Validate method of x, if there is one.
func valid(x any) error {
	if v, ok := x.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
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
	params := t.Functions.Init(s.Seeds)
	if s.Start != nil {
		params = s.Start.Result.Best()
	}
	_, allo := s.Objective.(ommlx.ALLO) // takes differences itself
	differences := t.Differences && s.Overlap == 2 && !allo
	_, omm := s.Objective.(ommlx.OMM)
	halved := omm && t.all.From != nil && s.Overlap == 0 && s.Batch > 1 && s.Batch < t.pairs
	return train.Problem{Seeds: s.Seeds, Params: params, Data: t.Data,
		State: objective.InitState(len(s.Seeds), l.k+t.Spare),
		Loss: func(in train.Inputs) (*graph.Node, []*graph.Node) {
			b := t.draw(in, s.Batch, len(s.Seeds), l.k+t.Spare)
			for range s.Overlap {
				b.Overlap = append(b.Overlap, t.States(t.inputs(in), s.Batch))
			}
			switch {
			case differences:
				b = ommlx.Differences(b.F, b.TF, b.Overlap...)
			case halved:
				one, state := objective.Loss(halfOf(b, 0), in.State)
				other, _ := objective.Loss(halfOf(b, 1), in.State)
				return graph.MulScalar(graph.Add(one, other), 0.5), state
			}
			return objective.Loss(b, in.State)
		}}
}

// halfOf returns the batch of one half of some pairs, given by both of their ends, with M[f] from the other half.
func halfOf(b ommlx.Batch, which int) ommlx.Batch {
	n := b.F.Shape().Dim(1) / 2
	of := func(ends *graph.Node, which int) *graph.Node {
		at := func(end int) *graph.Node {
			first, last := end*n+which*(n/2), end*n+n/2+which*(n-n/2)
			return graph.Slice(ends, graph.AxisRange(), graph.AxisRange(first, last))
		}
		return graph.Concatenate([]*graph.Node{at(0), at(1)}, 1)
	}
	return ommlx.Batch{F: of(b.F, which), TF: of(b.TF, which), Overlap: []*graph.Node{of(b.F, 1-which)}}
}

// evaluated computes a value that needs no parameters, [1, n, m], with the random stream of the first run.
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
