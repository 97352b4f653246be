package ommlx_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// byDifferences makes the batch of f(s), f(s') and batches for M[f] that [ommlx.Differences] makes, of P + κI.
func byDifferences(kappa float64) func(f []*Node) ommlx.Batch {
	return func(f []*Node) ommlx.Batch { return ommlx.Differences(f[0], f[1], f[2:]...).Shift(kappa) }
}

// Over all batches that there can be, the means of loss and gradient by differences are those of P + κI, with two
// batches for M[f]; with one or none they are not.
func TestDifferencesAreUnbiased(t *testing.T) {
	const k, kappa = 2, 0.7
	l := newLaw()
	table := graphtest.Gaussian(graphtest.NewRand(132), len(l.stationary), k)
	weights := []float64{0.5, 2}
	for _, o := range []ommlx.Objective{
		ommlx.OMM{},
		ommlx.OMM{Nesting: ommlx.Joint, Weights: weights},
		ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode},
		ommlx.OMM{Nesting: ommlx.Sequential},
		ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights},
		ommlx.Sanger{},
		ommlx.LoRA{},
		ommlx.LoRA{Nesting: ommlx.Joint, Weights: weights},
		ommlx.LoRA{Nesting: ommlx.Sequential},
	} {
		t.Run(o.Name(), func(t *testing.T) {
			exact := l.population(t, ommlx.Shifted{Objective: o, Kappa: kappa}, table)
			for batches := range 3 {
				mean := l.meanOf(t, o, table, batches, byDifferences(kappa))
				if batches == 2 {
					graphtest.RequireClose(t, exact[0], mean[0], 1e-12, "loss")
					graphtest.RequireClose(t, exact[1], mean[1], 1e-12, "gradient")
				} else {
					require.Greater(t, graphtest.Difference(exact[1], mean[1]), 1e-2, "%d batches", batches)
				}
			}
		})
	}
}

// The penalty κ‖M[f] − I‖² is the shift by κ in the mean over all batches where its factors are independent, which
// Identity makes them, and is not where both are of one batch. Each nesting has its own.
func TestPenaltyIsTheShiftWhereItsFactorsAreIndependent(t *testing.T) {
	const k, kappa = 2, 0.7
	l := newLaw()
	table := graphtest.Gaussian(graphtest.NewRand(134), len(l.stationary), k)
	for _, o := range []ommlx.OMM{{}, {Nesting: ommlx.Joint}, {Nesting: ommlx.Sequential, Weights: []float64{2, 1}}} {
		t.Run(o.Name(), func(t *testing.T) {
			exact := l.population(t, ommlx.Shifted{Objective: o, Kappa: kappa}, table)
			independent := l.meanOf(t, o, table, 2, func(f []*Node) ommlx.Batch {
				return ommlx.Batch{F: f[0], TF: f[1], Identity: kappa, Overlap: f[2:]}
			})
			one := l.meanOf(t, ommlx.Penalised{OMM: o, Kappa: kappa}, table, 2, fromPairs)
			for i := range exact {
				graphtest.RequireClose(t, exact[i], independent[i], 1e-12, "independent factors")
				require.Greater(t, graphtest.Difference(exact[i], one[i]), 1e-2, "one batch")
			}
			at := l.population(t, ommlx.Penalised{OMM: o, Kappa: kappa}, table) // no noise, no bias
			for i := range exact {
				graphtest.RequireClose(t, exact[i], at[i], 1e-12, "the law itself")
			}
		})
	}
}

// For one function of mean square 1 with E ff' = λ = 1 − d both losses of P + κI have a variance in closed form. With v
// that of the mean square over a batch, w that of D[f] and s² that of the mean of ff' + κf²,
//
//	by differences  (1+κ)² v² + w + (d² + w) v/2,
//	by products     s² + ((λ+κ)² + s²) v/2.
//
// The first one vanishes with d up to its term of second order in 1/B.
func TestVarianceByDifferencesAndByProducts(t *testing.T) {
	const kappa, samples = 0.7, 2
	l := newLaw()
	n := len(l.stationary)
	f := graphtest.Gaussian(graphtest.NewRand(135), n, 1)
	square := 0.0
	for s, p := range l.stationary {
		square += p * f.Data[s] * f.Data[s]
	}
	f = f.Scaled(1 / math.Sqrt(square))

	var v, w, s2, products, mean float64
	for s, p := range l.stationary {
		v += p * math.Pow(f.Data[s]*f.Data[s]-1, 2) / samples
	}
	for i, p := range l.pairs {
		mean += p * f.Data[i/n] * f.Data[i%n]
	}
	d := 1 - mean
	for i, p := range l.pairs {
		from, to := f.Data[i/n], f.Data[i%n]
		w += p * math.Pow((from-to)*(from-to)/2-d, 2) / samples
		s2 += p * math.Pow(from*to+kappa*from*from-mean-kappa, 2) / samples
	}
	products = s2 + (math.Pow(mean+kappa, 2)+s2)*v/2
	differences := (1+kappa)*(1+kappa)*v*v + w + (d*d+w)*v/2

	probability, parts := l.everyDraw()
	variance := func(batch func(f []*Node) ommlx.Batch) float64 {
		losses := l.losses(t, ommlx.OMM{}, f, parts, batch)
		mean := floats.Dot(probability.Data, losses.Data)
		floats.AddConst(-mean, losses.Data)
		floats.Mul(losses.Data, losses.Data)
		return floats.Dot(probability.Data, losses.Data)
	}
	require.InEpsilon(t, differences, variance(byDifferences(kappa)), 1e-9)
	require.InEpsilon(t, products, variance(func(f []*Node) ommlx.Batch { return fromPairs(f).Shift(kappa) }), 1e-9)
}

