package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx"
)

// prefixLosses evaluates an objective on the first 1, 2, …, k functions: loss and gradients for all of F and TF.
func prefixLosses(t *testing.T, o ommlx.Objective, at point) []evaluation {
	k := at.f.Dims[1]
	p := newProgram(t, func(in []*Node) []*Node {
		var out []*Node
		for i := 1; i <= k; i++ {
			first := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(0, i)) }
			loss, _ := o.Loss(ommlx.Batch{F: first(in[0]), TF: first(in[1])}, nil)
			out = append(append(out, loss), Gradient(loss, in...)...)
		}
		return out
	})
	out := p.call(t, at.f, at.tf)
	all := make([]evaluation, k)
	for i := range all {
		all[i] = evaluation{loss: out[3*i], dF: out[3*i+1], dTF: out[3*i+2]}
	}
	return all
}

// Sequential nesting: the gradient for f_i (and for (Tf)_i) is that of the loss of the first i functions alone,
// ∂_{f_i} L(f_1, …, f_i), while the loss has its plain value.
func TestSequentialGradientIsThatOfThePrefix(t *testing.T) {
	const batch, k = 30, 5
	at := gaussianPoint(newRand(21), batch, k)
	for _, c := range []struct{ plain, sequential ommlx.Objective }{
		{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Sequential}},
		{ommlx.LoRA{}, ommlx.LoRA{Nesting: ommlx.Sequential}},
	} {
		t.Run(c.sequential.Name(), func(t *testing.T) {
			prefixes := prefixLosses(t, c.plain, at)
			dF, dTF := newArray(batch, k), newArray(batch, k)
			for i := range k {
				for b := range batch {
					dF.Data[b*k+i] = prefixes[i].dF.Data[b*k+i]
					dTF.Data[b*k+i] = prefixes[i].dTF.Data[b*k+i]
				}
			}
			e := evaluateOnce(t, c.sequential, at, nil)
			requireClose(t, dF, e.dF, 1e-12, "gradient for f")
			requireClose(t, dTF, e.dTF, 1e-12, "gradient for Tf")
			requireClose(t, prefixes[k-1].loss, e.loss, 1e-12, "value")
		})
	}
}

// Joint nesting is Σ_i α_i L(f_1, …, f_i), also where a mask computes it (order 1, LoRA) or padded blocks (order > 1).
func TestJointIsTheWeightedSumOverPrefixes(t *testing.T) {
	const batch, k = 30, 4
	at := gaussianPoint(newRand(22), batch, k)
	for _, c := range []struct {
		plain ommlx.Objective
		joint func(alpha []float64) ommlx.Objective
	}{
		{ommlx.OMM{}, func(alpha []float64) ommlx.Objective {
			return ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha}
		}},
		{ommlx.OMM{Orders: []float64{1, 0, 0.5}}, func(alpha []float64) ommlx.Objective {
			return ommlx.OMM{Orders: []float64{1, 0, 0.5}, Nesting: ommlx.Joint, Weights: alpha}
		}},
		{ommlx.LoRA{}, func(alpha []float64) ommlx.Objective {
			return ommlx.LoRA{Nesting: ommlx.Joint, Weights: alpha}
		}},
	} {
		prefixes := prefixLosses(t, c.plain, at)
		for _, alpha := range [][]float64{nil, {0.5, 2, 0.125, 1}} {
			o := c.joint(alpha)
			t.Run(o.Name(), func(t *testing.T) {
				loss, dF, dTF := newArray(), newArray(batch, k), newArray(batch, k)
				for i, e := range prefixes {
					weight := 1.0 / k
					if alpha != nil {
						weight = alpha[i]
					}
					floats.AddScaled(loss.Data, weight, e.loss.Data)
					floats.AddScaled(dF.Data, weight, e.dF.Data)
					floats.AddScaled(dTF.Data, weight, e.dTF.Data)
				}
				e := evaluateOnce(t, o, at, nil)
				require.InEpsilon(t, loss.Data[0], e.loss.Data[0], 1e-12)
				requireClose(t, dF, e.dF, 1e-12, "gradient for f")
				requireClose(t, dTF, e.dTF, 1e-12, "gradient for Tf")
			})
		}
	}
}

// The pseudocode's extra mean over modes: L_printed(f) = L_joint(√k·f)/k², so it only rescales the minimiser by 1/√k.
func TestPrintedJointPseudocodeRescales(t *testing.T) {
	const k = 4
	at := gaussianPoint(newRand(23), 30, k)
	root := math.Sqrt(k)
	printed := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode}, at, nil)
	joint := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint}, point{at.f.scaled(root), at.tf.scaled(root), at.c1, at.c2}, nil)
	require.InEpsilon(t, joint.loss.Data[0]/(k*k), printed.loss.Data[0], 1e-12)
	requireClose(t, joint.dF.scaled(root/(k*k)), printed.dF, 1e-12, "gradient")
}

// The equation of section 2.3.1 with the mask outside the product: Σ_i m_i (−2 MT_ii + Σ_j M_ij MT_ji), which is not the
// joint loss.
func TestPrintedJointEquation(t *testing.T) {
	const k = 3
	at := gaussianPoint(newRand(24), 30, k)
	alpha := []float64{0.5, 2, 1}
	m, mT := secondMoment(at.f, at.f), secondMoment(at.f, at.tf)
	want := 0.0
	for i, weight := range ommlx.JointWeights(alpha) {
		want -= 2 * weight * mT.Data[i*k+i]
		for j := range k {
			want += weight * m.Data[i*k+j] * mT.Data[j*k+i]
		}
	}
	printed := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha, Printed: ommlx.JointEquation}, at, nil)
	joint := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha}, at, nil)
	require.InEpsilon(t, want, printed.loss.Data[0], 1e-12)
	require.Greater(t, math.Abs(joint.loss.Data[0]-printed.loss.Data[0]), 1e-3)
}
