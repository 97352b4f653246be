package theory

import (
	"math"
	"testing"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// prefixLosses evaluates an objective on the first 1, 2, …, k functions: loss and gradients for all of F and TF.
func prefixLosses(t *testing.T, o ommlx.Objective, at ommtest.Point) []ommtest.Evaluation {
	k := at.F.Dims[1]
	p := graphtest.NewProgram(t, func(in []*Node) []*Node {
		var out []*Node
		for i := 1; i <= k; i++ {
			first := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(0, i)) }
			loss, _ := o.Loss(ommlx.Batch{F: first(in[0]), TF: first(in[1])}, nil)
			out = append(append(out, loss), Gradient(loss, in...)...)
		}
		return out
	})
	out := p.Call(t, at.F, at.TF)
	all := make([]ommtest.Evaluation, k)
	for i := range all {
		all[i] = ommtest.Evaluation{Loss: out[3*i], DF: out[3*i+1], DTF: out[3*i+2]}
	}
	return all
}

// Sequential nesting: the gradient for f_i (and for (Tf)_i) is that of the loss of the first i functions alone, ∂_{f_i}
// L(f_1, …, f_i), while the loss has its plain value.
func TestSequentialGradientIsThatOfThePrefix(t *testing.T) {
	claim := claims.Of(t, "seq-surrogate-gradient")
	const batch, k = 30, 5
	at := ommtest.GaussianPoint(graphtest.NewRand(21), batch, k)
	for _, c := range []struct{ plain, sequential ommlx.Objective }{
		{ommlx.OMM{}, ommlx.OMM{Nesting: ommlx.Sequential}},
		{ommlx.LoRA{}, ommlx.LoRA{Nesting: ommlx.Sequential}},
	} {
		t.Run(c.sequential.Name(), func(t *testing.T) {
			prefixes := prefixLosses(t, c.plain, at)
			dF, dTF := graphtest.NewArray(batch, k), graphtest.NewArray(batch, k)
			for i := range k {
				for b := range batch {
					dF.Data[b*k+i] = prefixes[i].DF.Data[b*k+i]
					dTF.Data[b*k+i] = prefixes[i].DTF.Data[b*k+i]
				}
			}
			e := ommtest.EvaluateOnce(t, c.sequential, at, nil)
			ommtest.Within(t, claim.Printed, "largest relative difference of ∂L^seq/∂f_i and that of the prefix, "+
				"OMM and LoRA", graphtest.Difference(dF, e.DF), 1e-12)
			ommtest.Within(t, claim.Printed, "of ∂L^seq/∂(Tf_i)", graphtest.Difference(dTF, e.DTF), 1e-12)
			ommtest.Within(t, claim.Printed, "of the value and L^(1)",
				graphtest.Difference(prefixes[k-1].Loss, e.Loss), 1e-12)
		})
	}
}

// Joint nesting is Σ_i α_i L(f_1, …, f_i), also where a mask computes it (order 1, LoRA) or padded blocks (order > 1).
func TestJointIsTheWeightedSumOverPrefixes(t *testing.T) {
	sum := claims.Of(t, "joint-objective")
	mask := claims.Of(t, "joint-mask-equation")
	const batch, k = 30, 4
	at := ommtest.GaussianPoint(graphtest.NewRand(22), batch, k)
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
				loss, dF, dTF := graphtest.NewArray(), graphtest.NewArray(batch, k), graphtest.NewArray(batch, k)
				for i, e := range prefixes {
					weight := 1.0 / k
					if alpha != nil {
						weight = alpha[i]
					}
					floats.AddScaled(loss.Data, weight, e.Loss.Data)
					floats.AddScaled(dF.Data, weight, e.DF.Data)
					floats.AddScaled(dTF.Data, weight, e.DTF.Data)
				}
				e := ommtest.EvaluateOnce(t, o, at, nil)
				record := sum.Printed
				if omm, ok := o.(ommlx.OMM); ok && omm.Orders == nil {
					record = ommtest.Every(sum.Printed, mask.Corrected)
				}
				ommtest.Within(t, record, "largest relative difference of the joint loss and Σ_i α_i L(f_{1:i})",
					ommtest.Difference(loss.Data[0], e.Loss.Data[0]), 1e-12)
				ommtest.Within(t, record, "of its gradient for f", graphtest.Difference(dF, e.DF), 1e-12)
				ommtest.Within(t, record, "for Tf", graphtest.Difference(dTF, e.DTF), 1e-12)
			})
		}
	}
}