// In sequential nesting f_i has the gradient of α_i L(f_1, …, f_i), on batches of every kind.
func TestSequentialGradientIsThatOfThePrefix(t *testing.T) {
	const batch, k, kappa = 7, 4, 0.7
	at := ommtest.GaussianPoint(graphtest.NewRand(136), batch, k)
	weights := []float64{4, 3, 2, 1}
	prefix := func(in []*Node, i int) (parts []*Node) {
		for _, x := range in[:4] {
			parts = append(parts, Slice(x, AxisRange(), AxisRange(0, i)))
		}
		return parts
	}
	for name, batchOf := range map[string]ommtest.BatchOf{
		"products": oneApart, "two batches": ommtest.Apart, "differences": differences(kappa),
	} {
		for _, pair := range [][2]ommlx.Objective{
			{ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights}, ommlx.OMM{}},
			{ommlx.LoRA{Nesting: ommlx.Sequential, Weights: weights}, ommlx.LoRA{}},
			{ommlx.Penalised{OMM: ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights}, Kappa: kappa},
				ommlx.Penalised{Kappa: kappa}},
		} {
			t.Run(fmt.Sprintf("%s, %s", pair[0].Name(), name), func(t *testing.T) {
				out := graphtest.NewProgram(t, func(in []*Node) []*Node {
					nested, _ := pair[0].Loss(batchOf(pair[0], in), nil)
					all := Gradient(nested, in...)
					for i := 1; i <= k; i++ {
						own, _ := pair[1].Loss(batchOf(pair[1], prefix(in, i)), nil)
						for _, g := range Gradient(own, in...) {
							all = append(all, Slice(g, AxisRange(), AxisElem(i-1)))
						}
					}
					return all
				}).Call(t, at.F, at.TF, at.C1, at.C2)
				for part := range 4 {
					for i := range k {
						want := out[4+4*i+part].Scaled(weights[i])
						for b := range batch {
							require.InDelta(t, want.Data[b], out[part].Data[b*k+i], 1e-12, "function %d", i+1)
						}
					}
				}
			})
		}
	}
}

// In the reversed penalty f_i has the gradient of ‖M[f_i, …, f_k] − I‖², since of two functions the earlier one moves,
// and no weight.
func TestReversedPenaltyMovesTheEarlierFunction(t *testing.T) {
	const batch, k, kappa = 7, 4, 0.7
	at := ommtest.GaussianPoint(graphtest.NewRand(137), batch, k)
	o := ommlx.OMM{Nesting: ommlx.Sequential, Weights: []float64{4, 3, 2, 1}}
	out := graphtest.NewProgram(t, func(in []*Node) (all []*Node) {
		b := ommlx.Batch{F: in[0], TF: in[1]}
		plain, _ := o.Loss(b, nil)
		with, _ := ommlx.Penalised{OMM: o, Kappa: kappa, Reversed: true}.Loss(b, nil)
		all = Gradient(Sub(with, plain), in[0])
		for i := range k {
			f := Slice(in[0], AxisRange(), AxisRange(i))
			m := ommlx.SecondMoment(f, f)
			unit := DiagonalWithValue(ScalarOne(m.Graph(), m.DType()), k-i)
			penalty := MulScalar(ReduceAllSum(Square(Sub(m, unit))), kappa)
			all = append(all, Slice(Gradient(penalty, in[0])[0], AxisRange(), AxisElem(i)))
		}
		return all
	}).Call(t, at.F, at.TF)
	for i := range k {
		for b := range batch {
			require.InDelta(t, out[1+i].Data[b], out[0].Data[b*k+i], 1e-12, "function %d", i+1)
		}
	}
}
