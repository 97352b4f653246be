package ommlx_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/testkit"
)

// F as the batches for M[f] changes neither loss nor gradients nor state.
func TestEquivalentBatchesGiveEqualLosses(t *testing.T) {
	const k = 4
	at := testkit.GaussianPoint(testkit.NewRand(81), 11, k)
	plain := func(_ ommlx.Objective, in []*Node) ommlx.Batch { return ommlx.Batch{F: in[0], TF: in[1]} }
	overlap := func(times int) testkit.Batching {
		return func(_ ommlx.Objective, in []*Node) ommlx.Batch {
			return ommlx.Batch{F: in[0], TF: in[1], Overlap: slices.Repeat([]*Node{Neg(Neg(in[0]))}, times)}
		}
	}
	for _, o := range objectives() {
		t.Run(o.Name(), func(t *testing.T) {
			state := testkit.LateState(o, 0, k)
			result := func(batchOf testkit.Batching) []testkit.Array {
				return testkit.EvaluateAt(t, testkit.Compile(t, testkit.OnBatch(o, batchOf)), at, state).All
			}
			want := result(plain)
			testkit.RequireAllClose(t, want, result(overlap(2)), 1e-13, "two batches for M[f]")
			if len(state) < 3 { // not ALLO
				testkit.RequireAllClose(t, want, result(overlap(1)), 1e-13, "one batch for M[f]")
			}
		})
	}
}

// trained returns the loss, the gradients for f and Tf and the next state of an objective, where T is a product of
// matrices; cf is the result before the last one is applied.
func trained(t *testing.T, o ommlx.Objective, f testkit.Array, matrices []testkit.Array,
	batch func(f, cf, tf *Node) ommlx.Batch) []testkit.Array {
	last := 1 + len(matrices)
	return testkit.Compile(t, func(in []*Node) []*Node {
		cf, tf := in[0], in[0]
		for _, m := range in[1:last] {
			cf, tf = tf, DotGeneral(m, []int{1}, nil, tf, []int{0}, nil)
		}
		loss, next := o.Loss(batch(in[0], cf, tf), in[last:])
		return append([]*Node{loss, Gradient(loss, in[0])[0], Gradient(loss, tf)[0]}, next...)
	}).Call(t, f, matrices, testkit.LateState(o, 0, f.Dims[1]))
}

// For symmetric T, OneSided gives f the same gradient, and Tf none. For T = CᵀC the factors Cf and Cf give f the same
// gradient as f and Tf.
func TestOneSidedTrainsAsTwoSided(t *testing.T) {
	const batch, rows, k = 7, 5, 4
	rng := testkit.NewRand(83)
	f, c := testkit.Gaussian(rng, batch, k), testkit.Gaussian(rng, rows, batch)
	factors := []testkit.Array{c, testkit.FromMatrix(c.Matrix().T())}
	both := func(f, _, tf *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: tf} }
	for _, o := range objectives() {
		if ommlx.TraitsOf(o).Sampled {
			continue
		}
		t.Run(o.Name(), func(t *testing.T) {
			two := trained(t, o, f, factors, both)
			one := trained(t, o, f, factors, func(f, _, tf *Node) ommlx.Batch {
				return ommlx.Batch{F: f, TF: tf, OneSided: true}
			})
			if _, shifted := o.(ommlx.Shifted); !shifted && !ommlx.TraitsOf(o).Differences { // nor ALLO
				form := trained(t, o, f, factors, func(f, cf, _ *Node) ommlx.Batch {
					cf = MulScalar(cf, math.Sqrt(float64(rows)/float64(batch))) // means are over rows, not the batch
					return ommlx.Batch{F: cf, TF: cf, Overlap: []*Node{f}}
				})
				form[2] = two[2] // no Tf
				testkit.RequireAllClose(t, two, form, 1e-11, "form")
			}
			two[2] = testkit.NewArray(batch, k)
			testkit.RequireAllClose(t, two, one, 1e-11, "one side")
		})
	}
}

// With differences, the loss for T + κI is 1 + κ times the loss of I, with the two batches for M[f] in either order,
// and the loss of the other part, M[f,Tf] = −D[f].
func TestDifferencesAddTheIdentityAndTheRest(t *testing.T) {
	const k, kappa = 4, 0.7
	rng := testkit.NewRand(84)
	at := testkit.GaussianPoint(rng, 9, k)
	rest := func(in []*Node) ommlx.Batch {
		d := Sub(in[0], in[1])
		return ommlx.Batch{F: d, TF: MulScalar(d, -0.5), Overlap: in[2:]}
	}
	for _, o := range []ommlx.Objective{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Joint},
		ommlx.OMM{Nesting: ommlx.Sequential}, ommlx.OMM{Orders: ommlx.Order(2)}, ommlx.Sanger{}} {
		losses := testkit.Compile(t, func(in []*Node) []*Node {
			loss := func(o ommlx.Objective, b ommlx.Batch) *Node { l, _ := o.Loss(b, nil); return l }
			one := loss(o, ommlx.Batch{F: in[2], TF: in[2], Overlap: in[3:]})
			two := loss(o, ommlx.Batch{F: in[3], TF: in[3], Overlap: in[2:3]})
			want := Add(MulScalar(Add(one, two), (1+kappa)/2), loss(o, rest(in)))
			got := loss(ommlx.Shifted{Objective: o, Kappa: kappa}, ommlx.Differences(in[0], in[1], in[2:]...))
			noIdentity := loss(ommlx.Shifted{Objective: o, Kappa: -1}, ommlx.Differences(in[0], in[1], in[2:]...))
			return []*Node{want, got, loss(o, rest(in)), noIdentity}
		}).Call(t, at.Parts())
		testkit.RequireClose(t, losses[0], losses[1], 1e-12, o.Name())
		testkit.RequireClose(t, losses[2], losses[3], 1e-12, o.Name())
	}
	moments := testkit.Compile(t, func(in []*Node) []*Node {
		b, d := ommlx.Differences(in[0], in[1], in[2:]...), Sub(in[0], in[1])
		m, mT := b.Moments(ommlx.NoNesting)
		seq, seqT := b.Moments(ommlx.Sequential)
		one := MulScalar(Add(ommlx.SecondMoment(in[2], in[2]), ommlx.SecondMoment(in[3], in[3])), 0.5)
		applied := Sub(ommlx.SecondMoment(in[0], in[0]), MulScalar(ommlx.SecondMoment(d, d), 0.5))
		return []*Node{one, applied, one, applied, m, mT, seq, seqT}
	}).Call(t, at.Parts())
	testkit.RequireAllClose(t, moments[:4], moments[4:], 1e-12, "moments")
}