// The pseudocode's extra mean over modes: L_printed(f) = L_joint(√k·f)/k², so it only rescales the minimiser by 1/√k.
func TestPrintedJointPseudocodeRescales(t *testing.T) {
	claim := claims.Of(t, "pseudocode-joint")
	const k = 4
	at := ommtest.GaussianPoint(graphtest.NewRand(23), 30, k)
	root := math.Sqrt(k)
	printed := ommtest.EvaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode}, at, nil)
	joint := ommtest.EvaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint},
		ommtest.Point{F: at.F.Scaled(root), TF: at.TF.Scaled(root), C1: at.C1, C2: at.C2}, nil)
	ommtest.Within(t, claim.Corrected, "relative difference of the printed loss and L_jnt(√k·f)/k²",
		ommtest.Difference(joint.Loss.Data[0]/(k*k), printed.Loss.Data[0]), 1e-12)
	ommtest.Within(t, claim.Corrected, "of the gradients",
		graphtest.Difference(joint.DF.Scaled(root/(k*k)), printed.DF), 1e-12)
	plain := ommtest.EvaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint}, at, nil)
	ommtest.Beyond(t, claim.Printed, "relative difference of the printed loss and L_jnt(f)",
		ommtest.Difference(plain.Loss.Data[0], printed.Loss.Data[0]), 1e-3)
}

// The equation of section 2.3.1 with the mask outside the product: Σ_i m_i (−2 MT_ii + Σ_j M_ij MT_ji), which is not
// the joint loss.
func TestPrintedJointEquation(t *testing.T) {
	claim := claims.Of(t, "joint-mask-equation")
	const k = 3
	at := ommtest.GaussianPoint(graphtest.NewRand(24), 30, k)
	alpha := []float64{0.5, 2, 1}
	m, mT := ommtest.SecondMoment(at.F, at.F), ommtest.SecondMoment(at.F, at.TF)
	want := 0.0
	for i, weight := range ommlx.JointWeights(alpha) {
		want -= 2 * weight * mT.Data[i*k+i]
		for j := range k {
			want += weight * m.Data[i*k+j] * mT.Data[j*k+i]
		}
	}
	printed := ommtest.EvaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha,
		Printed: ommlx.JointEquation}, at, nil)
	joint := ommtest.EvaluateOnce(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: alpha}, at, nil)
	require.InEpsilon(t, want, printed.Loss.Data[0], 1e-12)
	ommtest.Beyond(t, claim.Printed, "relative difference of the printed formula and the joint loss",
		ommtest.Difference(joint.Loss.Data[0], printed.Loss.Data[0]), 1e-3)
}

// Section 2.3.1: for p > 1 "we can no longer apply a similar, partial stop-gradient trick". To put M^seq in the place
// of M does give wrong gradients. But the loss of the prefix i, with all functions but f_i stopped, is one of the block
// of M^seq with its first i − 1 rows and columns stopped: its row and column i are ⟨f_i, sg f_j⟩ and ⟨sg f_j, f_i⟩
// already. The sum over i has the gradients of sequential nesting, from k×k moments alone.
func TestSequentialNestingAtHigherOrder(t *testing.T) {
	claim := claims.Of(t, "seq-higher-order-hard")
	const batch, k = 12, 4
	coefficients := []float64{-4, 6, -4, 1} // of OMM-2
	// loss is tr(Q(M)N) for symmetric M, with unit in the place of M⁰.
	loss := func(m, n, unit *Node) *Node {
		power, q := unit, MulScalar(unit, coefficients[0])
		for _, c := range coefficients[1:] {
			power = MatMul(power, m)
			q = Add(q, MulScalar(power, c))
		}
		return ReduceAllSum(Mul(q, n))
	}
	gradients := func(loss func(m, n *Node) *Node, at ommtest.Point) []graphtest.Array {
		return graphtest.NewProgram(t, func(in []*Node) []*Node {
			l := loss(ommlx.SeqSecondMoment(in[0], in[0]), ommlx.SeqSecondMoment(in[0], in[1]))
			return append([]*Node{l}, Gradient(l, in[0], in[1])...)
		}).Call(t, at.F, at.TF)[1:]
	}
	at := ommtest.GaussianPoint(graphtest.NewRand(25), batch, k)
	want := []graphtest.Array{graphtest.NewArray(batch, k), graphtest.NewArray(batch, k)}
	for i, prefix := range prefixLosses(t, ommlx.OMM{Orders: ommlx.Order(2)}, at) {
		for b := range batch {
			want[0].Data[b*k+i], want[1].Data[b*k+i] = prefix.DF.Data[b*k+i], prefix.DTF.Data[b*k+i]
		}
	}

	masked := gradients(func(m, n *Node) *Node {
		return loss(m, n, ConvertDType(Diagonal(m.Graph(), k), m.DType()))
	}, at)
	wrong := graphtest.Difference(want[0], masked[0])
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
	ommtest.Within(t, claim.Corrected, "relative difference of the gradient for f of the sum over prefixes and of "+
		"those of the prefixes, OMM-2",
		graphtest.Difference(want[0], byPrefix[0]), 1e-11)
	ommtest.Within(t, claim.Corrected, "for Tf", graphtest.Difference(want[1], byPrefix[1]), 1e-11)
}

