package rl

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/rl/gridworld"
	"omm-go/ommlx/artifact/run"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/testkit"
)

func TestPaperProtocol(t *testing.T) {
	l := Paper("GridRoom-4", "omm_seq", 11, 4)
	allo := Paper("GridRoom-4", "allo", 11, 10)
	runs := map[string]int{}
	for _, r := range fig1Rows() {
		if r.protocol == PrintedProtocol {
			runs[r.label] = len(r.experiment.Seeds)
		}
	}
	width := []int{256, 256, 256}
	papertest.Protocol(t, papertest.Of(t, "rl-protocol"), map[string]bool{
		`we generated $N=10^6$ transition samples`:                            l.Transitions == 1_000_000,
		`with $3$ hidden layers of $256$ units with ReLU activations`:         slices.Equal(l.Hidden, width),
		`with an output layer of $k = 11$ to learn the top-$k$`:               l.K == 11,
		`using the Adam optimizer with a learning rate of $10^{-3}$`:          l.Train.Adam.LearningRate == 1e-3,
		`In the first $10\%$ of training steps, we also add a linear warm-up`: l.Train.Adam.Schedule.Warmup == 8_000,
		`the suggested initial barrier coefficient $b = 2.0$ and $\alpha_{\text{barrier}} = 0.01$`: allo.Barrier == 2 &&
			allo.BarrierRate == 0.01,
		`We trained with NestedOMM for four random runs, and ALLO with 10 runs.`: runs[labelSequential] == 4 &&
			runs[labelJoint] == 4 && runs[labelALLO] == 10,
	})
	epochs := papertest.Of(t, "rl-epochs")
	papertest.Protocol(t, epochs, map[string]bool{`We trained for 80,000 epochs`: l.Train.Steps == 80_000})
	epochs.Note("80,000 passes over the data would be %.0f million steps",
		80_000*float64(l.Transitions)/float64(l.Batch)/1e6)
}

func TestPaperProtocolOfTable2(t *testing.T) {
	parts := slices.DeleteFunc(tab2Rows(), func(r row) bool { return r.protocol != PrintedProtocol })
	l, retuned := Paper("GridRoom-4", "omm_seq", tab2Modes, 1), parts[1].experiment
	smaller := Paper("GridRoom-4", "omm_seq", 11, 4)
	papertest.Protocol(t, papertest.Of(t, "rl-protocol-50"), map[string]bool{
		`we generate $N = 5 \cdot 10^6$ transition samples from a uniform random policy`: l.Transitions == 5_000_000,
		`keeps the $3$ hidden layers of $256$ units with ReLU activations, but the output layer's dimension is ` +
			`$k = 50$`: slices.Equal(l.Hidden, []int{256, 256, 256}) && l.K == 50,
		`we omit the GridMaze-7 and GridMaze-9 environments`: !slices.Contains(tab2Environments(), "GridMaze-7") &&
			!slices.Contains(tab2Environments(), "GridMaze-9"),
		`The optimization recipe and performance metric remain the same.`: reflect.DeepEqual(l.Train, smaller.Train),
		`After training each environment for four runs`:                   len(parts[0].experiment.Seeds) == 4,
		`with $3$ independent runs per environment`:                       len(parts[1].experiment.Seeds) == 3,
		`$(b, \alpha_{\text{barrier}}) = (1.0, 0.1)$`: retuned.Barrier == 1 &&
			retuned.BarrierRate == 0.1,
		`We train for $5$ independent runs per environment`: len(parts[2].experiment.Seeds) == 5,
	})
}

func TestTheHardInstancesAreThePapers(t *testing.T) {
	claim := papertest.Of(t, "fig1-hard-instances")
	largest, next, nextName := 0.0, math.Inf(1), ""
	for _, name := range gridworld.Names() {
		w := testkit.Must(gridworld.LoadWorld(name))
		gap := w.GapAtTop(spectrumModes)
		hard := slices.Contains(hardInstances, name)
		assert.Equal(t, hard, gap < 1e-4, name)
		if hard {
			largest = max(largest, gap)
		} else if gap < next {
			next, nextName = gap, name
		}
	}
	claim.Note("the largest of the four gaps is %.2g", largest)
	claim.Printed("largest of the four gaps over the smallest of the other environments", largest/next, 1)
	claim.Note("the next is %s with %.2g: the four are not far apart from the others", nextName, next)
}