func TestErrorsNameTheInvalidPartOfABatch(t *testing.T) {
	same := func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: f} }
	for _, c := range []struct {
		want      string
		objective ommlx.Objective
		batch     func(f *Node) ommlx.Batch
	}{
		{"needs F", ommlx.OMM{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f} }},
		{"TF is", ommlx.LoRA{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: Transpose(f, 0, 1)} }},
		{"[batch k]", ommlx.Sanger{}, func(f *Node) ommlx.Batch { return same(Reshape(f, -1)) }},
		{"float", ommlx.OMM{}, func(f *Node) ommlx.Batch { return same(ConvertDType(f, dtypes.Int32)) }},
		{"Nesting is 7", ommlx.OMM{Nesting: 7}, same},
		{"OneSided", ommlx.ALLO{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: f, OneSided: true} }},
		{"Differences", ommlx.ALLO{}, func(f *Node) ommlx.Batch { return ommlx.Differences(f, f) }},
		{"shifted", ommlx.Shifted{Objective: ommlx.ALLO{}, Kappa: 0.5}, same},
		{"Overlap", ommlx.OMM{}, func(f *Node) ommlx.Batch {
			return ommlx.Batch{F: f, TF: f, Overlap: []*Node{Transpose(f, 0, 1)}}
		}},
	} {
		p := testkit.Compile(t, func(in []*Node) []*Node {
			loss, _ := c.objective.Loss(c.batch(in[0]), in[1:])
			return []*Node{loss}
		})
		_, err := p.Try(testkit.NewArray(8, 3), testkit.InitState(c.objective, 0, 3))
		require.ErrorContains(t, err, c.want)
	}
}

func TestErrorsNameTheInvalidSetting(t *testing.T) {
	for name, c := range map[string]struct {
		objective ommlx.Objective
		k         int
		want      string
	}{
		"nil":               {nil, 3, "is nil"},
		"no functions":      {ommlx.OMM{}, 0, "at least 1"},
		"negative weight":   {ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{1, -1, 1}}, 3, "Weights[1] is -1"},
		"zero weight":       {ommlx.LoRA{Nesting: ommlx.Joint, Weights: []float64{1, 1, 0}}, 3, "Weights[2] is 0"},
		"too few weights":   {ommlx.LoRA{Nesting: ommlx.Joint, Weights: []float64{1, 1}}, 3, "Weights has 2 entries"},
		"weights unused":    {ommlx.OMM{Weights: []float64{1, 1, 1}}, 3, "Weights"},
		"weight of seq":     {ommlx.OMM{Nesting: ommlx.Sequential, Weights: []float64{1, 1, 0}}, 3, "Weights[2] is 0"},
		"unknown nesting":   {ommlx.OMM{Nesting: 7}, 3, "Nesting is 7"},
		"sequential OMM-2":  {ommlx.OMM{Orders: []float64{0, 1}, Nesting: ommlx.Sequential}, 3, "needs order 1"},
		"no order":          {ommlx.OMM{Orders: []float64{0, 0}}, 3, "Orders is [0 0]"},
		"order 31":          {ommlx.OMM{Orders: ommlx.Order(31)}, 3, "at most 30"},
		"negative order":    {ommlx.OMM{Orders: []float64{1, -1}}, 3, "Orders[1] is -1"},
		"ALLO, negative":    {ommlx.ALLO{DualRate: -1}, 3, "DualRate is -1"},
		"ALLO, above bound": {ommlx.ALLO{Barrier: 2e4}, 3, "Barrier is 20000"},
		"ALLO, graph":       {ommlx.ALLO{Graph: 5}, 3, "Graph is 5"},
		"ALLO, shifted":     {ommlx.Shifted{Objective: ommlx.ALLO{}, Kappa: 1}, 3, "cannot be shifted"},
		"ALLO, nested": {ommlx.Shifted{Objective: ommlx.Shifted{Objective: ommlx.ALLO{}}, Kappa: 1}, 3,
			"cannot be shifted"},
		"SpIN, above 1":     {ommlx.SpIN{Decay: 1.5}, 2, "spin: Decay is 1.5"},
		"SpIN, negative":    {ommlx.SpIN{Decay: -0.1}, 2, "Decay is -0.1"},
		"nested in a shift": {ommlx.Shifted{Objective: ommlx.OMM{Nesting: 7}, Kappa: 1}, 3, "Nesting is 7"},
		"shift of nothing":  {ommlx.Shifted{Kappa: 1}, 3, "is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, ommlx.Check(c.objective, c.k), c.want)
		})
	}
}