// The equation of joint nesting in section 2.3.1 read literally, tr(P ⊙ (−2 VᵀAV + VᵀV VᵀAV)), is unbounded below once
// two eigenvalues are far enough apart. With D = diag(m), m_i = Σ_{j≥i} α_j, its fourth-order part is tr(D VᵀV VᵀAV),
// and for rows b and t·c of V in the eigenbasis of two eigenvalues q apart it is
//
//	q bᵀDb |b|² + (q + 1) t² (bᵀc)(bᵀDc) + t⁴ cᵀDc |c|²,
//
// which is negative for some t if and only if, with s² = m_j/m_i for the two columns,
//
//	(√q + 1/√q)/2 > ((1 + s)/(1 − s))²,
//
// that is q > 4,614 for m = (1, ½). Joint nesting itself has the minimum −Σ_i m_i λ_i for every spectrum.
func TestPrintedJointEquationIsUnboundedBelow(t *testing.T) {
	claim := claims.Of(t, "joint-mask-equation")
	// The threshold: the largest −(bᵀc)(bᵀDc) over √(bᵀDb · cᵀDc), b and c of norm 1, on a grid of angles.
	for _, s := range []float64{math.Sqrt(0.5), 0.5, 0.1} {
		largest := 0.0
		const angles = 720
		for i := range angles {
			for j := range angles {
				b, c := float64(i)*math.Pi/angles, float64(j)*math.Pi/angles
				form := func(x, y float64) float64 { return math.Cos(x)*math.Cos(y) + s*s*math.Sin(x)*math.Sin(y) }
				largest = math.Max(largest, -math.Cos(b-c)*form(b, c)/math.Sqrt(form(b, b)*form(c, c)))
			}
		}
		ommtest.Within(t, claim.Corrected, "relative difference of the threshold on a grid of angles from ((1 − "+
			"s)/(1 + s))²", math.Abs(largest/square((1-s)/(1+s))-1), 1e-3)
	}

	printed := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointEquation,
		Weights: []float64{0.5, 0.5}})
	joint := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.5, 0.5}})
	value := func(l Loss, q, scale float64) float64 {
		loss, _ := l(Scaled(scale, JointEquationRay(q)), mat.NewDense(2, 2, []float64{1, 0, 0, 1 / q}))
		return loss
	}
	for _, scale := range []float64{1e3, 1e4} {
		require.Less(t, value(printed, 4700, scale), -1e-3*math.Pow(scale, 4))
		require.Greater(t, value(printed, 4500, scale), 1e-3*math.Pow(scale, 4))
		require.Greater(t, value(joint, 4700, scale), 0.0)
	}
	ommtest.Within(t, claim.Corrected, "how far the corrected loss is below its minimum at the witness",
		ommtest.Excess(-1-0.5/1e5, value(joint, 1e5, 100)), 0)
	ommtest.Beyond(t, claim.Printed, "how far the printed formula is below the joint minimum, q = 10⁵, ‖V‖ about "+
		"4,000", -value(printed, 1e5, 100)-1, 1e6)
}
