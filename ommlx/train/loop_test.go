package train

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx/internal/tensorx"
	"omm-go/ommlx/internal/testkit"
	"omm-go/ommlx/optim"
)

// TestManyStepsInOneCall compares, bit for bit, calls of many steps with one call per step and other lengths.
func TestManyStepsInOneCall(t *testing.T) {
	t.Parallel()
	o := here(t)
	o.Eval = size
	const steps = 91
	whole := mustRun(t, toy(16, 1, 2), config(steps, 13), o)
	require.Equal(t, steps, whole.Step)
	require.Len(t, whole.History, 1+steps/13)
	assert.Less(t, whole.History[7].Loss[0], whole.History[1].Loss[0], "it learns")

	other := mustRun(t, toy(16, 1, 2), config(steps, 1), o) // calls of one step, of a program with a loop
	require.Equal(t, content(whole.Params), content(other.Params))
	require.Equal(t, content(whole.Average), content(other.Average))
	testkit.XLA(t) // pure Go has no loop on the device
	o.oneStep = true
	requireSame(t, whole, mustRun(t, toy(16, 1, 2), config(steps, 13), o))
}

// TestHistory: a point has the mean loss over the steps since the previous point, and the value of the parameters.
func TestHistory(t *testing.T) {
	o := pureGo(t)
	o.Eval = size
	const steps, every = 50, 20 // the last point comes after 10 steps
	single := mustRun(t, toy(8, 3, 4), config(steps, 1), o).History
	points := mustRun(t, toy(8, 3, 4), config(steps, every), o).History
	require.Len(t, single, steps+1)
	require.Len(t, points, 4)
	require.Nil(t, points[0].Loss)
	last := 0
	for _, p := range points {
		assert.Equal(t, single[p.Step].Value, p.Value)
		for r := range p.Loss {
			sum := 0.0
			for s := last + 1; s <= p.Step; s++ {
				sum += single[s].Loss[r]
			}
			assert.InEpsilon(t, sum/float64(p.Step-last), p.Loss[r], 1e-6)
		}
		last = p.Step
	}
	assert.Equal(t, []int{0, 20, 40, 50}, []int{points[0].Step, points[1].Step, points[2].Step, points[3].Step})
	only := mustRun(t, toy(8, 3, 4), config(steps, 0), o).History
	require.Len(t, only, 1, "without EvalEvery: at the end")
	assert.Equal(t, points[3].Value, only[0].Value)
}

// The last report of a training that Options.Stop ended has all its steps.
func TestLastReportOfATrainingThatStopEnds(t *testing.T) {
	o := pureGo(t)
	var last Status
	o.Progress = func(s Status) { last = s }
	o.Stop = func(history []Point) bool { return len(history) == 3 }
	mustRun(t, toy(8, 3, 4), config(50, 10), o)
	assert.Equal(t, [2]int{20, 20}, [2]int{last.Step, last.Steps})
	assert.False(t, last.Stopped)
}

// TestAverageFollowsTheParameters after every step.
func TestAverageFollowsTheParameters(t *testing.T) {
	o := pureGo(t)
	var want []float64
	o.Eval = func(s Snapshot) ([]float64, error) {
		now := ofRun(s.Params, 0)
		if s.Step == 0 {
			want = now
		} else {
			for i := range want {
				want[i] = 0.9*want[i] + 0.1*now[i]
			}
		}
		return []float64{0}, nil
	}
	result := mustRun(t, toy(4, 1), config(30, 1), o)
	assert.InDeltaSlice(t, want, ofRun(result.Average, 0), 1e-6)
	assert.NotEqual(t, ofRun(result.Params, 0), ofRun(result.Average, 0))
}

// TestProgramIsBuiltOnce: the loss is built into a program once, however many calls the training takes.
func TestProgramIsBuiltOnce(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{here(t), pureGo(t)} {
		built, calls := 0, 0
		o.Progress = func(Status) { calls++ }
		mustRun(t, also(toy(4, 1), func(Inputs) { built++ }), config(12, 2), o)
		assert.GreaterOrEqual(t, calls, 6)
		assert.Equal(t, 1, built)
	}
}

