package verify

import (
	"math"
	"slices"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"pgregory.net/rapid"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// Sections 2.2.5 and 3.2.1. For two modes with eigenvalues 1 and l and correlation ρ̂ in the batch, the batch loss of
// v_1φ_1 + v_2φ_2 is unbounded below along some v if and only if ρ̂² > 4l/(1 + l)². For Gaussian modes the share of
// such batches is nearly P(|z| > 2√(lB)).
func TestNoiseMakesABatchLossUnbounded(t *testing.T) {
	claim := papertest.Of(t, "omm-instability-attribution")
	const batch, far = 8, 1e4
	program := onValues(lossOf(ommlx.OMM{}))
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		l := math.Pow(10, drawNumber(t, -3, 0))
		modes, ratio := RandomGaussian(drawRand(t), batch, 2), mat.NewDiagDense(2, []float64{1, l})
		m := Scaled(1./batch, Gram(modes))
		margin := square(m.At(0, 1))/(m.At(0, 0)*m.At(1, 1)) - 4*l/square(1+l)
		if math.Abs(margin) < 1e-3 {
			t.Skip("too near to the edge to tell")
		}
		// The worst direction, with the modes scaled to equal parts of the loss: f = far·Φv, Tf = far·ΦΛv.
		even := mat.NewDiagDense(2, []float64{1 / math.Sqrt(m.At(0, 0)), 1 / math.Sqrt(l*m.At(1, 1))})
		v := Scaled(far, Product(even, Columns(eigen(Product(even, m, ratio, even)).Vectors, 1, 2)))
		loss, _, _ := program(Product(modes, v), Product(modes, ratio, v))
		seen[margin > 0]++
		claim.Printed.Within(t, "share of batches whose loss does not do what the condition on ρ² says",
			whether[margin > 0 != (loss < -1e3)], 0)
	})
	require.Greater(t, min(seen[true], seen[false]), 10)
	claim.Note("%d batches with a loss that is unbounded below, %d without, of B = %d", seen[true], seen[false], batch)

	const large = 64
	rng := testkit.NewRand(741)
	for _, times := range []float64{1, 4, 16} {
		l := 1 / (times * large)
		share := Indefinite(rng, []float64{1, l}, 0, large, 4000)
		claim.Corrected.Near(t, "distance of the share of batches with an unbounded loss from P(|z| > 2√(lB)), B = 64",
			math.Erfc(2*math.Sqrt(l*large)/math.Sqrt2), share, 0.03)
		claim.Note("%.0f %% of batches where λ_1/λ_2 = %g·B", 100*share, times)
	}
}

// drawn returns the rows of a table that each batch draws, [R, B, k].
func drawn(table testkit.Array, batches [][]int) testkit.Array {
	var rows []float64
	for _, state := range slices.Concat(batches...) {
		rows = append(rows, table.Matrix().RawRowView(state)...)
	}
	return testkit.Array{Dims: []int{len(batches), len(batches[0]), table.Dims[1]}, Data: rows}
}

// Section 2.3.2. With one batch of B samples for both moments the metric term has the mean E tr(M̂N̂) = (1 − 1/B)
// tr(MN) + (1/B) E |f|² fᵀTf, N = M[f,Tf], and likewise for LoRA with f for Tf.
func TestMinibatchLossIsBiased(t *testing.T) {
	claim := papertest.Of(t, "unbiased-minibatch")
	const n, k = 3, 2
	rng := testkit.NewRand(770)
	f, tf := testkit.Gaussian(rng, n, k), testkit.Gaussian(rng, n, k)
	for _, c := range []struct {
		objective ommlx.Objective
		second    testkit.Array
	}{{ommlx.OMM{}, tf}, {ommlx.LoRA{}, f}} {
		all, _, _ := onValues(lossOf(c.objective))(f.Matrix(), tf.Matrix())
		batches := testkit.Compile(t, func(in []*Node) []*Node { return []*Node{lossOf(c.objective)(in[0], in[1])} })
		metric := mat.Trace(Product(testkit.SecondMoment(f, f).Matrix(), testkit.SecondMoment(f, c.second).Matrix()))
		fourth := 0.0
		for x := 0; x < n*k; x += k {
			fourth += floats.Dot(f.Data[x:x+k], f.Data[x:x+k]) / n * floats.Dot(f.Data[x:x+k], c.second.Data[x:x+k])
		}
		require.Greater(t, math.Abs(fourth-metric), 0.1, "the bias is not zero")
		for _, size := range []int{1, 2, 4} {
			every := combin.Cartesian(slices.Repeat([]int{n}, size)) // equally likely, so the mean is exact
			mean := stat.Mean(batches.Call(t, drawn(f, every), drawn(tf, every))[0].Data, nil)
			claim.Corrected.Equal(t,
				"relative difference of the mean batch loss and the loss with its bias, OMM and LoRA, B = 1, 2, 4",
				all+(fourth-metric)/float64(size), mean, 1e-12)
		}
	}
}

// law is a reversible Markov chain on three states with all possible draws of two pairs (s, s') and two batches of two
// states s.
type law struct {
	stationary  []float64       // π(s)
	pairs       []float64       // π(s) P(s, s') at n·s + s', symmetric
	transition  *mat.Dense      // P
	probability []float64       // of each draw
	parts       []testkit.Array // s, s' and the two batches of every draw, [R, 2, n], with a 1 at the drawn states
}

