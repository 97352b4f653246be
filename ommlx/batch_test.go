package ommlx_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/artifact/verify"
	"omm-go/ommlx/internal/testkit"
)

// takesForms reports whether an objective needs only ⟨f_i, Tf_j⟩, not Tf.
func takesForms(o ommlx.Objective) bool {
	allo, ok := o.(ommlx.ALLO)
	return !ok || allo.Graph != ommlx.GraphSampled
}

// A form of two terms instead of TF, or F as the batches for M[f], changes neither loss nor gradients nor state.
func TestEquivalentBatchesGiveEqualLosses(t *testing.T) {
	const k = 4
	at := testkit.GaussianPoint(testkit.NewRand(81), 11, k)
	plain := func(_ ommlx.Objective, in []*Node) ommlx.Batch { return ommlx.Batch{F: in[0], TF: in[1]} }
	form := func(_ ommlx.Objective, in []*Node) ommlx.Batch {
		return ommlx.Batch{F: in[0], Form: []ommlx.Term{{Left: in[0], Right: MulScalar(in[1], 0.3)},
			{Left: in[0], Right: MulScalar(in[1], 0.7)}}}
	}
	overlap := func(times int) batching {
		return func(_ ommlx.Objective, in []*Node) ommlx.Batch {
			return ommlx.Batch{F: in[0], TF: in[1], Overlap: slices.Repeat([]*Node{Neg(Neg(in[0]))}, times)}
		}
	}
	identity := func(terms []ommlx.Term) batching {
		return func(_ ommlx.Objective, in []*Node) ommlx.Batch {
			return ommlx.Batch{F: in[0], Identity: 0.3, Form: terms}
		}
	}
	for _, o := range objectives() {
		t.Run(o.Name(), func(t *testing.T) {
			state := lateState(o, 0, k)
			result := func(batchOf batching) []testkit.Array {
				return evaluateAt(t, testkit.Compile(t, onBatch(o, batchOf)), at, state).All
			}
			want := result(plain)
			requireAllClose(t, want, result(overlap(2)), 1e-13, "two batches for M[f]")
			if len(state) < 3 { // not ALLO
				requireAllClose(t, want, result(overlap(1)), 1e-13, "one batch for M[f]")
			}
			if takesForms(o) {
				requireAllClose(t, want, result(form), 1e-11, "a form")
				requireAllClose(t, result(identity(nil)), result(identity([]ommlx.Term{})), 1e-13, "a form of no terms")
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
	}).Call(t, f, matrices, lateState(o, 0, f.Dims[1]))
}

// For symmetric T, OneSided gives f the same gradient, and Tf none. For T = CᵀC the form ⟨Cf_i, Cf_j⟩ gives f the same
// gradient as Tf.
func TestOneSidedTrainsAsTwoSided(t *testing.T) {
	claim := papertest.Of(t, "lora-omm-same-gradient-cost")
	const batch, rows, k = 7, 5, 4
	rng := testkit.NewRand(83)
	f := testkit.Gaussian(rng, batch, k)
	a, _ := verify.Symmetric(rng, []float64{4, 3, 2, 1, 0.5, -1, -2})
	matrix := []testkit.Array{testkit.FromMatrix(a)}
	c := verify.Gaussian(rng, rows, batch)
	factors := []testkit.Array{testkit.FromMatrix(c), testkit.FromMatrix(c.T())}
	both := func(f, _, tf *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: tf} }
	for _, o := range objectives() {
		if !takesForms(o) {
			continue
		}
		t.Run(o.Name(), func(t *testing.T) {
			want := trained(t, o, f, factors, both)
			got := trained(t, o, f, factors, func(f, cf, _ *Node) ommlx.Batch {
				cf = MulScalar(cf, math.Sqrt(float64(rows)/float64(batch))) // means are over rows, not over the batch
				return ommlx.Batch{F: f, Form: []ommlx.Term{{Left: cf, Right: cf}}}
			})
			got[2] = want[2] // no Tf
			requireAllClose(t, want, got, 1e-11, "form")

			two := trained(t, o, f, matrix, both)
			one := trained(t, o, f, matrix, func(f, _, tf *Node) ommlx.Batch {
				return ommlx.Batch{F: f, TF: tf, OneSided: true}
			})
			if o.Name() == "omm" || o.Name() == "lora" {
				claim.Printed("relative difference of the gradients with and without a part through Tf, "+o.Name(),
					testkit.Difference(two[1], one[1]), 1e-11)
			}
			two[2] = testkit.NewArray(batch, k)
			requireAllClose(t, two, one, 1e-11, "one side")
		})
	}
}

func TestErrorsNameTheInvalidPartOfABatch(t *testing.T) {
	same := func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: f} }
	form := func(terms ...ommlx.Term) func(f *Node) ommlx.Batch {
		return func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, Form: terms} }
	}
	for _, c := range []struct {
		want      string
		objective ommlx.Objective
		batch     func(f *Node) ommlx.Batch
	}{
		{"needs F", ommlx.OMM{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f} }},
		{"needs F", ommlx.OMM{}, form([]ommlx.Term{}...)},
		{"TF is", ommlx.LoRA{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: Transpose(f, 0, 1)} }},
		{"[batch k]", ommlx.Sanger{}, func(f *Node) ommlx.Batch { return same(Reshape(f, -1)) }},
		{"float", ommlx.OMM{}, func(f *Node) ommlx.Batch { return same(ConvertDType(f, dtypes.Int32)) }},
		{"Nesting is 7", ommlx.OMM{Nesting: 7}, same},
		{"allo", ommlx.ALLO{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: f, OneSided: true} }},
		{"allo", ommlx.ALLO{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, Form: []ommlx.Term{{f, f}}} }},
		{"shifted", ommlx.ALLO{}, func(f *Node) ommlx.Batch { return same(f).Shift(0.5) }},
		{"Form[0]", ommlx.OMM{}, form(ommlx.Term{})},
		{"Form[0]", ommlx.LoRA{}, func(f *Node) ommlx.Batch {
			g := Transpose(f, 0, 1)
			return ommlx.Batch{F: f, Form: []ommlx.Term{{g, g}}}
		}},
		{"Overlap", ommlx.OMM{}, func(f *Node) ommlx.Batch {
			return ommlx.Batch{F: f, TF: f, Overlap: []*Node{Transpose(f, 0, 1)}}
		}},
	} {
		p := testkit.Compile(t, func(in []*Node) []*Node {
			loss, _ := c.objective.Loss(c.batch(in[0]), in[1:])
			return []*Node{loss}
		})
		_, err := p.Try(testkit.NewArray(8, 3), initState(c.objective, 0, 3))
		require.ErrorContains(t, err, c.want)
	}
}
