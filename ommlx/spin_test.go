package ommlx_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
	"operator-omm/ommlx/spectral"
	"operator-omm/ommlx/theory"
)

// traceOfPrefix is tr(Σ⁻¹ M[f,Tf]) for the first n functions, with Σ = M[f].
func traceOfPrefix(p ommtest.Point, n int) float64 {
	batch := p.F.Dims[0]
	first := func(a graphtest.Array) graphtest.Array { return graphtest.FromMatrix(a.Matrix().Slice(0, batch, 0, n)) }
	f, tf := first(p.F), first(p.TF)
	var solved mat.Dense
	if err := solved.Solve(ommtest.SecondMoment(f, f).Matrix(), ommtest.SecondMoment(f, tf).Matrix()); err != nil {
		panic(err)
	}
	return mat.Trace(&solved)
}

// mix returns a point whose column i is that of moving, and the others those of still.
func mix(moving, still ommtest.Point, i int) ommtest.Point {
	out := ommtest.Point{F: still.F.Clone(), TF: still.TF.Clone()}
	for b := i; b < len(out.F.Data); b += out.F.Dims[1] {
		out.F.Data[b], out.TF.Data[b] = moving.F.Data[b], moving.TF.Data[b]
	}
	return out
}

// Without memory f_i and Tf_i move by the gradient of the trace for the first i functions, whatever F and TF are, and
// the loss is minus the whole trace.
func TestSpINGradientIsThatOfThePrefix(t *testing.T) {
	const batch, k = 9, 4
	at := ommtest.GaussianPoint(graphtest.NewRand(101), batch, k)
	o := ommlx.SpIN{Decay: 1}
	e := ommtest.EvaluateOnce(t, o, at, lateState(o, 0, k))
	require.InEpsilon(t, -traceOfPrefix(at, k), e.Loss.Data[0], 1e-12)
	requireCentralDifferences(t, func(moving, still ommtest.Point) float64 {
		sum := 0.0
		for i := range k {
			sum -= traceOfPrefix(mix(moving, still, i), i+1)
		}
		return sum
	}, at, e)
	graphtest.RequireClose(t, ommtest.SecondMoment(at.F, at.F), e.Next[0], 1e-13, "the average without memory")
}

// With memory Σ is the average, which holds this batch, and its change is that of the batch's Σ. Written with inverses
// of the leading blocks: row i of Σ̄⁻¹ and of Σ̄⁻¹ΠΣ̄⁻¹, both of the block of the first i functions.
func TestSpINWithTheMovingAverage(t *testing.T) {
	const batch, k, decay = 9, 4, 0.2
	rng := graphtest.NewRand(102)
	o := ommlx.SpIN{Decay: decay}
	at, state := ommtest.GaussianPoint(rng, batch, k), lateState(o, 0, k)
	// Where M[f,Tf] is symmetric: TF = A F on all samples.
	var half, a, tf mat.Dense
	half.CloneFrom(graphtest.Gaussian(rng, batch, batch).Matrix())
	a.Mul(&half, half.T())
	tf.Mul(&a, at.F.Matrix())
	at.TF = graphtest.FromMatrix(&tf)

	overlap := ommtest.SecondMoment(at.F, at.F)
	average := state[0].Clone()
	for i, m := range overlap.Data {
		average.Data[i] = (1-decay)*average.Data[i] + decay*m
	}
	projected := ommtest.SecondMoment(at.F, at.TF)
	dF, dTF := graphtest.NewArray(batch, k), graphtest.NewArray(batch, k)
	for i := range k {
		block := func(m graphtest.Array) *mat.Dense { return mat.DenseCopyOf(m.Matrix().Slice(0, i+1, 0, i+1)) }
		var inverse, both mat.Dense
		require.NoError(t, inverse.Inverse(block(average)))
		both.Product(&inverse, block(projected), &inverse)
		for b := range batch {
			for j := range i + 1 {
				f, tf := at.F.Data[b*k+j]/batch, at.TF.Data[b*k+j]/batch
				dF.Data[b*k+i] += 2*both.At(i, j)*f - inverse.At(i, j)*tf
				dTF.Data[b*k+i] -= inverse.At(i, j) * f
			}
		}
	}
	e := ommtest.EvaluateOnce(t, o, at, state)
	graphtest.RequireClose(t, average, e.Next[0], 1e-13, "average")
	graphtest.RequireClose(t, dF, e.DF, 1e-11, "gradient for f")
	graphtest.RequireClose(t, dTF, e.DTF, 1e-11, "gradient for Tf")
	var solved mat.Dense
	require.NoError(t, solved.Solve(average.Matrix(), projected.Matrix()))
	require.InEpsilon(t, -mat.Trace(&solved), e.Loss.Data[0], 1e-12)
}

// It rests where the first i vectors span the first i eigenvectors, also of an operator with negative eigenvalues; the
// eigenvectors come out of it in order and with length 1.
func TestSpINFindsTheEigenvectors(t *testing.T) {
	for name, eigenvalues := range map[string][]float64{
		"positive":   {4, 3, 2, 1, 0.5},
		"indefinite": {2, 1, -0.5, -2, -4},
	} {
		t.Run(name, func(t *testing.T) {
			rng := graphtest.NewRand(103)
			a, w := theory.Symmetric(rng, eigenvalues)
			const d, k = 5, 3
			triangular := graphtest.Gaussian(rng, k, k)
			for i := range k {
				triangular.Data[i*k+i] += 3
				for j := range i {
					triangular.Data[i*k+j] = 0
				}
			}
			var v mat.Dense
			v.Mul(w.Slice(0, d, 0, k), triangular.Matrix())
			o := ommlx.SpIN{Decay: 1}
			rest := graphtest.NewProgram(t, ommtest.OnMatrix(o)).Call(t,
				append([]graphtest.Array{graphtest.FromMatrix(&v), graphtest.FromMatrix(a)}, initState(o, 0, k)...)...)
			require.InDelta(t, -floats.Sum(eigenvalues[:k]), rest[0].Data[0], 1e-12)
			require.InDelta(t, 0, floats.Norm(rest[1].Data, 2), 1e-12)

			learned := descend(t, ommlx.SpIN{Decay: 0.3}, a, graphtest.Gaussian(rng, d, k))
			basis := testkit.Must(spectral.GramSchmidt(learned.Matrix(), []float64{1, 1, 1, 1, 1}))
			var found mat.Dense
			found.Mul(learned.Matrix(), basis)
			for i := range k {
				requireParallel(t, w.ColView(i), found.ColView(i))
			}
		})
	}
}