// A small network must find the top eigenfunctions in order, however the moments are estimated.
func TestOMMLearnsTheTopEigenfunctions(t *testing.T) {
	for _, e := range []Expectation{Exact, AllPairs, Minibatch} {
		l := newTestLab(t)
		x := Paper("GridMaze-9", "omm_seq", 3, 1).Expecting(e)
		x.Transitions, x.Batch, x.Hidden = 100_000, 256, []int{64, 64}
		x = x.WithSteps(1500)
		x.Train.Adam.LearningRate = 3e-3
		r := papertest.Trained[Experiment, Run](t, l, x)
		assert.Less(t, r.History[0].Value[0], 0.8, "before training")
		assert.Greater(t, r.Runs[0].Average, 0.97, "%s", e)
	}
}

func TestPairWeightsAreALaw(t *testing.T) {
	for _, e := range []Expectation{Exact, AllPairs} {
		l := tiny().Expecting(e)
		g := testkit.Must(gridworld.Load(l.Environment))
		data := testkit.FromTensor(testkit.Must(l.data(g)))
		require.Equal(t, []int{len(l.Seeds), g.N(), g.N()}, data.Dims)
		m := data.Run(1).Matrix()
		assert.InDelta(t, 1, mat.Sum(m), 1e-4, "%s", e)
		assert.True(t, mat.EqualApprox(m, m.T(), 0), "%s must be symmetric", e)
	}
}

func tiny() Experiment {
	l := Paper("GridRoom-4", "omm_seq", 4, 2)
	l.Transitions, l.Batch, l.Hidden = 5_000, 64, []int{16, 16}
	return l.WithSteps(40)
}

func newTestLab(t *testing.T) *run.Lab {
	return &run.Lab{Root: t.TempDir(), Profile: run.Smoke, PureGo: true}
}

// A picture contains the functions that were scored. Without it the result is the same.
func TestThePictureIsOfTheScoredFunctions(t *testing.T) {
	plain, e := tiny(), tiny()
	e.Picture = true
	w := testkit.Must(gridworld.LoadWorld(e.Environment))
	for _, seed := range tiny().Seeds {
		e.Seeds, plain.Seeds = []int64{seed}, []int64{seed}
		r := papertest.Trained[Experiment, Run](t, newTestLab(t), e)
		without := papertest.Trained[Experiment, Run](t, newTestLab(t), plain)
		assert.Equal(t, without.Runs, r.Runs)
		assert.Nil(t, without.Picture)
		functions := mat.NewDense(w.Grid.N(), e.K, nil)
		require.Len(t, r.Picture, e.K)
		for i, values := range r.Picture {
			functions.SetCol(i, values)
		}
		modes, _, err := gridworld.CosineSimilarity(w.Truth, functions)
		require.NoError(t, err)
		assert.InDeltaSlice(t, r.Runs[0].PerMode, modes, 1e-3)
	}
}

// The same seeds give the same bits even after an interruption; other seeds give other results.
func TestResumeIsBitIdentical(t *testing.T) {
	runs := papertest.Resumed[Run](t, tiny())
	assert.NotEqual(t, runs[0].PerMode, runs[1].PerMode)
}

// The settings in the public code's files; see [May] and [July].
func TestProtocolsOfThePublicCode(t *testing.T) {
	may := May("GridMaze-26", "omm_seq")
	require.Equal(t, []any{0.5, 0.9, OverlapState, 1e-3, 0, 1_000_000, 50, 1024, 80_000, LinearWeights, NestedPenalty,
		int64(1234), WalksPublic}, []any{may.Shift, may.Gamma, may.Overlap, may.Train.Adam.LearningRate,
		may.Train.Adam.Schedule.Warmup, may.Transitions, may.Length, may.Batch, may.Train.Steps, may.Weights,
		may.Penalty, may.DataSeed, may.Walks})
	require.InDelta(t, 0.5, May("GridRoom-64", "omm_seq").Shift, 0)
	require.Equal(t, SquaredWeights, May("GridRoom-4", "omm_jnt").Weights)

	allo := May("GridRoom-4", "allo")
	require.Equal(t, []any{2.0, 1.0, 0.0, 0}, []any{allo.Barrier, allo.BarrierRate, allo.Shift,
		allo.Train.Adam.Schedule.Warmup})

	july := July("GridMaze-26", "omm_seq")
	require.Equal(t, []any{50, 1.0, 5_000_000, 2e-3, 0, LinearWeights, ReversedPenalty},
		[]any{july.K, july.Shift, july.Transitions, july.Train.Adam.LearningRate, july.Train.Adam.Schedule.Warmup,
			july.Weights, july.Penalty})
	require.InDelta(t, 2e-3, july.WithSteps(1_000).Train.Adam.LearningRate, 0, "fewer steps keep the rate")
	require.Equal(t, 100, julyWarm().WithSteps(1_000).Train.Adam.Schedule.Warmup)
	require.Equal(t, may.Train, mayOf("", "omm_seq", tab2Modes).Train)
	require.Zero(t, may.WithSteps(1_000).Train.Adam.Schedule.Warmup)
}