func newLaw() (l law) {
	weights := mat.NewSymDense(3, []float64{.05, .20, .10, 0, .04, .06, 0, 0, .19})
	n := weights.SymmetricDim()
	l.transition = mat.NewDense(n, n, nil)
	for s := range n {
		row := mat.Row(nil, s, weights)
		l.stationary, l.pairs = append(l.stationary, floats.Sum(row)), append(l.pairs, row...)
		floats.Scale(1/l.stationary[s], row)
		l.transition.SetRow(s, row)
	}
	var states [4][][]int
	for _, d := range combin.Cartesian([]int{n * n, n * n, n, n, n, n}) {
		p := l.pairs[d[0]] * l.pairs[d[1]]
		for _, s := range d[2:] {
			p *= l.stationary[s]
		}
		l.probability = append(l.probability, p)
		for part, batch := range [][]int{{d[0] / n, d[1] / n}, {d[0] % n, d[1] % n}, d[2:4], d[4:6]} {
			states[part] = append(states[part], batch)
		}
	}
	for _, batches := range states {
		l.parts = append(l.parts, drawn(testkit.FromMatrix(IdentityMatrix(n)), batches))
	}
	return l
}

// population returns loss and gradient for the exact law and a table of f, [n, k].
func (l law) population(t *testing.T, o ommlx.Objective, table testkit.Array) []testkit.Array {
	roots := testkit.NewArray(len(l.stationary), 1)
	for s, p := range l.stationary {
		roots.Data[s] = math.Sqrt(float64(len(l.stationary)) * p)
	}
	return testkit.Compile(t, func(in []*Node) []*Node {
		f, roots := in[0], in[2]
		loss, _ := o.Loss(ommlx.Batch{F: Mul(roots, f), TF: Mul(roots, MatMul(in[1], f))}, nil)
		return []*Node{loss, Gradient(loss, f)[0]}
	}).Call(t, table, testkit.FromMatrix(l.transition), roots)
}

// mean returns the mean loss over all draws and its gradient, with that many batches of states. The inputs of batch are
// f(s), f(s') and f on the extra batches, [R, 2, k] each.
func (l law) mean(t *testing.T, o ommlx.Objective, table testkit.Array, batches int,
	batch testkit.Batching) []testkit.Array {
	return testkit.Compile(t, func(in []*Node) []*Node {
		var f []*Node
		for _, selection := range in[2 : 4+batches] {
			f = append(f, Einsum("rbn,nk->rbk", selection, in[0]))
		}
		loss, _ := o.Loss(batch(o, f), nil)
		mean := ReduceAllSum(Mul(in[1], loss))
		return []*Node{mean, Gradient(mean, in[0])[0]}
	}).Call(t, table, l.probability, l.parts)
}

// The means of loss and gradient over all possible batches equal those for the exact law where the doc comments of
// Batch and Differences promise it, and differ elsewhere.
func TestOverlapRemovesBias(t *testing.T) {
	recorded, other := papertest.Of(t, "unbiased-minibatch").Printed, papertest.Every()
	const k, none, biased = 2, 1e-12, 1e-2
	l := newLaw()
	require.InDelta(t, 1, floats.Sum(l.pairs), 1e-15)
	table := testkit.Gaussian(testkit.NewRand(132), len(l.stationary), k)
	shifted := func(o ommlx.Objective, kappa float64) ommlx.Objective {
		return ommlx.Shifted{Objective: o, Kappa: kappa}
	}
	weights := []float64{0.5, 2}
	omm, sequential := ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Sequential}
	joint, weighted := ommlx.OMM{Nesting: ommlx.Joint, Weights: weights},
		ommlx.OMM{Nesting: ommlx.Sequential, Weights: weights}
	lora, loraSequential := ommlx.LoRA{}, ommlx.LoRA{Nesting: ommlx.Sequential}
	loraJoint := ommlx.LoRA{Nesting: ommlx.Joint, Weights: weights}
	for _, c := range []struct {
		objective ommlx.Objective
		batch     testkit.Batching
		enough    int // batches that remove the bias; 3: none do
		record    papertest.Measure
	}{
		{omm, testkit.TwoBatches, 1, recorded}, {joint, testkit.TwoBatches, 1, recorded},
		{sequential, testkit.TwoBatches, 1, recorded}, {shifted(sequential, 1), testkit.TwoBatches, 1, recorded},
		{ommlx.OMM{Orders: ommlx.Order(2)}, testkit.TwoBatches, 3, other},
		{ommlx.OMM{Orders: []float64{1, 1}, Nesting: ommlx.Joint}, testkit.TwoBatches, 3, other},
		{ommlx.Sanger{}, testkit.TwoBatches, 1, other}, {lora, testkit.TwoBatches, 2, recorded},
		{loraJoint, testkit.TwoBatches, 2, recorded}, {loraSequential, testkit.TwoBatches, 2, recorded},

		{shifted(omm, 0.7), testkit.Differences, 2, recorded}, {shifted(joint, 0.7), testkit.Differences, 2, recorded},
		{shifted(sequential, 0.7), testkit.Differences, 2, recorded},
		{shifted(weighted, 0.7), testkit.Differences, 2, recorded},
		{shifted(ommlx.Sanger{}, 0.7), testkit.Differences, 2, other},
		{shifted(lora, 0.7), testkit.Differences, 2, recorded},
		{shifted(loraJoint, 0.7), testkit.Differences, 2, recorded},
		{shifted(loraSequential, 0.7), testkit.Differences, 2, recorded},
	} {
		t.Run(c.objective.Name(), func(t *testing.T) {
			want := l.population(t, c.objective, table)
			for batches := range 3 {
				for i, got := range l.mean(t, c.objective, table, batches, c.batch) {
					bias := testkit.Difference(want[i], got)
					if batches < c.enough {
						require.Greater(t, bias, biased, "%d batches for M[f]", batches)
						continue
					}
					c.record.Within(t, "relative bias of the "+[]string{"loss", "gradient"}[i]+
						", M[f] from other batches, OMM-1 and LoRA, all nestings", bias, none)
				}
			}
		})
	}
}
