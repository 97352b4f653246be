package verify

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/ommtest"
	"omm-go/ommlx/internal/testkit"
)

// everyBatch returns all n^size equally likely batches of independent samples as matrices S [n^size, size, n] with one
// 1 in each row, so that S·table are the rows that each batch draws. Means over them are exact.
func everyBatch(n, size int) testkit.Array {
	batches := combin.Cartesian(slices.Repeat([]int{n}, size))
	s := testkit.NewArray(len(batches), size, n)
	for r, states := range batches {
		for b, state := range states {
			s.Data[(r*size+b)*n+state] = 1
		}
	}
	return s
}

// drawn returns the rows of a table [n, k] that the batches select, [R, B, k].
func drawn(selection, table *Node) *Node { return Einsum("rbn,nk->rbk", selection, table) }

// halves are two batches in the place of one of twice the size.
func halves(selection *Node) (first, second *Node) {
	size := selection.Shape().Dim(1)
	return Slice(selection, AxisRange(), AxisRange(0, size/2)), Slice(selection, AxisRange(), AxisRange(size/2))
}

// Section 2.3.2: both losses "admit unbiased gradient estimates with minibatch samples". With one batch of B samples
// for both moments, as in the paper's pseudocode, they do not. Over all batches the mean of the metric term is
//
//	E tr(M̂N̂) = (1 − 1/B) tr(MN) + (1/B) E |f|² fᵀTf,  N = M[f,Tf],
//
// and likewise for LoRA with f for Tf: a bias of order 1/B, in value and gradient. With two independent batches, one
// for each moment, there is none.
func TestMinibatchLossIsBiased(t *testing.T) {
	claim := papertest.Of(t, "unbiased-minibatch")
	const n, k = 3, 2
	rng := testkit.NewRand(770)
	f, tf := testkit.Gaussian(rng, n, k), testkit.Gaussian(rng, n, k)
	for _, c := range []struct {
		objective ommlx.Objective
		second    testkit.Array
	}{{ommlx.OMM{}, tf}, {ommlx.LoRA{}, f}} {
		loss := testkit.NewProgram(t, func(in []*Node) []*Node { // the mean over the batches
			loss, _ := c.objective.Loss(ommlx.Batch{F: drawn(in[0], in[1]), TF: drawn(in[0], in[2])}, nil)
			return []*Node{ReduceAllMean(loss)}
		})
		ofTwo := testkit.NewProgram(t, func(in []*Node) []*Node { // that of the metric term
			first, second := halves(in[0])
			m := ommlx.SecondMoment(drawn(first, in[1]), drawn(first, in[1]))
			return []*Node{ReduceAllMean(Einsum("rij,rji->r", m,
				ommlx.SecondMoment(drawn(second, in[1]), drawn(second, in[2]))))}
		})
		all := ommtest.EvaluateOnce(t, c.objective, ommtest.Point{F: f, TF: tf, C1: f, C2: f}, nil).Loss.Data[0]
		metric := mat.Trace(Product(ommtest.SecondMoment(f, f).Matrix(), ommtest.SecondMoment(f, c.second).Matrix()))
		fourth := 0.0
		for x := 0; x < n*k; x += k {
			fourth += floats.Dot(f.Data[x:x+k], f.Data[x:x+k]) / n * floats.Dot(f.Data[x:x+k], c.second.Data[x:x+k])
		}
		require.Greater(t, math.Abs(fourth-metric), 0.1, "the bias is not zero")
		for _, size := range []int{1, 2, 4} {
			mean := loss.Call(t, everyBatch(n, size), f, tf)[0].Data[0]
			claim.Corrected.Agree(t, "relative difference of the mean batch loss and the loss with its bias, OMM and "+
				"LoRA, B = 1, 2, 4", all+(fourth-metric)/float64(size), mean, 1e-12)
			require.Greater(t, papertest.Difference(all, mean), 1e-3, "bias of the batch loss")
			if size <= 2 {
				independent := ofTwo.Call(t, everyBatch(n, 2*size), f, c.second)[0].Data[0]
				claim.Printed.Agree(t, "relative bias with two batches", metric, independent, 1e-12)
			}
		}
	}
}