// With w_i = k − i + 1 a function has the weight w_i in sequential nesting and Σ_{j≥i} α_j = w_i² in joint nesting.
func TestNestingWeights(t *testing.T) {
	require.Equal(t, []float64{3, 2, 1}, LinearWeights.of(ommlx.Sequential, 3))
	joint := SquaredWeights.of(ommlx.Joint, 3)
	require.Equal(t, []float64{5, 3, 1}, joint)
	require.Equal(t, []float64{9, 4, 1}, verify.JointWeights(joint))
	require.Nil(t, Weighting("").of(ommlx.Joint, 3))

	e := July("GridRoom-4", "omm_seq")
	sequential := ommlx.OMM{Nesting: ommlx.Sequential, Weights: e.Weights.of(ommlx.Sequential, 50)}
	want := Penalised{OMM: sequential, Kappa: 1, Reversed: true}
	require.Equal(t, want, testkit.Must(e.objective()))
	e = Paper("GridRoom-4", "allo", 11, 1)
	e.Estimator = Products
	products := ommlx.ALLO{Barrier: 2, BarrierRate: 0.01, Graph: ommlx.GraphProducts}
	require.Equal(t, products, testkit.Must(e.objective()))
}

// Each change makes the experiment invalid; the error names the field.
func TestValidateRejectsBadFields(t *testing.T) {
	for method, list := range map[string]map[string][]func(*Experiment){"omm_seq": {
		"generated":   {func(e *Experiment) { e.Generated = true }},
		"weights":     {func(e *Experiment) { e.Weights = "cubic" }},
		"expectation": {func(e *Experiment) { e.Expectation = "x" }},
		"walks":       {func(e *Experiment) { e.Walks = "x" }, func(e *Experiment) { e.Walks = WalksPublic }},
		"Steps":       {func(e *Experiment) { e.Train.Steps = 0 }},
		"k is 105":    {func(e *Experiment) { e.K = 105 }},
		"gamma":       {func(e *Experiment) { e.Gamma = 1 }},
		"shift":       {func(e *Experiment) { e.Shift = -3 }, func(e *Experiment) { e.Shift = math.NaN() }},
		"batch":       {func(e *Experiment) { e.Batch = 0 }},
		"transitions": {func(e *Experiment) { e.Transitions = 0 }},
		"length":      {func(e *Experiment) { e.Length = 0 }},
		"barrier":     {func(e *Experiment) { e.BarrierRate = 0.1 }},
		"GridRoom-5":  {func(e *Experiment) { e.Environment = "GridRoom-5" }},
		"omm_best":    {func(e *Experiment) { e.Method = "omm_best" }},
		"lora":        {func(e *Experiment) { e.Method, e.Weights = "lora", LinearWeights }},
		"overlap": {func(e *Experiment) { e.Overlap = "first" },
			func(e *Experiment) { e.Overlap, e.Expectation = OverlapStates, AllPairs }},
		"estimator": {func(e *Experiment) { e.Estimator = Products },
			func(e *Experiment) { e.Estimator, e.Penalty = Differences, NestedPenalty }},
		"penalty": {func(e *Experiment) { e.Penalty = "x" },
			func(e *Experiment) { e.Method, e.Penalty = "omm_jnt", ReversedPenalty }},
	}, "allo": {
		"estimator": {func(e *Experiment) { e.Estimator = Differences }},
		"shift":     {func(e *Experiment) { e.Shift = 1 }},
		"overlap":   {func(e *Experiment) { e.Overlap = OverlapStates }},
		"weights":   {func(e *Experiment) { e.Weights = LinearWeights }},
		"penalty":   {func(e *Experiment) { e.Penalty = NestedPenalty }},
	}} {
		for word, changes := range list {
			for _, change := range changes {
				e := Paper("GridRoom-4", method, 11, 1)
				change(&e)
				require.ErrorContains(t, e.Validate(), word)
			}
		}
	}
}

// Runs on shared data have the same episodes.
func TestRunsShareDataOfOneSeed(t *testing.T) {
	e := May("GridRoom-4", "omm_seq")
	e.Seeds, e.Transitions = run.Seeds(2), 2_000
	states := func(e Experiment) (first, second []int32) {
		all := tensors.MustCopyFlatData[int32](testkit.Must(e.Problem()).Data[1])
		return all[:len(all)/2], all[len(all)/2:]
	}
	first, second := states(e)
	require.Equal(t, first, second)
	e.Walks, e.DataSeed = "", 0
	first, second = states(e)
	require.NotEqual(t, first, second, "each run has its own data")
}
