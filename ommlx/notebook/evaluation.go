package notebook

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/stopwatch"
	"operator-omm/ommlx/train"
)

// Evaluation is the loss of an objective and its gradients for F and TF on one batch, alone: without a network, an
// operator and an optimiser.
type Evaluation struct {
	Objective ommlx.Objective
	B, K      int  // samples and functions
	OneSided  bool // as in [ommlx.Batch]
}

// String names the evaluation, "omm_seq, B = 1024, k = 64".
func (e Evaluation) String() string {
	side := ""
	if e.OneSided {
		side = ", one-sided"
	}
	return fmt.Sprintf("%s%s, B = %d, k = %d", e.Objective.Name(), side, e.B, e.K)
}

// leastTimes returns the time of one of each evaluation on the clock, and of the processors: the least of several
// rounds, of a given length each, in which they take turns, so that other work on the machine delays none of them for
// good. That work does not count in the time of the processors, which on a GPU says nothing.
func leastTimes(evaluations []Evaluation, rounds int, length time.Duration) (wall, cpu []time.Duration, err error) {
	evaluators := make([]*evaluator, len(evaluations))
	for i, e := range evaluations {
		if evaluators[i], err = newEvaluator(e, length); err != nil {
			return nil, nil, fmt.Errorf("measuring %s: %w", e, err)
		}
		defer evaluators[i].exec.Finalize()
	}
	wall, cpu = make([]time.Duration, len(evaluations)), make([]time.Duration, len(evaluations))
	for r := range rounds {
		for i, e := range evaluators {
			l, err := e.round()
			if err != nil {
				return nil, nil, fmt.Errorf("measuring %s: %w", evaluations[i], err)
			}
			if r == 0 {
				wall[i], cpu[i] = l.Wall, l.CPU
			}
			wall[i], cpu[i] = min(wall[i], l.Wall), min(cpu[i], l.CPU)
		}
	}
	return wall, cpu, nil
}

// evaluator repeats an evaluation.
type evaluator struct {
	exec     *Exec
	f, tf    *tensors.Tensor
	perCall  bool // one evaluation in each call, where the backend has no gradient inside of a loop
	repeated int  // evaluations in a round
}

func newEvaluator(e Evaluation, length time.Duration) (*evaluator, error) {
	engine := Engine()
	v := &evaluator{f: normal(e.B, e.K, 1), tf: normal(e.B, e.K, 2), perCall: !train.WholeLoop(engine), repeated: 1}
	var err error
	if v.exec, err = NewExec(engine, func(at, n, loss, f, tf *Node) *Node {
		if v.perCall {
			return e.once(f, tf)
		}
		return e.repeat(at, n, loss, f, tf)
	}); err != nil {
		return nil, err
	}
	for range 2 { // the first call compiles, the second is as those that follow
		l, err := v.round()
		if err != nil {
			v.exec.Finalize()
			return nil, err
		}
		v.repeated = max(1, int(math.Ceil(float64(length)/float64(l.Wall))))
	}
	return v, nil
}

// normal draws a table of values of a third of the size that orthonormal functions have.
func normal(rows, columns int, seed uint64) *tensors.Tensor {
	rng := rand.New(rand.NewPCG(seed, 0x0b1ec7))
	flat := make([]float32, rows*columns)
	for i := range flat {
		flat[i] = float32(rng.NormFloat64() / 3)
	}
	return tensors.FromFlatDataAndDimensions(flat, rows, columns)
}

// step evaluates once and moves F and TF along their gradients by nothing that single precision resolves, which a
// compiler cannot know: so the gradients have to be computed.
func (e Evaluation) step(f, tf *Node) []*Node {
	loss, _ := e.Objective.Loss(ommlx.Batch{F: f, TF: tf, OneSided: e.OneSided}, nil)
	const nothing = 1e-12
	g := Gradient(loss, f, tf)
	return []*Node{loss, Sub(f, MulScalar(g[0], nothing)), Sub(tf, MulScalar(g[1], nothing))}
}

// once is a step in one call; of F and TF after it a number is returned that depends on all of them.
func (e Evaluation) once(f, tf *Node) *Node {
	next := e.step(f, tf)
	const nothing = 1e-12
	return Add(next[0], MulScalar(ReduceAllSum(Square(Add(next[1], next[2]))), nothing))
}

// repeat steps from 0 to n in one call, in which buffers are made once, as in training. Its arguments are the state of
// the loop, zeros included, since a constant that the graph has already is not to be had inside of a loop.
func (e Evaluation) repeat(initial ...*Node) *Node {
	closure := func(body func(now []*Node) []*Node) *Function {
		return NewClosure(initial[0].Graph(), func(g *Graph) []*Node {
			now := make([]*Node, len(initial))
			for i, x := range initial {
				now[i] = Parameter(g, fmt.Sprintf("loop%d", i), x.Shape())
			}
			return body(now)
		})
	}
	going := closure(func(now []*Node) []*Node { return []*Node{LessThan(now[0], now[1])} })
	body := closure(func(now []*Node) []*Node {
		return append([]*Node{AddScalar(now[0], 1), now[1]}, e.step(now[3], now[4])...)
	})
	return While(going, body, initial...)[2]
}

// round returns the time of one evaluation in a round.
func (v *evaluator) round() (stopwatch.Lap, error) {
	calls, each := 1, v.repeated
	if v.perCall {
		calls, each = v.repeated, 1
	}
	began := stopwatch.Now()
	for range calls {
		out, err := v.exec.Call(int32(0), int32(each), float32(0), v.f, v.tf)
		if err != nil {
			return stopwatch.Lap{}, err
		}
		if loss := tensors.ToScalar[float32](out[0]); math.IsNaN(float64(loss)) { // reading it waits for it
			return stopwatch.Lap{}, fmt.Errorf("the loss is not a number")
		}
	}
	return stopwatch.Since(began, v.repeated), nil
}
