package train

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/gomlx/gomlx/support/xslices"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/tensorx"
)

// Indices of the fixed entries at the head of the list, which its parts follow.
const (
	atStep     = iota // int32: steps taken
	atEnd             // int32: step at which this call stops
	atRandom          // [R, 3] uint64
	atLossSum         // [R]: sum of losses since the last evaluation
	atLastLoss        // [R]: loss of the last step
	atDiverged        // [R] int32: step at which the run stopped being finite, 0 while it is alive
	atCause           // [R] int32: index in [causes]
	heads
)

// parts are the entries of a list after its head.
type parts[T any] struct {
	params  []T
	slots   [][]T // of the optimiser
	average []T
	state   []T
	data    []T
}

// split returns the parts of a list of a training.
func split[T any](p Problem, c Config, all []T) (list parts[T]) {
	rest := all[heads:]
	take := func(n int) []T {
		part := rest[:n:n] // appending to it copies
		rest = rest[n:]
		return part
	}
	list.params = take(len(p.Params))
	for range c.optimiser().Slots() {
		list.slots = append(list.slots, take(len(p.Params)))
	}
	if c.averages() {
		list.average = take(len(p.Params))
	}
	list.state = take(len(p.State))
	list.data = take(len(rest))
	return list
}

// list returns the flat list of a head and these parts, without the data.
func (p parts[T]) list(head []T) []T {
	return slices.Concat(head, p.params, slices.Concat(p.slots...), p.average, p.state)
}

// initial returns the list at step 0.
func (p Problem) initial(c Config) ([]*tensors.Tensor, error) {
	random, err := randomStates(p.Seeds)
	if err != nil {
		return nil, err
	}
	runs := len(p.Seeds)
	dtype := p.Params[0].DType()
	head := make([]*tensors.Tensor, heads)
	head[atStep], head[atEnd] = tensors.FromScalar(int32(0)), tensors.FromScalar(int32(0))
	head[atRandom] = random
	noLoss := shapes.CastAsDType(slices.Repeat([]float64{math.NaN()}, runs), dtype)
	head[atLossSum], head[atLastLoss] = vector(dtype, runs), tensors.MustFromAnyValue(noLoss)
	head[atDiverged], head[atCause] = vector(dtypes.Int32, runs), vector(dtypes.Int32, runs)
	start := parts[*tensors.Tensor]{params: p.Params, state: p.State}
	for range c.optimiser().Slots() {
		start.slots = append(start.slots, xslices.Map(p.Params, func(t *tensors.Tensor) *tensors.Tensor {
			return tensors.FromShape(t.Shape())
		}))
	}
	if c.averages() {
		start.average = p.Params
	}
	return append(start.list(head), p.Data...), nil
}

// lossAndGradients builds and checks the loss, its next state and its gradients.
func (p Problem) lossAndGradients(in Inputs) (loss *Node, state, grads []*Node) {
	loss, state = p.Loss(in)
	runs := len(p.Seeds)
	if loss.Rank() != 1 || loss.Shape().Dim(0) != runs || len(state) != len(in.State) {
		panic(fmt.Errorf("the loss has shape %s and %d states, want [%d] and %d", loss.Shape(), len(state), runs,
			len(in.State)))
	}
	for i, next := range state {
		if !next.Shape().Equal(in.State[i].Shape()) {
			panic(fmt.Errorf("the loss returned state %d of shape %s, want %s", i, next.Shape(), in.State[i].Shape()))
		}
	}
	return loss, state, Gradient(ReduceAllSum(loss), in.Params...)
}

