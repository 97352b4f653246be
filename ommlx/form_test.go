package ommlx_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/theory"
)

// takesForms says whether an objective needs no Tf but ⟨f_i, Tf_j⟩.
func takesForms(o ommlx.Objective) bool {
	switch o := o.(type) {
	case ommlx.ALLO:
		return o.Graph != ommlx.GraphSampled
	case ommlx.SimCLR:
		return false
	}
	return true
}

// A form that is ⟨f_i, Tf_j⟩ in two parts is the same to every objective as TF.
func TestFormOfTFItself(t *testing.T) {
	const batch, k = 11, 4
	at := ommtest.GaussianPoint(graphtest.NewRand(81), batch, k)
	for _, o := range objectives(t) {
		if !takesForms(o) {
			continue
		}
		t.Run(o.Name(), func(t *testing.T) {
			state := lateState(o, 0, k)
			want := ommtest.EvaluateOnce(t, o, at, state)
			got := ommtest.Evaluate(t, graphtest.NewProgram(t, func(in []*Node) []*Node {
				b := ommtest.Shared(o, in)
				b.TF = nil
				for _, part := range []float64{0.3, 0.7} {
					b.Form = append(b.Form, ommlx.Term{Left: in[0], Right: MulScalar(in[1], part)})
				}
				loss, next := o.Loss(b, in[4:])
				return append(append([]*Node{loss}, Gradient(loss, in[:4]...)...), next...)
			}), at, state)
			for i, want := range want.Everyone {
				graphtest.RequireClose(t, want, got.Everyone[i], 1e-11, "result")
			}
		})
	}
}

// For a symmetric T one side alone trains f as both do, and Tf has no gradient.
func TestOneSidedTrainsAsTwoSided(t *testing.T) {
	claim := ommtest.Of(t, "lora-omm-same-gradient-cost")
	const batch, k = 7, 4
	rng := graphtest.NewRand(83)
	f := graphtest.Gaussian(rng, batch, k)
	a, _ := theory.Symmetric(rng, []float64{4, 3, 2, 1, 0.5, -1, -2})
	for _, o := range objectives(t) {
		if !takesForms(o) || o.Name() == "sanger_detached" {
			continue
		}
		t.Run(o.Name(), func(t *testing.T) {
			state := lateState(o, 0, k)
			train := func(oneSided bool) []graphtest.Array {
				return graphtest.NewProgram(t, func(in []*Node) []*Node {
					f := in[0]
					tf := matrixProduct(in[1], f)
					loss, next := o.Loss(ommlx.Batch{F: f, TF: tf, OneSided: oneSided}, in[2:])
					return append([]*Node{loss, Gradient(loss, f)[0], Gradient(loss, tf)[0]}, next...)
				}).Call(t, append([]graphtest.Array{f, graphtest.FromMatrix(a)}, state...)...)
			}
			two, one := train(false), train(true)
			for i, want := range two {
				if i == 2 {
					want = graphtest.NewArray(batch, k)
				}
				graphtest.RequireClose(t, want, one[i], 1e-11, "result")
				if i == 1 && (o.Name() == "omm" || o.Name() == "lora") {
					claim.Printed("relative difference of the gradients with and without a part through Tf, "+o.Name(),
						graphtest.Difference(want, one[i]), 1e-11)
				}
			}
		})
	}
}

// With T = CᵀC the form ⟨Cf_i, Cf_j⟩ trains f exactly as Tf does: in the gradient for f itself nothing is different,
// whether an objective lets gradients through Tf or not.
func TestSymmetricFormTrainsAsTheOperator(t *testing.T) {
	const batch, rows, k = 11, 7, 4
	rng := graphtest.NewRand(82)
	f, c := graphtest.Gaussian(rng, batch, k), graphtest.Gaussian(rng, rows, batch)
	gradient := func(o ommlx.Objective, batch func(f, cf, tf *Node) ommlx.Batch) func(in []*Node) []*Node {
		return func(in []*Node) []*Node {
			f, c := in[0], in[1]
			cf := matrixProduct(c, f)
			loss, next := o.Loss(batch(f, cf, matrixProduct(Transpose(c, 0, 1), cf)), in[2:])
			return append([]*Node{loss, Gradient(loss, f)[0]}, next...)
		}
	}
	for _, o := range objectives(t) {
		if !takesForms(o) {
			continue
		}
		t.Run(o.Name(), func(t *testing.T) {
			in := append([]graphtest.Array{f, c}, lateState(o, 0, k)...)
			want := graphtest.NewProgram(t, gradient(o, func(f, _, tf *Node) ommlx.Batch {
				return ommlx.Batch{F: f, TF: tf}
			})).Call(t, in...)
			got := graphtest.NewProgram(t, gradient(o, func(f, cf, _ *Node) ommlx.Batch {
				cf = MulScalar(cf, math.Sqrt(float64(rows)/float64(batch))) // means are over rows, not over the batch
				return ommlx.Batch{F: f, Form: []ommlx.Term{{Left: cf, Right: cf}}}
			})).Call(t, in...)
			for i, want := range want {
				graphtest.RequireClose(t, want, got[i], 1e-11, "result")
			}
		})
	}
}

