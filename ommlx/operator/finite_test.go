package operator_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/assert"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/operator"
)

// TestWeightedMoments: the means over rows are Σ_s ρ_s f(s)f(s)ᵀ and Σ_{s,s'} W[s,s'] f(s)f(s')ᵀ, and their gradients
// those of the closed forms, also where states were never visited.
func TestWeightedMoments(t *testing.T) {
	const runs, n, k = 2, 7, 3
	rng := rand.New(rand.NewPCG(8, 9))
	w := make([]float64, runs*n*n)
	for r := range runs {
		sum := 0.0
		for i := range n {
			for j := range i + 1 {
				if i == 3 || j == 3 || (r == 1 && i == n-1) {
					continue // never visited
				}
				v := rng.Float64()
				w[r*n*n+i*n+j], w[r*n*n+j*n+i] = v, v
			}
		}
		for i := range n * n {
			sum += w[r*n*n+i]
		}
		for i := range n * n {
			w[r*n*n+i] /= sum
		}
	}
	f := make([]float64, runs*n*k)
	for i := range f {
		f[i] = rng.NormFloat64()
	}
	out := graphtest.Evaluate(t, func(in []*Node) []*Node {
		f, tf := operator.Weighted(in[0], in[1])
		m, mt := ommlx.SecondMoment(f, f), ommlx.SecondMoment(f, tf)
		// A different weight on every entry, so that the gradient tells all of them.
		weighted := func(x *Node) *Node { return ReduceAllSum(Mul(x, Sin(Iota(x.Graph(), x.Shape(), -1)))) }
		return []*Node{m, mt, Gradient(Add(weighted(m), weighted(mt)), in[0])[0],
			Gradient(closed(in[0], in[1], weighted), in[0])[0]}
	}, tensors.FromFlatDataAndDimensions(f, runs, n, k), tensors.FromFlatDataAndDimensions(w, runs, n, n))
	for r := range runs {
		for a := range k {
			for b := range k {
				var m, mt float64
				for s := range n {
					for s2 := range n {
						weight, at := w[r*n*n+s*n+s2], r*n*k+s*k
						m += weight * f[at+a] * f[at+b]
						mt += weight * f[at+a] * f[r*n*k+s2*k+b]
					}
				}
				at := r*k*k + a*k + b
				assert.InDelta(t, m, out[0][at], 1e-14)
				assert.InDelta(t, mt, out[1][at], 1e-14)
			}
		}
	}
	assertClose(t, out[2], out[3], 1e-13)
	for a := range k {
		assert.Zero(t, out[2][3*k+a], "a state that was never visited has no gradient")
	}
}

// closed is the weighted sum of both moments from fᵀ diag(ρ) f and fᵀ W f.
func closed(f, w *Node, weighted func(*Node) *Node) *Node {
	inner := func(a, b *Node) *Node { return DotGeneral(a, []int{1}, []int{0}, b, []int{1}, []int{0}) }
	rho := ReduceAndKeep(w, ReduceSum, 2)
	wf := DotGeneral(w, []int{2}, []int{0}, f, []int{1}, []int{0})
	return Add(weighted(inner(f, Mul(rho, f))), weighted(inner(f, wf)))
}
