package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/net"
)

const fedRows = 16

// points are those of one step, fedRows×2.
func points(step int) []float32 {
	rng := rand.New(rand.NewPCG(uint64(step), 1))
	flat := make([]float32, 2*fedRows)
	for i := range flat {
		flat[i] = rng.Float32()
	}
	return flat
}

// onPoints is toy without random numbers, on the points that of returns.
func onPoints(of func(in Inputs) *Node, seeds ...int64) Problem {
	p := toy(16, seeds...)
	m := net.MLP{In: 2, Hidden: []int{16}, Out: 3}
	p.Loss = func(in Inputs) (*Node, []*Node) {
		x := BroadcastPrefix(of(in), len(seeds))
		target := Sin(DotGeneral(x, []int{2}, nil, in.Data[0], []int{0}, nil))
		loss := ReduceMean(Square(Sub(m.Apply(in.Params, x), target)), 1, 2)
		return loss, append([]*Node{AddScalar(in.State[0], 1)}, in.State[1:]...)
	}
	return p
}

// fedToy is fed its points.
func fedToy(seeds ...int64) Problem {
	p := onPoints(func(in Inputs) *Node { return in.Fed[0] }, seeds...)
	p.Feed = func(step int) ([]*tensors.Tensor, error) {
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(points(step), fedRows, 2)}, nil
	}
	return p
}

// TestFeed: what is fed trains as the same numbers do that lie on the device. Each step is asked for once, in order.
func TestFeed(t *testing.T) {
	t.Parallel()
	const steps = 60
	for _, o := range []Options{here(t), pureGo(t)} {
		o.Eval = size
		resident := onPoints(func(in Inputs) *Node {
			step := ConvertDType(Slice(in.State[0], AxisElem(0)), in.Params[0].DType())
			at := Equal(Iota(step.Graph(), in.Data[1].Shape(), 0),
				BroadcastToDims(Reshape(step, 1, 1), steps, 2*fedRows))
			return Reshape(ReduceSum(Where(at, in.Data[1], ZerosLike(in.Data[1])), 0), fedRows, 2)
		}, 1, 2)
		var all []float32
		for step := range steps {
			all = append(all, points(step)...)
		}
		resident.Data = append(resident.Data, tensors.FromFlatDataAndDimensions(all, steps, 2*fedRows))
		want := mustRun(t, resident, config(steps, 7), o)

		p := fedToy(1, 2)
		var asked []int
		feed := p.Feed
		p.Feed = func(step int) ([]*tensors.Tensor, error) { asked = append(asked, step); return feed(step) }
		got := mustRun(t, p, config(steps, 7), o)
		requireSame(t, want, got)
		require.Len(t, asked, steps)
		require.True(t, slices.IsSorted(asked))
		require.Less(t, got.History[8].Loss[0], got.History[1].Loss[0], "it learns")
		assert.Zero(t, want.Waited)
		assert.Positive(t, got.Waited)
		assert.LessOrEqual(t, got.Waited, got.Seconds)
	}
}

// TestFeedIsResumed with the batch of the step at which it was interrupted.
func TestFeedIsResumed(t *testing.T) {
	p, c, o := fedToy(1, 2), config(200, 6), pureGo(t)
	o.Eval = size
	want := mustRun(t, p, c, o)
	o.Dir = t.TempDir()
	interrupted(t, p, c, o, 40)
	interrupted(t, p, c, o, 90)
	requireNoFeeder(t)
	first := -1
	feed := p.Feed
	p.Feed = func(step int) ([]*tensors.Tensor, error) {
		if first < 0 {
			first = step
		}
		return feed(step)
	}
	got := mustRun(t, p, c, o)
	requireSame(t, want, got)
	assert.GreaterOrEqual(t, first, 90)
	p.Feed = func(int) ([]*tensors.Tensor, error) { return nil, errors.New("a training that is done was fed") }
	again := mustRun(t, p, c, o)
	requireSame(t, want, again)
	assert.InDelta(t, got.Waited, again.Waited, 1e-3)

	_, err := Run(context.Background(), toy(16, 1, 2), c, o)
	require.ErrorContains(t, err, "shapes of the batches ([(Float32)[16, 2]] there, [] here)")
}

// requireNoFeeder demands that no goroutine makes batches any more.
func requireNoFeeder(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		stacks := make([]byte, 1<<20)
		return !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "newFeeder")
	}, 10*time.Second, time.Millisecond)
}

// TestFeedFails with one sentence that names the step, and leaves no goroutine.
func TestFeedFails(t *testing.T) {
	o := pureGo(t)
	for sentence, fail := range map[string]func() ([]*tensors.Tensor, error){
		"no such file":                   func() ([]*tensors.Tensor, error) { return nil, errors.New("no such file") },
		"Feed panicked: out of pictures": func() ([]*tensors.Tensor, error) { panic("out of pictures") },
		"Feed returned no tensors":       func() ([]*tensors.Tensor, error) { return nil, nil },
		"Feed returned the shapes [(Float32)[2]]; those of the batches before are [(Float32)[16, 2]]": func() (
			[]*tensors.Tensor, error) {
			return []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1, 2}, 2)}, nil
		},
	} {
		p := fedToy(1)
		feed := p.Feed
		p.Feed = func(step int) ([]*tensors.Tensor, error) {
			if step == 7 {
				return fail()
			}
			return feed(step)
		}
		_, err := Run(context.Background(), p, config(100, 0), o)
		require.EqualError(t, err, "training: the batch of step 7 (from 0): "+sentence)
	}
	for _, again := range []int{1, 7} { // while it waits for the device, and after it was freed
		p := fedToy(1)
		feed, list := p.Feed, []*tensors.Tensor(nil)
		p.Feed = func(step int) ([]*tensors.Tensor, error) {
			if step == again {
				return list, nil
			}
			next, err := feed(step)
			if step == 0 {
				list = next
			}
			return next, err
		}
		_, err := Run(context.Background(), p, config(100, 0), o)
		require.EqualError(t, err, fmt.Sprintf("training: the batch of step %d (from 0): Feed returned no new tensor; "+
			"batches are freed after use, so none can be returned again", again))
	}
	requireNoFeeder(t)
}

// TestFeedIsStopped: a training that waits for a batch hears that it is to stop, and saves what it has.
func TestFeedIsStopped(t *testing.T) {
	p, c, o := fedToy(1, 2), config(100, 10), pureGo(t)
	want := mustRun(t, p, c, o)
	o.Dir = t.TempDir()
	for _, last := range []int{0, 33} { // before the first step, and later
		ctx, cancel := context.WithCancel(context.Background())
		slow := p
		slow.Feed = func(step int) ([]*tensors.Tensor, error) {
			if step == last {
				cancel()
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return p.Feed(step)
		}
		_, err := Run(ctx, slow, c, o)
		require.ErrorIs(t, err, ErrInterrupted)
	}
	names := testkit.Must(files(o.Dir, whole))
	require.Len(t, names, 1)
	assert.LessOrEqual(t, stepOf(t, names[0]), 33)
	got := mustRun(t, p, c, o)
	requireSame(t, want, got)
	requireNoFeeder(t)
}
