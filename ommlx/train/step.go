package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// layout says which part of the loop's flat list of tensors is what.
type layout struct {
	params, state, data int
	average             bool
}

// The fixed entries at the head of the list, followed by parameters, first and second moments, averages,
// the objective's state and, last, the data.
const (
	atStep     = iota // int32: steps taken
	atEnd             // int32: where this call stops
	atRandom          // [R, 3] uint64
	atLossSum         // [R]: sum of losses since the last evaluation
	atLastLoss        // [R]: loss of the last step
	atDiverged        // [R] int32: step at which the run stopped being finite, 0 while it is alive
	heads
)

func (l layout) split(all []*Node) (params, m, v, average, state, data []*Node) {
	rest := all[heads:]
	take := func(n int) []*Node {
		part := rest[:n]
		rest = rest[n:]
		return part
	}
	params, m, v = take(l.params), take(l.params), take(l.params)
	if l.average {
		average = take(l.params)
	}
	return params, m, v, average, take(l.state), take(l.data)
}

// initial returns the list at step 0.
func (p Problem) initial(c Config) ([]*tensors.Tensor, layout, error) {
	l := layout{params: len(p.Params), state: len(p.State), data: len(p.Data), average: c.EMA.Decay > 0}
	random, err := randomStates(p.Seeds)
	if err != nil {
		return nil, l, err
	}
	runs := len(p.Seeds)
	dtype := p.Params[0].DType()
	all := make([]*tensors.Tensor, heads)
	all[atStep], all[atEnd] = tensors.FromScalar(int32(0)), tensors.FromScalar(int32(0))
	all[atRandom] = random
	all[atLossSum], all[atLastLoss] = vector(dtype, runs), noLoss(dtype, runs)
	all[atDiverged] = vector(dtypes.Int32, runs)
	all = append(all, p.Params...)
	for range 2 {
		for _, t := range p.Params {
			all = append(all, tensors.FromShape(t.Shape()))
		}
	}
	if l.average {
		all = append(all, p.Params...)
	}
	all = append(all, p.State...)
	return append(all, p.Data...), l, nil
}

// step builds one optimiser step on the flat list. A run whose loss or parameters are not finite is frozen
// as it was before that step; since every operation keeps the runs apart, the others do not notice.
func (p Problem) step(c Config, l layout, all []*Node) []*Node {
	params, m, v, average, state, data := l.split(all)
	random := newRandom(all[atRandom])
	loss, nextState := p.Loss(Inputs{Params: params, State: state, Data: data, Random: random})
	runs := len(p.Seeds)
	if loss.Rank() != 1 || loss.Shape().Dim(0) != runs || len(nextState) != len(state) {
		panic(fmt.Errorf("the loss function returned shape %s and %d states; want [%d] and %d",
			loss.Shape(), len(nextState), runs, len(state)))
	}
	grads := Gradient(ReduceAllSum(loss), params...)
	// The optimiser's state stays finite as long as the squares of the gradients do, so they are what is tested: the
	// decision is then known before the update, which stays one pass over memory.
	finite := IsFinite(loss)
	for _, g := range grads {
		finite = LogicalAnd(finite, IsFinite(squaresPerRun(g)))
	}
	alive := Equal(all[atDiverged], ZerosLike(all[atDiverged]))
	ok := LogicalAnd(alive, finite)
	keep := func(next, old *Node) *Node { return Where(perRun(ok, old), next, old) }
	out := slices.Clone(all[:heads])
	steps := AddScalar(all[atStep], int32(1))
	out[atStep] = steps
	out[atRandom] = random.packed()
	out[atLastLoss] = Where(ok, loss, all[atLastLoss])
	out[atLossSum] = Where(ok, Add(all[atLossSum], loss), all[atLossSum])
	out[atDiverged] = Where(LogicalAnd(alive, LogicalNot(finite)),
		BroadcastToDims(steps, runs), all[atDiverged])
	// The optimiser holds frozen runs back itself: as an operation after it, this would be another pass over memory.
	newParams, newM, newV := c.optimiser().Update(all[atStep], params, grads, m, v, keep)
	out = append(append(append(out, newParams...), newM...), newV...)
	if l.average {
		for i, next := range c.EMA.Update(average, newParams) {
			out = append(out, keep(next, average[i]))
		}
	}
	for i, next := range nextState {
		out = append(out, keep(next, state[i]))
	}
	return append(out, data...)
}

// noLoss stands for the last loss of runs that have taken no step.
func noLoss(dtype dtypes.DType, runs int) *tensors.Tensor {
	if dtype == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(slices.Repeat([]float64{math.NaN()}, runs), runs)
	}
	return tensors.FromFlatDataAndDimensions(slices.Repeat([]float32{float32(math.NaN())}, runs), runs)
}

// perRun spreads one truth value for each run, [R], over the shape of x, [R, …].
func perRun(ok, x *Node) *Node {
	dims := x.Shape().Dimensions
	return BroadcastToDims(Reshape(ok, append([]int{dims[0]}, slices.Repeat([]int{1}, len(dims)-1)...)...), dims...)
}

// squaresPerRun adds up the squares of all that belongs to a run, [R, …] → [R]; it is finite only if every square
// is. As a product it is vectorised, which a plain sum, bound to its order, is not.
func squaresPerRun(x *Node) *Node {
	flat := Reshape(x, x.Shape().Dim(0), -1)
	return DotGeneral(flat, []int{1}, []int{0}, flat, []int{1}, []int{0})
}

// compile returns an executable of signature list → list without data. With wholeLoop it runs all[atEnd] −
// all[atStep] steps in one call; without, exactly one (the pure-Go backend has no gradient inside a loop).
func (p Problem) compile(backend compute.Backend, c Config, l layout, wholeLoop bool, list []*tensors.Tensor) (*Exec, error) {
	exec, err := NewExec(backend, func(all []*Node) []*Node {
		if !wholeLoop {
			out := p.step(c, l, all)
			return out[:len(out)-l.data]
		}
		g := all[0].Graph()
		inside := func(g *Graph) []*Node {
			list := make([]*Node, len(all))
			for i, x := range all {
				list[i] = Parameter(g, fmt.Sprintf("loop%d", i), x.Shape())
			}
			return list
		}
		cond := NewClosure(g, func(g *Graph) []*Node {
			list := inside(g)
			return []*Node{LessThan(list[atStep], list[atEnd])}
		})
		body := NewClosure(g, func(g *Graph) []*Node { return p.step(c, l, inside(g)) })
		return While(cond, body, all...)[:len(all)-l.data]
	})
	if err != nil {
		return nil, err
	}
	signature := make([]shapes.Shape, len(list))
	for i, t := range list {
		signature[i] = t.Shape()
	}
	// Now, not at the first call, so that it does not count as the time of steps.
	if _, err := exec.Compile(signature...); err != nil {
		exec.Finalize()
		return nil, err
	}
	return exec, nil
}
