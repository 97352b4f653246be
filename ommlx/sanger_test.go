package ommlx_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
)

// The gradient for f_i is −(2/B) [Tf_i − Σ_{j≤i} ⟨f_j, Tf_i⟩ f_j], term by term, also where M[f,Tf] is not symmetric.
// The terms are told apart by scaling: Tf_i is of degree 1 in f and the other of degree 3.
func TestSangerIsSangersRuleTermByTerm(t *testing.T) {
	const batch, k = 25, 4
	at := gaussianPoint(newRand(61), batch, k)
	p := newProgram(t, lossProgram(ommlx.Sanger{}))
	operator, metric := newArray(batch, k), newArray(batch, k)
	mT := secondMoment(at.f, at.tf)
	for b := range batch {
		for i := range k {
			operator.Data[b*k+i] = -2 * at.tf.Data[b*k+i] / batch
			for j := 0; j <= i; j++ {
				metric.Data[b*k+i] += 2 * mT.Data[j*k+i] * at.f.Data[b*k+j] / batch
			}
		}
	}
	// dF at scale c is c·operator + c³·metric.
	one := evaluate(t, p, at, nil)
	two := evaluate(t, p, point{at.f.scaled(2), at.tf.scaled(2), at.c1, at.c2}, nil)
	gotMetric, gotOperator := two.dF.clone(), two.dF.clone()
	for i := range gotMetric.Data {
		gotMetric.Data[i] = (two.dF.Data[i] - 2*one.dF.Data[i]) / 6
		gotOperator.Data[i] = one.dF.Data[i] - gotMetric.Data[i]
	}
	requireClose(t, operator, gotOperator, 1e-12, "operator term")
	requireClose(t, metric, gotMetric, 1e-12, "metric term")
	require.Zero(t, floats.Norm(one.dTF.Data, 2), "no gradient may reach Tf")
}

// For a matrix the step is Sanger's: v_i + η (I − V_{1:i}V_{1:i}ᵀ) A v_i, with η twice the rate of the descent.
func TestSangerStepOnAMatrix(t *testing.T) {
	const d, k, eta = 7, 3, 0.05
	rng := newRand(62)
	half := gaussian(rng, d, d).matrix()
	var a mat.Dense
	a.Mul(half, half.T())
	v := gaussian(rng, d, k).matrix()

	want := mat.DenseCopyOf(v)
	for i := range k {
		var av, inside, step mat.Dense
		av.Mul(&a, v.ColView(i))
		prefix := v.Slice(0, d, 0, i+1)
		inside.Product(prefix, prefix.T(), &av)
		step.Sub(&av, &inside)
		for row := range d {
			want.Set(row, i, v.At(row, i)+eta*step.At(row, 0))
		}
	}
	out := newProgram(t, onMatrix(ommlx.Sanger{})).call(t, fromMatrix(v), fromMatrix(&a))
	got := fromMatrix(v)
	floats.AddScaled(got.Data, -eta/2, out[1].Data)
	requireClose(t, fromMatrix(want), got, 1e-12, "step")

	// Its nominal value is that of OMM-1.
	omm := newProgram(t, onMatrix(ommlx.OMM{})).call(t, fromMatrix(v), fromMatrix(&a))
	require.InEpsilon(t, omm[0].Data[0], out[0].Data[0], 1e-12)
}

// With M[f,Tf] symmetric it is the surrogate −2 tr M[f, sg Tf] + tr(M^seq[f] sg M[f,Tf]). Its printed relatives differ in
// the operator term alone: by all of it (pseudocode), and by its gradient through Tf (equation).
func TestPrintedSangerVariants(t *testing.T) {
	rng := newRand(63)
	a, _ := symmetric(rng, []float64{3, 2, 1, 0.5, 0.25})
	const d, k = 5, 3
	at := matrixPoint(gaussian(rng, d, k).matrix(), a)
	rule := evaluateOnce(t, ommlx.Sanger{}, at, nil)
	detached := evaluateOnce(t, ommlx.Sanger{Printed: ommlx.SangerDetached}, at, nil)
	both := evaluateOnce(t, ommlx.Sanger{Printed: ommlx.SangerBothGradients}, at, nil)

	requireClose(t, rule.loss, detached.loss, 1e-12, "value")
	requireClose(t, rule.loss, both.loss, 1e-12, "value")
	operator := at.tf.scaled(-2.0 / d)
	withOperator := detached.dF.clone()
	floats.Add(withOperator.Data, operator.Data)
	requireClose(t, rule.dF, withOperator, 1e-12, "the pseudocode lacks the operator term")
	require.Zero(t, floats.Norm(detached.dTF.Data, 2))
	requireClose(t, rule.dF, both.dF, 1e-12, "the equation's gradient for f")
	requireClose(t, at.f.scaled(-2.0/d), both.dTF, 1e-12, "the equation's gradient for Tf")
}

// The equation's fixed point has squared norm 2, the rule's 1; the pseudocode's flow only shrinks f.
func TestSangerFixedPoints(t *testing.T) {
	rng := newRand(64)
	a, w := symmetric(rng, []float64{3, 2, 1, 0.5})
	for _, c := range []struct {
		printed     ommlx.PrintedSanger
		squaredNorm float64
	}{{ommlx.SangersRule, 1}, {ommlx.SangerBothGradients, 2}} {
		p := newProgram(t, onMatrix(ommlx.Sanger{Printed: c.printed}))
		at := fromMatrix(w.Slice(0, 4, 0, 2)).scaled(math.Sqrt(c.squaredNorm))
		require.InDelta(t, 0, floats.Norm(p.call(t, at, fromMatrix(a))[1].Data, 2), 1e-12)
	}
	p := newProgram(t, onMatrix(ommlx.Sanger{Printed: ommlx.SangerDetached}))
	v := gaussian(rng, 4, 2)
	outward := floats.Dot(v.Data, p.call(t, v, fromMatrix(a))[1].Data)
	require.Positive(t, outward, "descent reduces ‖f‖")
}
