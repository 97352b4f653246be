package ommlx_test

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
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
	claim := claims.Of(t, "seq-surrogate-gradient")
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
			within(t, claim.Printed, "largest relative difference of ∂L^seq/∂f_i and that of the prefix, OMM and LoRA", arrayDifference(dF, e.dF), 1e-12)
			within(t, claim.Printed, "of ∂L^seq/∂(Tf_i)", arrayDifference(dTF, e.dTF), 1e-12)
			within(t, claim.Printed, "of the value and L^(1)", arrayDifference(prefixes[k-1].loss, e.loss), 1e-12)
		})
	}
}

// Joint nesting is Σ_i α_i L(f_1, …, f_i), also where a mask computes it (order 1, LoRA) or padded blocks (order > 1).
func TestJointIsTheWeightedSumOverPrefixes(t *testing.T) {
	sum := claims.Of(t, "joint-objective")
	mask := claims.Of(t, "joint-mask-equation")
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
				record := sum.Printed
				if omm, ok := o.(ommlx.OMM); ok && omm.Orders == nil {
					record = every(sum.Printed, mask.Corrected)
				}
				within(t, record, "largest relative difference of the joint loss and Σ_i α_i L(f_{1:i})", difference(loss.Data[0], e.loss.Data[0]), 1e-12)
				within(t, record, "of its gradient for f", arrayDifference(dF, e.dF), 1e-12)
				within(t, record, "for Tf", arrayDifference(dTF, e.dTF), 1e-12)
			})
		}
	}
}

// The pseudocode's extra mean over modes: L_printed(f) = L_joint(√k·f)/k², so it only rescales the minimiser by 1/√k.
func TestPrintedJointPseudocodeRescales(t *testing.T) {
	claim := claims.Of(t, "pseudocode-joint")
	const k = 4
	at := gaussianPoint(newRand(23), 30, k)
	root := math.Sqrt(k)
	printed := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode}, at, nil)
	joint := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint}, point{at.f.scaled(root), at.tf.scaled(root), at.c1, at.c2}, nil)
	within(t, claim.Corrected, "relative difference of the printed loss and L_jnt(√k·f)/k²", difference(joint.loss.Data[0]/(k*k), printed.loss.Data[0]), 1e-12)
	within(t, claim.Corrected, "of the gradients", arrayDifference(joint.dF.scaled(root/(k*k)), printed.dF), 1e-12)
	plain := evaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint}, at, nil)
	beyond(t, claim.Printed, "relative difference of the printed loss and L_jnt(f)", difference(plain.loss.Data[0], printed.loss.Data[0]), 1e-3)
}

// The equation of section 2.3.1 with the mask outside the product: Σ_i m_i (−2 MT_ii + Σ_j M_ij MT_ji), which is not the
// joint loss.
func TestPrintedJointEquation(t *testing.T) {
	claim := claims.Of(t, "joint-mask-equation")
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
	beyond(t, claim.Printed, "relative difference of the printed formula and the joint loss", difference(joint.loss.Data[0], printed.loss.Data[0]), 1e-3)
}

// Section 2.3.1: for p > 1 "we can no longer apply a similar, partial stop-gradient trick". To put M^seq in the place of M does
// give wrong gradients. But the loss of the prefix i, with all functions but f_i stopped, is one of the block of M^seq with
// its first i − 1 rows and columns stopped: its row and column i are ⟨f_i, sg f_j⟩ and ⟨sg f_j, f_i⟩ already. The sum over i
// has the gradients of sequential nesting, from k×k moments alone.
func TestSequentialNestingAtHigherOrder(t *testing.T) {
	claim := claims.Of(t, "seq-higher-order-hard")
	const batch, k = 12, 4
	coefficients := []float64{-4, 6, -4, 1} // of OMM-2
	// loss is tr(Q(M)N) for symmetric M, with unit in the place of M⁰.
	loss := func(m, n, unit *Node) *Node {
		power, q := unit, MulScalar(unit, coefficients[0])
		for _, c := range coefficients[1:] {
			power = matrixProduct(power, m)
			q = Add(q, MulScalar(power, c))
		}
		return ReduceAllSum(Mul(q, n))
	}
	gradients := func(loss func(m, n *Node) *Node, at point) []array {
		return newProgram(t, func(in []*Node) []*Node {
			l := loss(ommlx.SeqSecondMoment(in[0], in[0]), ommlx.SeqSecondMoment(in[0], in[1]))
			return append([]*Node{l}, Gradient(l, in[0], in[1])...)
		}).call(t, at.f, at.tf)[1:]
	}
	at := gaussianPoint(newRand(25), batch, k)
	want := []array{newArray(batch, k), newArray(batch, k)}
	for i, prefix := range prefixLosses(t, ommlx.OMM{Orders: order(2)}, at) {
		for b := range batch {
			want[0].Data[b*k+i], want[1].Data[b*k+i] = prefix.dF.Data[b*k+i], prefix.dTF.Data[b*k+i]
		}
	}

	masked := gradients(func(m, n *Node) *Node {
		return loss(m, n, ConvertDType(Diagonal(m.Graph(), k), m.DType()))
	}, at)
	wrong := arrayDifference(want[0], masked[0])
	require.Greater(t, wrong, 1e-2, "M^seq in the place of M")
	claim.Note("with M^seq in the place of M the gradient of OMM-2 is off by %.0f %% of its largest entry", 100*wrong)

	byPrefix := gradients(func(m, n *Node) *Node {
		sum := ScalarZero(m.Graph(), m.DType())
		for i := range k {
			first := func(x *Node) *Node { return Slice(x, AxisRange(0, i+1), AxisRange(0, i+1)) }
			ofI := func(x *Node) *Node { // the block 1:i of a moment with all but its row and column i stopped
				last := make([][]float64, i+1)
				for a := range last {
					last[a] = make([]float64, i+1)
					for b := range last[a] {
						if a == i || b == i {
							last[a][b] = 1
						}
					}
				}
				live := ConstAs(x, last)
				return Add(Mul(live, first(x)), Mul(OneMinus(live), StopGradient(first(x))))
			}
			sum = Add(sum, loss(ofI(m), ofI(n), ConvertDType(Diagonal(m.Graph(), i+1), m.DType())))
		}
		return sum
	}, at)
	within(t, claim.Corrected, "relative difference of the gradient for f of the sum over prefixes and of those of the prefixes, OMM-2",
		arrayDifference(want[0], byPrefix[0]), 1e-11)
	within(t, claim.Corrected, "for Tf", arrayDifference(want[1], byPrefix[1]), 1e-11)
}
