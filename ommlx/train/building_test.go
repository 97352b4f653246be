package train

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/net"
)

// marked is the line of the last call of mark.
var marked int

func mark[T any](x T) T {
	_, _, marked, _ = runtime.Caller(1)
	return x
}

// mistakes are what the author of a loss may do wrong, with the sentences about it.
var mistakes = []struct {
	sentence string
	make     func(in Inputs) *Node
}{
	{"random numbers: Uniform is asked for the shape [-1 2] of each run; every dimension must be at least 1",
		func(in Inputs) *Node { return in.Random.Uniform(mark(dtypes.Float32), -1, 2) }},
	{"random numbers: Normal is asked for the shape [0 2] of each run; every dimension must be at least 1",
		func(in Inputs) *Node { return in.Random.Normal(mark(dtypes.Float32), 0, 2) }},
	{"random numbers: IntN is asked for the shape [0] of each run; every dimension must be at least 1",
		func(in Inputs) *Node { return in.Random.IntN(mark(3), 0) }},
	{"random numbers: IntN draws below 0; it must be from 1 to 2147483647",
		func(in Inputs) *Node { return in.Random.IntN(mark(0), 5) }},
	{"random numbers: IntN draws below 2147483648; it must be from 1 to 2147483647",
		func(in Inputs) *Node { return in.Random.IntN(mark(1<<31), 5) }},
	{"index out of range [1] with length 1; the problem gives 4 Params, 2 State and 1 Data",
		func(in Inputs) *Node { return mark(in).Data[1] }},
	{"dimension of axis #1 doesn't match and cannot be broadcast for BinaryOp (Add), got shapes (Float32)[2, 3] and " +
		"(Float32)[1, 4]",
		func(in Inputs) *Node { return Add(mark(in).Data[0], in.Params[1]) }},
	// In another package of this module, whose caller is to blame.
	{"net.MLP: parameter 0 has the shape [1 4 2]; it must be [4 3] behind the axis of runs",
		func(in Inputs) *Node {
			return net.MLP{In: 3, Hidden: []int{4}, Out: 3}.Apply(mark(in).Params, in.Data[0])
		}},
	{"the scale: unknown", func(Inputs) *Node { panic(mark(fmt.Errorf("the scale: %w", errors.New("unknown")))) }},
	{"no error", func(Inputs) *Node { panic(mark("no error")) }},
}

// TestMistakesAreToldInOneSentence, with the line at which they were made.
func TestMistakesAreToldInOneSentence(t *testing.T) {
	for _, o := range []Options{here(t), pureGo(t)} {
		for _, m := range mistakes {
			p := also(toy(4, 1), func(in Inputs) { m.make(in) })
			told := func(what string, err error) {
				t.Helper()
				require.ErrorContains(t, err, what+": "+m.sentence)
				require.Regexp(t, fmt.Sprintf(`^[^\n]+ \(at train/building_test\.go:%d\)$`, marked), err)
				require.Less(t, len(err.Error()), len(m.sentence)+120)
			}
			_, err := Run(context.Background(), p, config(1, 0), o)
			told("training: building the step", err)
			withFolder := o
			withFolder.Dir = t.TempDir()
			_, err = Run(context.Background(), p, config(1, 0), withFolder)
			told("training: building the loss", err)
			_, err = p.Evaluate(o.Backend, Snapshot{Params: p.Params, State: p.State},
				func(in Inputs) []*Node { return []*Node{m.make(in)} })
			told("evaluating", err)
		}
	}
}

// TestTooMuchForTheDevice names what takes memory, where the engine says that it has none left.
func TestTooMuchForTheDevice(t *testing.T) {
	said := errors.New("PJRT error (code=8): Out of memory allocating 919123647000 bytes")
	require.EqualError(t, built("training: step 0 on xla", said), "training: step 0 on xla: "+said.Error()+
		"; reduce the batch, the widths of the network or the runs of one training")
}

func TestMistakesOfShape(t *testing.T) {
	o := pureGo(t)
	p := toy(4, 1)
	loss := p.Loss
	p.Loss = func(in Inputs) (*Node, []*Node) {
		value, next := loss(in)
		return value, []*Node{InsertAxes(next[0], -1), next[1]}
	}
	_, err := Run(context.Background(), p, config(1, 0), o)
	assert.EqualError(t, err, "training: building the step: "+
		"the loss function returned state 0 in shape (Float32)[1, 1]; want (Float32)[1]")
	p.Loss = func(in Inputs) (*Node, []*Node) { return nil, in.State }
	_, err = Run(context.Background(), p, config(1, 0), o)
	assert.ErrorContains(t, err, "training: building the step: the loss function returned shape ")

	narrow, fine := toy(3, 1), Snapshot{Params: p.Params, State: p.State}
	params := func(in Inputs) []*Node { return in.Params[:1] }
	for sentence, c := range map[string]struct {
		problem Problem
		now     Snapshot
		values  func(in Inputs) []*Node
	}{
		"Params[0] of the snapshot has shape (Float32)[1, 3, 2]; that of the problem has (Float32)[1, 4, 2]": {
			p, Snapshot{Params: narrow.Params}, params},
		"State[0] of the snapshot has shape (Float32)[1, 3]; that of the problem has (Float32)[1]": {
			p, Snapshot{Params: p.Params, State: []*tensors.Tensor{p.State[1], p.State[0]}}, params},
		"the snapshot has 3 Params; the problem has 4": {p, Snapshot{Params: p.Params[:3]}, params},
		"the snapshot has 1 State; the problem has 2":  {p, Snapshot{Params: p.Params, State: p.State[:1]}, params},
		"Params[0] of the snapshot has shape (Float32)[1, 4, 2]; its leading axis must count the 2 runs": {
			Problem{Seeds: []int64{1, 2}}, fine, params},
		"no values were built":              {p, fine, func(Inputs) []*Node { return nil }},
		"value 0 has shape (Float32)[1, 4]": {p, fine, func(in Inputs) []*Node { return in.Params[1:2] }},
		"value 0 has shape (Int32)[1, 5, 1]": {
			p, fine, func(in Inputs) []*Node { return []*Node{in.Random.IntN(2, 5, 1)} }},
		"value 0 has shape": {p, fine, func(Inputs) []*Node { return []*Node{nil} }},
	} {
		_, err := c.problem.Evaluate(o.Backend, c.now, c.values)
		assert.ErrorContains(t, err, "evaluating: "+sentence)
	}
}
