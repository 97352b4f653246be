package rl

import (
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/artifact/lab"
	"operator-omm/ommlx/internal/testkit"
)

// The numbers of the public code, by its file and commit; see [May] and [July].
func TestTheProtocolsOfThePublicCode(t *testing.T) {
	may := May("GridMaze-26", "omm_seq", 4)
	require.Equal(t, []any{0.5, 0.9, OverlapState, 1e-3, 0, 1_000_000, 50, 1024, 80_000}, []any{may.Shift, may.Gamma,
		may.Overlap, may.Train.Adam.LearningRate, may.Train.Adam.Schedule.Warmup, may.Transitions, may.Length,
		may.Batch,
		may.Train.Steps})
	require.Equal(t, Form{Weights: LinearWeights, Penalty: NestedPenalty}, may.Form)
	require.Equal(t, []any{int64(1234), WalksPublic}, []any{may.DataSeed, may.Walks})
	require.InDelta(t, 1, May("GridRoom-64", "omm_seq", 1).Shift, 0)
	require.Equal(t, SquaredWeights, May("GridRoom-4", "omm_jnt", 1).Weights)

	allo := May("GridRoom-4", "allo", 1)
	require.Equal(t, []any{2.0, 1.0, 0.0, 0}, []any{allo.Barrier, allo.BarrierRate, allo.Shift,
		allo.Train.Adam.Schedule.Warmup})

	july := July("GridMaze-26", "omm_seq", 1, 0, 0)
	require.Equal(t, []any{50, 1.0, 5_000_000, 2e-3, 8_000}, []any{july.K, july.Shift, july.Transitions,
		july.Train.Adam.LearningRate, july.Train.Adam.Schedule.Warmup})
	require.Equal(t, Form{Weights: LinearWeights, Penalty: ReversedPenalty}, july.Form)
	require.InDelta(t, 2e-3, july.WithSteps(1_000).Train.Adam.LearningRate, 0, "fewer steps keep the rate")
	require.Equal(t, 100, july.WithSteps(1_000).Train.Adam.Schedule.Warmup)
	require.Zero(t, may.WithSteps(1_000).Train.Adam.Schedule.Warmup)
}

// With w_i = k − i + 1 a function of sequential nesting has the weight w_i, and of joint nesting Σ_{j≥i} α_j = w_i².
func TestWeightsOfTheForms(t *testing.T) {
	require.Equal(t, []float64{3, 2, 1}, LinearWeights.of(ommlx.Sequential, 3))
	joint := SquaredWeights.of(ommlx.Joint, 3)
	require.Equal(t, []float64{5, 3, 1}, joint)
	require.Equal(t, []float64{9, 4, 1}, ommlx.JointWeights(joint))
	require.Nil(t, TextWeights.of(ommlx.Joint, 3))

	o := testkit.Must(July("GridRoom-4", "omm_seq", 1, 0, 0).objective())
	p, ok := o.(ommlx.Penalised)
	require.True(t, ok)
	require.True(t, p.Reversed)
	require.InDelta(t, 1, p.Kappa, 0)
	require.Len(t, p.Weights, 50)
}