func TestInvalidProblems(t *testing.T) {
	o := pureGo(t)
	changed := func(change func(p *Problem)) Problem {
		p := toy(4, 1, 2)
		change(&p)
		return p
	}
	for word, c := range map[string]struct {
		problem Problem
		config  Config
		options Options
	}{
		"Steps":     {toy(4, 1), Config{}, o},
		"EvalEvery": {toy(4, 1), config(1, -1), o},
		"β₁":        {toy(4, 1), Config{Steps: 1, Optimiser: optim.Adam{Beta1: 2}}, o},
		"EMA":       {toy(4, 1), Config{Steps: 1, EMA: optim.EMA{Decay: 1}}, o},
		"Backend":   {toy(4, 1), config(1, 0), Options{}},
		"Seeds":     {Problem{}, config(1, 0), o},
		"Params is": {changed(func(p *Problem) { p.Params = nil }), config(1, 0), o},
		"Loss":      {changed(func(p *Problem) { p.Loss = nil }), config(1, 0), o},
		"1 runs":    {changed(func(p *Problem) { p.Seeds = p.Seeds[:1] }), config(1, 0), o},
		"Int32":     {changed(func(p *Problem) { p.Params[1] = vector(dtypes.Int32, 2) }), config(1, 0), o},
		"want [2] and 2": {changed(func(p *Problem) {
			p.Loss = func(in Inputs) (*Node, []*Node) { return ReduceAllSum(in.Params[0]), in.State }
		}), config(1, 0), o},
		"the loss": {changed(func(p *Problem) {
			p.Loss = func(in Inputs) (*Node, []*Node) { return nil, in.State }
		}), config(1, 0), o},
		"state 0": {changed(func(p *Problem) {
			p.Loss = func(in Inputs) (*Node, []*Node) { return ReduceSum(in.Params[1], 1), in.Params[:2] }
		}), config(1, 0), o},
	} {
		_, err := Run(context.Background(), c.problem, c.config, c.options)
		assert.ErrorContains(t, err, word)
	}
	o.Eval = func(Snapshot) ([]float64, error) { return nil, os.ErrInvalid }
	_, err := Run(context.Background(), toy(4, 1), config(1, 0), o)
	assert.ErrorIs(t, err, os.ErrInvalid)
}

// TestEnginesAndPrecisionsAgree: a training learns, and has the same results in pure Go, and in float32 and float64 on
// the engine of this machine.
func TestEnginesAndPrecisionsAgree(t *testing.T) {
	t.Parallel()
	double := fit(1, 2)
	double.Params = xslices.Map(double.Params, func(x *tensors.Tensor) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions(tensorx.Numbers(x), x.Shape().Dimensions...)
	})
	loss := double.Loss
	double.Loss = func(in Inputs) (*Node, []*Node) {
		in.Data = []*Node{ConvertDType(in.Data[0], dtypes.Float64)}
		return loss(in)
	}
	want := mustRun(t, fit(1, 2), config(150, 50), pureGo(t))
	for _, p := range []Problem{fit(1, 2), double} {
		got := mustRun(t, p, config(150, 50), here(t))
		assert.Equal(t, p.Params[0].DType(), got.Params[0].DType())
		for r := range 2 {
			assert.Less(t, got.History[3].Loss[r], got.History[1].Loss[r]/2, "it learns")
			assert.InDeltaSlice(t, ofRun(want.Params, r), ofRun(got.Params, r), 1e-4)
			assert.InEpsilon(t, want.History[3].Loss[r], got.History[3].Loss[r], 1e-4)
		}
	}
}

// TestRunDoesNotDependOnOtherRuns, except for the rounding of products of another shape.
func TestRunDoesNotDependOnOtherRuns(t *testing.T) {
	t.Parallel()
	seeds := []int64{5, 6}
	c := config(300, 50)
	together := mustRun(t, toy(16, seeds...), c, here(t))
	const r = 1
	alone := mustRun(t, toy(16, seeds[r]), c, here(t))
	assert.InDeltaSlice(t, ofRun(alone.Params, 0), ofRun(together.Params, r), 1e-4)
	for i := 1; i < len(alone.History); i++ {
		assert.InEpsilon(t, alone.History[i].Loss[0], together.History[i].Loss[r], 1e-4)
	}
	assert.Greater(t, math.Abs(ofRun(together.Params, 0)[0]-ofRun(together.Params, 1)[0]), 1e-3, "runs differ")
}

