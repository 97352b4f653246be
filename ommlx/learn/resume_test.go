package learn_test

import (
	"context"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/learn"
	"omm-go/ommlx/net"
	"omm-go/ommlx/schrodinger"
	"omm-go/ommlx/train"
)

// With a Dir, the same call resumes the training and gives the same result as an uninterrupted one.
func TestInterruptedTrainingResumes(t *testing.T) {
	op, s := learn.Matrix{A: decaying(20)}, learn.Settings{Steps: 400, Options: pureGo(t)}
	whole := mustLearn(t, op, 3, s)
	ctx, cancel := context.WithCancel(context.Background())
	s.Options.Dir, s.Options.Progress = t.TempDir(), func(train.Status) { cancel() }
	_, err := learn.Learn(ctx, op, 3, s)
	require.ErrorIs(t, err, train.ErrInterrupted)
	first := 0
	s.Options.Progress = func(s train.Status) { first = s.FirstStep }
	resumed := mustLearn(t, op, 3, s)
	assert.Positive(t, first)
	assert.Equal(t, whole.Values, resumed.Values)
	assert.Equal(t, len(whole.Result.History), len(resumed.Result.History))
}

// counting is an objective of a caller with a pointer, whose address differs between processes.
type counting struct {
	ommlx.OMM
	Calls *int
}

// TestObjectiveWithAPointerResumes: the address is not part of the key of a training, the settings are.
func TestObjectiveWithAPointerResumes(t *testing.T) {
	s := learn.Settings{Steps: 20, Options: pureGo(t)}
	s.Options.Dir = t.TempDir()
	for range 2 {
		s.Objective = counting{ommlx.OMM{Nesting: ommlx.Sequential}, new(int)}
		mustLearn(t, learn.Matrix{A: decaying(20)}, 2, s)
	}
	s.Objective = counting{ommlx.OMM{Nesting: ommlx.Joint}, new(int)}
	require.ErrorIs(t, learnError(learn.Matrix{A: decaying(20)}, 2, s), train.ErrForeign)
}

// TestForeignCheckpoints: with the Dir of another potential, box, sampler, kernel or Key, Learn returns an error.
func TestForeignCheckpoints(t *testing.T) {
	coupled := func(c float64) learn.Schrodinger { // x² + y² + cxy
		return learn.Schrodinger{Potential: polynomial([]float64{1, 2, 0}, []float64{1, 0, 2}, []float64{c, 1, 1}),
			Box: net.Box{Lower: []float64{-4, -4}, Upper: []float64{4, 4}}}
	}
	narrow := coupled(0.5)
	narrow.Box.Upper = []float64{2, 2}
	bound := func(depth, sigma float64) learn.Schrodinger {
		return learn.Schrodinger{Sampler: schrodinger.Gaussian{Dim: 1, Sigma: sigma},
			Potential: func(x *Node) *Node { return MulScalar(Exp(Neg(Square(x))), -depth) }}
	}
	x := normal(40, 1, 1)
	wide := func(x, y *Node) *Node { return Sqrt(gaussian(x, y)) }
	own := learn.Task{Functions: tiny, Draw: func(in learn.Inputs, n int) ommlx.Batch {
		f := in.F(in.Random.Uniform(in.Params[0].DType(), n, 1))
		return ommlx.Batch{F: f, TF: f}
	}}
	other := own
	other.Key = "other"
	for _, ops := range [][]learn.Operator{{coupled(0.5), coupled(0.7), coupled(-0.5), narrow},
		{bound(9, 2), bound(8, 2), bound(9, 1)}, {own, other},
		{learn.Kernel{Samples: x, K: gaussian}, learn.Kernel{Samples: x, K: wide}}} {
		s := learn.Settings{Steps: 1, Batch: 20, EvalBatch: 64, Options: pureGo(t)}
		s.Options.Dir = t.TempDir()
		for range 2 {
			mustLearn(t, ops[0], 2, s)
		}
		for i, op := range ops[1:] {
			assert.ErrorIs(t, learnError(op, 2, s), train.ErrForeign, "%T %d", op, i)
		}
	}
}