func matrixProduct(a, b *Node) *Node { return DotGeneral(a, []int{1}, nil, b, []int{0}, nil) }

// What a batch lacks or has too much of is said in one sentence.
func TestWrongBatchesAreNamed(t *testing.T) {
	same := func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: f} }
	form := func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, Form: []ommlx.Term{{f, f}}} }
	oneSided := func(f *Node) ommlx.Batch { return ommlx.Batch{F: f, TF: f, OneSided: true} }
	for want, c := range map[string]struct {
		objective ommlx.Objective
		batch     func(f *Node) ommlx.Batch
	}{
		"must both be given": {ommlx.OMM{}, func(f *Node) ommlx.Batch { return ommlx.Batch{F: f} }},
		"same shape": {ommlx.LoRA{}, func(f *Node) ommlx.Batch {
			return ommlx.Batch{F: f, TF: Transpose(f, 0, 1)}
		}},
		"[batch, k]": {ommlx.Sanger{}, func(f *Node) ommlx.Batch { return same(Reshape(f, -1)) }},
		"float": {ommlx.OMM{}, func(f *Node) ommlx.Batch {
			return same(ConvertDType(f, dtypes.Int32))
		}},
		"nesting 7":                        {ommlx.OMM{Nesting: 7}, same},
		"needs TF itself and its gradient": {ommlx.ALLO{}, oneSided},
		"needs TF itself":                  {ommlx.ALLO{}, form},
		"simclr needs TF itself":           {ommlx.SimCLR{}, form},
		"give both views, leave OneSided false and Identity 0": {ommlx.SimCLR{}, oneSided},
		"F has 1 rows, but must hold both views of 2 images at least": {ommlx.SimCLR{}, func(f *Node) ommlx.Batch {
			return same(Slice(f, AxisRange(0, 1)))
		}},
		"F and Form in the place of TF": {ommlx.OMM{}, func(f *Node) ommlx.Batch {
			return ommlx.Batch{F: f, TF: f, Form: []ommlx.Term{{f, f}}}
		}},
		"term 1 of the form: Left and Right must both be given": {ommlx.OMM{}, func(f *Node) ommlx.Batch {
			return ommlx.Batch{F: f, Form: []ommlx.Term{{f, f}, {f, nil}}}
		}},
		"but for the samples that of F": {ommlx.LoRA{}, func(f *Node) ommlx.Batch {
			g := Transpose(f, 0, 1)
			return ommlx.Batch{F: f, Form: []ommlx.Term{{g, g}}}
		}},
	} {
		p := graphtest.NewProgram(t, func(in []*Node) []*Node {
			loss, _ := c.objective.Loss(c.batch(in[0]), in[1:])
			return []*Node{loss}
		})
		_, err := p.TryCall(append([]graphtest.Array{graphtest.NewArray(8, 3)}, initState(c.objective, 0, 3)...)...)
		require.ErrorContains(t, err, want)
	}
	_, err := graphtest.NewProgram(t, func(in []*Node) []*Node {
		loss, _ := ommlx.ALLO{}.Loss(same(in[0]), nil)
		return []*Node{loss}
	}).TryCall(graphtest.NewArray(8, 3))
	require.ErrorContains(t, err, "the 3 that InitState")
	_, err = ommlx.Lookup("om")
	require.ErrorContains(t, err, `"om"`)
	require.ErrorContains(t, err, "omm_seq")
}
