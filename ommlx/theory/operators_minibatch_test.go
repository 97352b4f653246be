package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// everyBatch calls visit with the states of each of the n^size equally likely batches of independent samples.
func everyBatch(n, size int, visit func(states []int)) {
	states := make([]int, size)
	for {
		visit(states)
		i := 0
		for ; i < size; i++ {
			if states[i]++; states[i] < n {
				break
			}
			states[i] = 0
		}
		if i == size {
			return
		}
	}
}

// rows returns the chosen rows of m.
func rows(m graphtest.Array, states []int) graphtest.Array {
	k := m.Dims[1]
	chosen := graphtest.Array{Dims: []int{len(states), k}}
	for _, s := range states {
		chosen.Data = append(chosen.Data, m.Data[s*k:(s+1)*k]...)
	}
	return chosen
}

// Section 2.3.2: both losses "admit unbiased gradient estimates with minibatch samples". With one batch of B samples
// for both moments, as in the paper's pseudocode, they do not. Over all batches the mean of the metric term is
//
//	E tr(M̂N̂) = (1 − 1/B) tr(MN) + (1/B) E |f|² fᵀTf,  N = M[f,Tf],
//
// and likewise for LoRA with f for Tf: a bias of order 1/B, in value and gradient. With two independent batches, one
// for each moment, there is none. The means here are over every batch there can be, so they are exact.
func TestMinibatchLossIsBiased(t *testing.T) {
	claim := claims.Of(t, "unbiased-minibatch")
	const n, k = 3, 2
	rng := graphtest.NewRand(770)
	f, tf := graphtest.Gaussian(rng, n, k), graphtest.Gaussian(rng, n, k)
	for _, c := range []struct {
		objective ommlx.Objective
		second    graphtest.Array
	}{{ommlx.OMM{}, tf}, {ommlx.LoRA{}, f}} {
		program := graphtest.NewProgram(t, ommtest.OnBatch(c.objective))
		all := ommtest.Evaluate(t, program, ommtest.Point{F: f, TF: tf, C1: f, C2: f}, nil).Loss.Data[0]
		m, second := ommtest.SecondMoment(f, f).Matrix(), ommtest.SecondMoment(f, c.second).Matrix()
		fourth := 0.0
		for x := range n {
			norm, product := 0.0, 0.0
			for i := range k {
				norm += square(f.Data[x*k+i]) / n
				product += f.Data[x*k+i] * c.second.Data[x*k+i]
			}
			fourth += norm * product
		}
		metric := mat.Trace(Product(m, second))
		for _, size := range []int{1, 2, 4} {
			mean, independent, count := 0.0, 0.0, 0.0
			everyBatch(n, size, func(states []int) {
				at := ommtest.Point{F: rows(f, states), TF: rows(tf, states), C1: rows(f, states), C2: rows(f, states)}
				mean += ommtest.Evaluate(t, program, at, nil).Loss.Data[0]
				count++
			})
			ommtest.Within(t, claim.Corrected, "relative difference of the mean batch loss and the loss with its "+
				"bias, OMM and LoRA, B = 1, 2, 4",
				ommtest.Difference(all+(fourth-metric)/float64(size), mean/count), 1e-12)
			ommtest.Beyond(t, claim.Printed, "largest relative bias of the batch loss",
				ommtest.Difference(all, mean/count), 1e-3)
			if size > 2 {
				continue
			}
			everyBatch(n, 2*size, func(states []int) {
				first := ommtest.SecondMoment(rows(f, states[:size]), rows(f, states[:size])).Matrix()
				other := ommtest.SecondMoment(rows(f, states[size:]), rows(c.second, states[size:])).Matrix()
				independent += mat.Trace(Product(first, other)) / (count * count)
			})
			ommtest.Within(t, claim.Corrected, "relative bias with two batches",
				ommtest.Difference(metric, independent), 1e-12)
		}
		require.Greater(t, math.Abs(fourth-metric), 0.1, "the bias is not zero")
	}
}

// What the bias does to a function: it makes it too short. For one eigenfunction with fourth moment κ₄ = E φ⁴ (3 for a
// Gaussian) the mean of the batch loss of √μ·φ is
//
//	λ (−2μ + μ² (1 + (κ₄ − 1)/B)),
//
// least at μ = 1/(1 + (κ₄ − 1)/B) and not at 1.
func TestMinibatchMinimiserIsTooShort(t *testing.T) {
	claim := claims.Of(t, "unbiased-minibatch")
	const lambda = 2.0
	phi := graphtest.Array{Dims: []int{4, 1}, Data: []float64{-1.5, 0.5, 0.5, 0.5}}
	phi = phi.Scaled(1 / mat.Norm(phi.Matrix(), 2) * 2) // E φ² = 1
	fourth := 0.0
	for _, x := range phi.Data {
		fourth += square(square(x)) / 4
	}
	program := graphtest.NewProgram(t, ommtest.OnBatch(ommlx.OMM{}))
	for _, size := range []int{1, 2, 3} {
		slope := func(norm float64) float64 { // of the mean batch loss at norm·φ
			mean, count := 0.0, 0.0
			everyBatch(4, size, func(states []int) {
				f := rows(phi, states).Scaled(norm)
				e := ommtest.Evaluate(t, program, ommtest.Point{F: f, TF: f.Scaled(lambda), C1: f, C2: f}, nil)
				for i, x := range f.Data {
					mean += e.DF.Data[i]*x + lambda*e.DTF.Data[i]*x
				}
				count++
			})
			return mean / count
		}
		short := 1 / (1 + (fourth-1)/float64(size))
		require.Less(t, short, 0.95)
		ommtest.Within(t, claim.Corrected, "slope of the mean batch loss at ‖f‖² = 1/(1 + (m − 1)/B)",
			math.Abs(slope(math.Sqrt(short))), 1e-12)
		ommtest.Beyond(t, claim.Printed, "slope of the mean batch loss at norm 1", slope(1), 0.1)
	}
}
