package train

import (
	"context"
	"errors"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mistakes are losses that cannot be built, keyed by a word of the error.
var mistakes = map[string]func(in Inputs) *Node{
	"[-1 2]":       func(in Inputs) *Node { return in.Random.Uniform(dtypes.Float32, -1, 2) },
	"[0 2]":        func(in Inputs) *Node { return in.Random.Normal(dtypes.Float32, 0, 2) },
	"IntN":         func(in Inputs) *Node { return in.Random.IntN(0, 5) },
	"2147483648":   func(in Inputs) *Node { return in.Random.IntN(1<<31, 5) },
	"out of range": func(in Inputs) *Node { return in.Data[1] },
	"BinaryOp":     func(in Inputs) *Node { return Add(in.Data[0], in.Params[1]) },
	"unknown":      func(Inputs) *Node { panic(errors.New("unknown")) },
	"no error":     func(Inputs) *Node { panic("no error") },
}

// TestMistakesAreErrors requires one-line errors, not panics, in a training and in an evaluation.
func TestMistakesAreErrors(t *testing.T) {
	for _, o := range []Options{here(t), pureGo(t)} {
		for word, build := range mistakes {
			p := also(toy(4, 1), func(in Inputs) { build(in) })
			_, err := Run(context.Background(), p, config(1, 0), o)
			require.ErrorContains(t, err, word)
			assert.NotContains(t, err.Error(), "\n")
			_, err = p.Evaluate(o.Backend, Snapshot{Params: p.Params, State: p.State},
				func(in Inputs) []*Node { return []*Node{build(in)} })
			require.ErrorContains(t, err, word)
			assert.NotContains(t, err.Error(), "\n")
			t.Log(err)
		}
	}
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
	assert.ErrorContains(t, err, "state 0")
	p.Loss = func(in Inputs) (*Node, []*Node) { return nil, in.State }
	_, err = Run(context.Background(), p, config(1, 0), o)
	assert.ErrorContains(t, err, "loss")

	fine := Snapshot{Params: p.Params, State: p.State}
	params := func(in Inputs) []*Node { return in.Params[:1] }
	for name, c := range map[string]struct {
		problem Problem
		now     Snapshot
		values  func(in Inputs) []*Node
	}{
		"2 runs":    {Problem{Seeds: []int64{1, 2}}, fine, params},
		"no values": {p, fine, func(Inputs) []*Node { return nil }},
		"[1, 4]":    {p, fine, func(in Inputs) []*Node { return in.Params[1:2] }},
		"(Int32)":   {p, fine, func(in Inputs) []*Node { return []*Node{in.Random.IntN(2, 5, 1)} }},
		"value 0":   {p, fine, func(Inputs) []*Node { return []*Node{nil} }},
	} {
		_, err := c.problem.Evaluate(o.Backend, c.now, c.values)
		assert.ErrorContains(t, err, name)
	}
}
