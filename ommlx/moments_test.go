package ommlx_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// stack puts arrays of equal shape on a leading axis.
func stack(arrays ...graphtest.Array) graphtest.Array {
	b := graphtest.Array{Dims: append([]int{len(arrays)}, arrays[0].Dims...)}
	for _, a := range arrays {
		b.Data = append(b.Data, a.Data...)
	}
	return b
}

func TestSecondMomentIsTheMeanOfOuterProducts(t *testing.T) {
	claim := ommtest.Of(t, "operator-objective")
	rng := graphtest.NewRand(1)
	f, g := graphtest.Gaussian(rng, 3, 40, 5), graphtest.Gaussian(rng, 3, 40, 5)
	p := graphtest.NewProgram(t, func(in []*Node) []*Node {
		return []*Node{ommlx.SecondMoment(in[0], in[1]), ommlx.SeqSecondMoment(in[0], in[1])}
	})
	want := stack(ommtest.SecondMoment(f.Run(0), g.Run(0)), ommtest.SecondMoment(f.Run(1), g.Run(1)),
		ommtest.SecondMoment(f.Run(2), g.Run(2)))
	for _, m := range p.Call(t, f, g) {
		claim.Printed.Close(t, "relative difference of M[f,g] and the mean of outer products", want, m, 1e-13)
	}
	for _, m := range p.Call(t, f.Run(1), g.Run(1)) {
		graphtest.RequireClose(t, want.Run(1), m, 1e-13, "without run axis")
	}
}

// The gradient of Σ_ij G_ij M^seq_ij is 1/B Σ_{j≤i} G_ij g_j for f_i and 1/B Σ_{i≤j} G_ij f_i for g_j.
func TestSeqSecondMomentStopsGradientsTermByTerm(t *testing.T) {
	claim := ommtest.Of(t, "seq-surrogate-gradient")
	rng := graphtest.NewRand(2)
	const batch, k = 30, 4
	f, g, weight := graphtest.Gaussian(rng, batch, k), graphtest.Gaussian(rng, batch, k), graphtest.Gaussian(rng, k, k)
	p := graphtest.NewProgram(t, func(in []*Node) []*Node {
		sum := ReduceAllSum(Mul(in[2], ommlx.SeqSecondMoment(in[0], in[1])))
		same := ReduceAllSum(Mul(in[2], ommlx.SeqSecondMoment(in[0], in[0])))
		return append(Gradient(sum, in[0], in[1]), Gradient(same, in[0])...)
	})
	out := p.Call(t, f, g, weight)

	dF, dG, dSame := graphtest.NewArray(batch, k), graphtest.NewArray(batch, k), graphtest.NewArray(batch, k)
	for b := range batch {
		for i := range k {
			for j := range k {
				w := weight.Data[i*k+j] / batch
				if j <= i {
					dF.Data[b*k+i] += w * g.Data[b*k+j]
					dSame.Data[b*k+i] += w * f.Data[b*k+j]
				}
				if i <= j {
					dG.Data[b*k+j] += w * f.Data[b*k+i]
					dSame.Data[b*k+j] += w * f.Data[b*k+i]
				}
			}
		}
	}
	claim.Printed.Close(t, "relative difference of the gradient of M^seq[f,g] for f, term by term", dF, out[0], 1e-13)
	claim.Printed.Close(t, "for g", dG, out[1], 1e-13)
	claim.Printed.Close(t, "of M^seq[f]", dSame, out[2], 1e-13)
}