func TestExperimentsThatDoNotFit(t *testing.T) {
	for want, change := range map[string]func(*Experiment){
		`unknown weights "cubic"; use one of ["" "linear" "squared"]`: func(e *Experiment) { e.Weights = "cubic" },
		`unknown penalty "x"`:        func(e *Experiment) { e.Penalty = "x" },
		`unknown estimator "x"`:      func(e *Experiment) { e.Estimator = "x" },
		`unknown walks "x"`:          func(e *Experiment) { e.Walks = "x" },
		`unknown expectation "x"`:    func(e *Experiment) { e.Expectation = "x" },
		`source of M[f] "first"`:     func(e *Experiment) { e.Overlap = "first" },
		"must not be negative":       func(e *Experiment) { e.DataSeed = -1 },
		"steps":                      func(e *Experiment) { e.Train.Steps = 0 },
		"of states, is 105":          func(e *Experiment) { e.K = 105 },
		"discount":                   func(e *Experiment) { e.Gamma = 1 },
		"shift":                      func(e *Experiment) { e.Shift = -3 },
		"transitions is -1":          func(e *Experiment) { e.Transitions = -1 },
		"batch":                      func(e *Experiment) { e.Batch = 0 },
		"GridRoom-5":                 func(e *Experiment) { e.Environment = "GridRoom-5" },
		"omm_best":                   func(e *Experiment) { e.Method = "omm_best" },
		"simclr is for views":        func(e *Experiment) { e.Method = "simclr" },
		"samples that could be":      func(e *Experiment) { e.Overlap, e.Expectation = OverlapStates, AllPairs },
		"belong to ALLO; omm_seq":    func(e *Experiment) { e.Barrier = 2 },
		"do not go together":         func(e *Experiment) { e.Estimator, e.Penalty = Differences, NestedPenalty },
		"products\" is what omm_seq": func(e *Experiment) { e.Estimator = Products },
		"reversed penalty is one":    func(e *Experiment) { e.Method, e.Penalty = "omm_jnt", ReversedPenalty },
		"transitions, not 40":        func(e *Experiment) { e.Walks, e.Length = WalksPublic, 40 },
		"leave both empty for lora":  func(e *Experiment) { e.Method, e.Weights = "lora", LinearWeights },
		"are for a minibatch": func(e *Experiment) {
			*e = e.Expecting(Exact)
			e.Penalty = NestedPenalty
		},
		`"differences" is what allo has anyway`: func(e *Experiment) {
			*e = Paper("GridRoom-4", "allo", 11, 1)
			e.Estimator = Differences
		},
		"I − P and takes none": func(e *Experiment) {
			*e = Paper("GridRoom-4", "allo", 11, 1)
			e.Shift = 1
		},
		"ALLO's constraint always is from two batches of states; leave overlap empty": func(e *Experiment) {
			*e = Paper("GridRoom-4", "allo", 11, 1)
			e.Overlap = OverlapStates
		},
	} {
		e := Paper("GridRoom-4", "omm_seq", 11, 1)
		change(&e)
		require.ErrorContains(t, e.Validate(), want)
	}
	_, err := lab.NewJob(Paper("GridRoom-4", "allo", 3, 0))
	require.ErrorContains(t, err, "the number of runs is 0")
}

// Runs on shared data have one law of pairs, and differ in initial weights alone; the public walks are those of their
// seed.
func TestRunsOnSharedData(t *testing.T) {
	e := May("GridRoom-4", "omm_seq", 2)
	e.Transitions = 2_000
	states := func(e Experiment) (first, second []int32) {
		all := tensors.MustCopyFlatData[int32](testkit.Must(e.Problem()).Data[1])
		return all[:len(all)/2], all[len(all)/2:]
	}
	first, second := states(e)
	require.Equal(t, first, second)
	e.Walks, e.DataSeed = WalksOwn, 0
	first, second = states(e)
	require.NotEqual(t, first, second, "each run its own")
}

// ALLO from products of moments is finite and moves the network, as the other forms do whose numbers
// TestAKeyMeansWhatItMeant records.
func TestALLOFromProductsTrains(t *testing.T) {
	place, _ := newTestLab(t)
	e := Paper("GridRoom-4", "allo", 11, 1)
	e.Estimator = Products
	r := testkit.Must(lab.Run(t.Context(), place, e.smoke(1)))
	require.Zero(t, r.Runs[0].Diverged)
	require.NotEqual(t, r.History[0].Value[0], r.Runs[0].Average)
}

// TestAbsurdSizesAreRefused, of each field that memory depends on, before anything is allocated.
func TestAbsurdSizesAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Experiment){
		"transitions is 1000000000000": func(e *Experiment) { e.Transitions = 1e12 },
		"episode length is 4611686018": func(e *Experiment) { e.Length = 1 << 62 },
		"batch is 2147483648":          func(e *Experiment) { e.Batch = 1 << 31 },
		"width 1099511627776":          func(e *Experiment) { e.Hidden = []int{1 << 40} },
		"steps is 1099511627776":       func(e *Experiment) { e.Train.Steps = 1 << 40 },
	} {
		e := Paper("GridRoom-4", "omm_seq", 11, 1)
		change(&e)
		require.ErrorContains(t, e.Validate(), want)
	}
}