// TestRandomNumbersOfARun depend only on the run's seed, bit for bit, and continue from call to call.
func TestRandomNumbersOfARun(t *testing.T) {
	t.Parallel()
	draws := func(seeds ...int64) [][]float64 {
		states := testkit.Must(randomStates(seeds))
		exec := testkit.Must(NewExec(here(t).Backend, func(states *Node) []*Node {
			r := newRandom(states)
			return []*Node{r.Uniform(dtypes.Float32, 40, 2), r.Normal(dtypes.Float32, 50), r.Uniform(dtypes.Float64, 7),
				ConvertDType(r.IntN(1000, 30), dtypes.Float64), r.packed()}
		}))
		defer exec.Finalize()
		perRun := make([][]float64, len(seeds))
		for range 2 {
			out := testkit.Must(exec.Call(states))
			states = out[4]
			for i := range perRun {
				perRun[i] = append(perRun[i], ofRun(out[:4], i)...)
			}
		}
		return perRun
	}
	together := draws(11, 12)
	assert.Equal(t, draws(12)[0], together[1])
	half := len(together[0]) / 2
	for i := range half {
		require.NotEqual(t, together[0][i], together[1][i], "seeds share number %d", i)
	}
	assert.NotEqual(t, together[0][:half], together[0][half:], "the second call repeats the first")
}

// TestPerRunInJSON: NaN and the infinities are strings, and no other strings are read.
func TestPerRunInJSON(t *testing.T) {
	text := testkit.Must(json.Marshal(Point{Step: 1, Loss: PerRun{0.5, math.NaN(), math.Inf(1), math.Inf(-1)}}))
	assert.Equal(t, `{"step":1,"loss":[0.5,"NaN","+Inf","-Inf"]}`, string(text))
	var out Point
	require.NoError(t, json.Unmarshal(text, &out))
	assert.Equal(t, []float64{0.5, math.Inf(1), math.Inf(-1)}, slices.Delete([]float64(out.Loss), 1, 2))
	for _, bad := range []string{`{}`, `["nan"]`, `["1"]`, `[true]`, `[null]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &out.Loss), bad)
	}
}

// TestStepsKeepTheMemoryOfTheOptimiser: on ½Σ aθ² steps with momentum equal those computed by hand.
func TestStepsKeepTheMemoryOfTheOptimiser(t *testing.T) {
	t.Parallel()
	const steps = 25
	a, start := []float32{1, 3, 0.5}, []float32{1, -2, 3, 4, 5, 6}
	bowl := func(in Inputs) (*Node, []*Node) {
		terms := Mul(Square(in.Params[0]), BroadcastPrefix(in.Data[0], 2))
		return MulScalar(ReduceSum(terms, 1), 0.5), nil
	}
	h := optim.SGD{LearningRate: 0.1, Momentum: 0.8}
	want := make([]float64, len(start))
	for i, s := range start {
		theta, v := float64(s), 0.0
		for range steps {
			v = h.Momentum*v + float64(a[i%3])*theta
			theta -= h.LearningRate * v
		}
		want[i] = theta
	}
	for _, o := range []Options{here(t), pureGo(t)} {
		p := Problem{Seeds: []int64{1, 2}, Loss: bowl,
			Params: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(start, 2, 3)},
			Data:   []*tensors.Tensor{tensors.FromFlatDataAndDimensions(a, 3)}}
		result := mustRun(t, p, Config{Steps: steps, Optimiser: h}, o)
		assert.InDeltaSlice(t, want, tensorx.Numbers(result.Params[0]), 1e-5)
	}
}

func TestNoOptimiserIsAdam(t *testing.T) {
	c := Config{Steps: 20}
	without := mustRun(t, toy(4, 1), c, pureGo(t))
	c.Optimiser = optim.Adam{}
	requireSame(t, mustRun(t, toy(4, 1), c, pureGo(t)), without)
}
