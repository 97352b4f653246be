package ommlx_test

import (
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
)

func secondMoment(f, g array) array {
	var m mat.Dense
	m.Mul(f.matrix().T(), g.matrix())
	m.Scale(1/float64(f.Dims[0]), &m)
	return fromMatrix(&m)
}

func TestSecondMomentIsTheMeanOfOuterProducts(t *testing.T) {
	claim := claims.Of(t, "operator-objective")
	rng := newRand(1)
	f, g := gaussian(rng, 3, 40, 5), gaussian(rng, 3, 40, 5)
	p := newProgram(t, func(in []*Node) []*Node {
		return []*Node{ommlx.SecondMoment(in[0], in[1]), ommlx.SeqSecondMoment(in[0], in[1])}
	})
	want := stack(secondMoment(f.run(0), g.run(0)), secondMoment(f.run(1), g.run(1)), secondMoment(f.run(2), g.run(2)))
	for _, m := range p.call(t, f, g) {
		within(t, claim.Printed, "relative difference of M[f,g] and the mean of outer products", arrayDifference(want, m), 1e-13)
	}
	for _, m := range p.call(t, f.run(1), g.run(1)) {
		requireClose(t, want.run(1), m, 1e-13, "without run axis")
	}
}

// The gradient of Σ_ij G_ij M^seq_ij is 1/B Σ_{j≤i} G_ij g_j for f_i and 1/B Σ_{i≤j} G_ij f_i for g_j.
func TestSeqSecondMomentStopsGradientsTermByTerm(t *testing.T) {
	claim := claims.Of(t, "seq-surrogate-gradient")
	rng := newRand(2)
	const batch, k = 30, 4
	f, g, weight := gaussian(rng, batch, k), gaussian(rng, batch, k), gaussian(rng, k, k)
	p := newProgram(t, func(in []*Node) []*Node {
		sum := ReduceAllSum(Mul(in[2], ommlx.SeqSecondMoment(in[0], in[1])))
		same := ReduceAllSum(Mul(in[2], ommlx.SeqSecondMoment(in[0], in[0])))
		return append(Gradient(sum, in[0], in[1]), Gradient(same, in[0])...)
	})
	out := p.call(t, f, g, weight)

	dF, dG, dSame := newArray(batch, k), newArray(batch, k), newArray(batch, k)
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
	within(t, claim.Printed, "relative difference of the gradient of M^seq[f,g] for f, term by term", arrayDifference(dF, out[0]), 1e-13)
	within(t, claim.Printed, "for g", arrayDifference(dG, out[1]), 1e-13)
	within(t, claim.Printed, "of M^seq[f]", arrayDifference(dSame, out[2]), 1e-13)
}

// Rows scaled by √(B w_b) make the mean over rows an expectation with weights w_b.
func TestSecondMomentOfScaledRowsIsWeighted(t *testing.T) {
	rng := newRand(3)
	f := gaussian(rng, 6, 3)
	count := []int{1, 4, 2, 0, 5, 3}
	var repeated array
	total := 0
	for b, n := range count {
		for range n {
			repeated.Data = append(repeated.Data, f.Data[b*3:b*3+3]...)
		}
		total += n
	}
	repeated.Dims = []int{total, 3}
	p := newProgram(t, func(in []*Node) []*Node {
		scale := Sqrt(MulScalar(in[1], float64(len(count))))
		return []*Node{ommlx.SecondMoment(Mul(in[0], scale), Mul(in[0], scale))}
	})
	weights := newArray(len(count), 1)
	for b, n := range count {
		weights.Data[b] = float64(n) / float64(total)
	}
	requireClose(t, secondMoment(repeated, repeated), p.call(t, f, weights)[0], 1e-13, "weighted moment")
}