// build builds one optimiser step on the flat list and returns the next list, without data. Where the loss or a
// gradient of a run is not finite, the loop ends after this step, and [runner.freeze] undoes the step for that run;
// every operation keeps the runs apart, so the others are not affected. A selection of old values here would delay
// every update until all gradients are known, which costs small steps up to a sixth of their time.
func (r *runner) build(all []*Node) (next []*Node) {
	c := r.config
	now := split(r.problem, c, all)
	random := newRandom(all[atRandom])
	in := Inputs{Params: now.params, State: now.state, Data: now.data, Random: random}
	var loss *Node
	var nextState, grads []*Node
	errorOnPanic(func() { loss, nextState, grads = r.problem.lossAndGradients(in) })
	finite, cause := finiteness(loss, grads)
	alive := Equal(all[atDiverged], ZerosLike(all[atDiverged]))
	ok := LogicalAnd(alive, finite)
	head := slices.Clone(all[:heads])
	steps := AddScalar(all[atStep], int32(1))
	head[atStep] = steps
	head[atRandom] = random.packed()
	head[atLastLoss] = Where(ok, loss, all[atLastLoss])
	head[atLossSum] = Where(ok, Add(all[atLossSum], loss), all[atLossSum])
	failed := LogicalAnd(alive, LogicalNot(finite))
	head[atDiverged] = Where(failed, BroadcastToDims(steps, len(r.problem.Seeds)), all[atDiverged])
	head[atCause] = Where(failed, cause, all[atCause])
	head[atEnd] = Where(Equal(ReduceAllMax(head[atDiverged]), steps), steps, all[atEnd])
	out := parts[*Node]{state: nextState}
	errorOnPanic(func() {
		out.params, out.slots = c.optimiser().Update(all[atStep], now.params, grads, now.slots)
	})
	if c.averages() {
		out.average = c.EMA.Update(now.average, out.params)
	}
	return out.list(head)
}

// compile builds the executable list → list without data. On XLA one call runs all[atEnd] − all[atStep] steps in a loop
// on the device. The pure-Go backend cannot differentiate inside a loop (compute v0.1.2), so one call is one step.
func (r *runner) compile() error {
	o, data := r.options, len(r.state()) // index of the first data tensor
	r.mix = MustNewExec(o.Backend, survivors)
	r.exec = MustNewExec(o.Backend, func(all []*Node) []*Node {
		if !tensorx.OnXLA(o.Backend) || o.oneStep {
			return r.build(all)
		}
		inside := func(g *Graph) []*Node {
			list := make([]*Node, len(all))
			for i, x := range all {
				list[i] = Parameter(g, fmt.Sprintf("loop%d", i), x.Shape())
			}
			return list
		}
		cond := NewClosure(all[0].Graph(), func(g *Graph) []*Node {
			list := inside(g)
			return []*Node{LessThan(list[atStep], list[atEnd])}
		})
		body := NewClosure(all[0].Graph(), func(g *Graph) []*Node {
			now := inside(g)
			return append(r.build(now), now[data:]...)
		})
		return While(cond, body, all...)[:data]
	})
	// Compile before the first call, so that compilation does not count as time of steps.
	if _, err := r.exec.Compile(xslices.Map(r.list, (*tensors.Tensor).Shape)...); err != nil {
		return fmt.Errorf("training: building the step: %s", reason(err))
	}
	return nil
}

// errorOnPanic calls build, the caller's graph-building code, and makes the value of every panic an error, which GoMLX
// returns. Any other panic would leave its executable locked.
func errorOnPanic(build func()) {
	cause := exceptions.Try(build)
	if cause == nil {
		return
	}
	if _, isError := cause.(error); !isError {
		cause = fmt.Errorf("%v", cause)
	}
	panic(cause)
}

// reason is the first line of GoMLX's error, without the names of its executables.
func reason(err error) string {
	line := say.FirstLine(err)
	if _, panicked, found := strings.Cut(line, " panicked: "); found {
		return panicked
	}
	return line
}

// vector returns n zeros of a type.
func vector(dtype dtypes.DType, n int) *tensors.Tensor {
	return tensors.FromShape(shapes.Make(dtype, n))
}

func ints(t *tensors.Tensor) []int {
	return xslices.Map(tensors.MustCopyFlatData[int32](t), func(x int32) int { return int(x) })
}
