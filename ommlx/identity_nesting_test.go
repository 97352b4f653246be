package ommlx_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"operator-omm/ommlx"
	"operator-omm/ommlx/claims"
)

// Eq. (omm_seq_grad), section 2.2.4: with V_i the first i columns, column i of the sequentially nested gradient is
//
//	−2 ((I − V_iV_iᵀ) A v_i + A (I − V_iV_iᵀ) v_i),
//
// and all of it is that of the triangularised OFM which the paper says OMM_seq is, −2 (2AV − V·triu(VᵀAV) − AV·triu(VᵀV)).
func TestIdentitySequentialGradient(t *testing.T) {
	gradientClaim := claims.Of(t, "seq-gradient")
	triangular := claims.Of(t, "seq-is-triofm")
	symmetrised := claims.Of(t, "sanger-rule")
	program := newProgram(t, onMatrix(ommlx.OMM{Nesting: ommlx.Sequential}))
	lora, sanger := newProgram(t, onMatrix(ommlx.LoRA{Nesting: ommlx.Sequential})), newProgram(t, onMatrix(ommlx.Sanger{}))
	upper := func(m *mat.Dense) *mat.Dense {
		u := mat.DenseCopyOf(m)
		u.Apply(func(i, j int, x float64) float64 {
			if i > j {
				return 0
			}
			return x
		}, m)
		return u
	}
	rapid.Check(t, func(t *rapid.T) {
		const d = libraryStates
		k := drawLibraryModes(t)
		s := drawSpectrum(t, d, 0, -4, 4)
		v := gaussian(s.rng, d, k).scaled(0.5).matrix()
		_, gradient := program.at(t, v, s.a)
		_, sangerGradient := sanger.at(t, v, s.a)
		for i := range k {
			prefix, vi := columns(v, 0, i+1), columns(v, i, i+1)
			r := combine(1, eye(d), -1, prod(prefix, prefix.T()))
			want := combine(-2, prod(r, s.a, vi), -2, prod(s.a, r, vi))
			within(t, gradientClaim.Printed, "largest relative difference of a column", matrixDifference(want, columns(gradient, i, i+1)), 1e-11)
			// Sanger's update RAv with RA made symmetric, (RA + AR)/2: minus a quarter of that gradient.
			ra := prod(r, s.a)
			averaged := prod(combine(0.5, ra, 0.5, ra.T()), vi)
			within(t, symmetrised.Printed, "relative difference of 4 sym(RA)v_i and minus the gradient of OMM_seq",
				matrixDifference(combine(4, averaged, 0, averaged), combine(-1, columns(gradient, i, i+1), 0, vi)), 1e-11)
			within(t, symmetrised.Printed, "of 2RAv_i and minus the gradient that trains Sanger's variant",
				matrixDifference(combine(2, prod(ra, vi), 0, vi), combine(-1, columns(sangerGradient, i, i+1), 0, vi)), 1e-11)
		}
		av := prod(s.a, v)
		nested := combine(1, prod(v, upper(prod(v.T(), av))), 1, prod(av, upper(gram(v))))
		within(t, triangular.Printed, "relative difference of the gradients, OMM_seq", matrixDifference(combine(-4, av, 2, nested), gradient), 1e-11)
		_, loraGradient := lora.at(t, v, s.a)
		within(t, triangular.Printed, "and LoRA_seq", matrixDifference(combine(-4, av, 4, prod(v, upper(gram(v)))), loraGradient), 1e-11)
	})
}

// jacobian returns that of the gradient that trains V, by central differences.
func jacobian(t *testing.T, o ommlx.Objective, v, a *mat.Dense) *mat.Dense {
	const h = 1e-5
	program := newProgram(t, onMatrix(o))
	d, k := v.Dims()
	j := mat.NewDense(d*k, d*k, nil)
	for i := range d * k {
		at := func(step float64) *mat.Dense {
			moved := mat.DenseCopyOf(v)
			moved.RawMatrix().Data[i] += step
			_, gradient := program.at(t, moved, a)
			return gradient
		}
		difference := combine(1/(2*h), at(h), -1/(2*h), at(-h))
		j.SetCol(i, difference.RawMatrix().Data)
	}
	return j
}

// asymmetry returns the largest |J − Jᵀ| of the Jacobian.
func asymmetry(t *testing.T, o ommlx.Objective, v, a *mat.Dense) float64 {
	j := jacobian(t, o, v, a)
	difference := combine(1, j, -1, j.T())
	return math.Max(mat.Max(difference), -mat.Min(difference))
}

// Section 2.2.5: Sanger's update is the gradient of no function, since its Jacobian is not symmetric, already for one
// function: J − Jᵀ = ±2(v(Av)ᵀ − (Av)vᵀ) of Sanger's RAv, twice that of the loss here, and zero at an eigenvector only. The
// paper sets OMM against it, which is right for OMM and for each function of OMM_seq with those before it fixed. The
// nested rule as a whole is no gradient either: v_2 feels v_1, and v_1 does not feel v_2.
func TestIdentityWhichRulesAreGradients(t *testing.T) {
	claim := claims.Of(t, "sanger-no-potential")
	rng := newRand(730)
	a, w := symmetric(rng, []float64{3, 2, 1, 0.5})
	one, two := gaussian(rng, 4, 1).scaled(0.5).matrix(), gaussian(rng, 4, 2).scaled(0.5).matrix()
	const round = 1e-7
	const what = "largest |J − Jᵀ| of "
	within(t, claim.Corrected, what+"OMM, k = 1", asymmetry(t, ommlx.OMM{}, one, a), round)
	within(t, claim.Corrected, what+"OMM, k = 2", asymmetry(t, ommlx.OMM{}, two, a), round)
	within(t, claim.Corrected, what+"OMM_jnt, k = 2", asymmetry(t, ommlx.OMM{Nesting: ommlx.Joint}, two, a), round)
	within(t, claim.Corrected, what+"OMM_seq, k = 1", asymmetry(t, ommlx.OMM{Nesting: ommlx.Sequential}, one, a), round)
	beyond(t, claim.Printed, what+"OMM_seq, k = 2", asymmetry(t, ommlx.OMM{Nesting: ommlx.Sequential}, two, a), 0.1)
	require.Greater(t, asymmetry(t, ommlx.LoRA{Nesting: ommlx.Sequential}, two, a), 0.1)
	require.Less(t, asymmetry(t, ommlx.Sanger{}, columns(w, 1, 2), a), round)

	outer := prod(one, one.T(), a)
	difference := combine(4, outer, -4, outer.T())
	require.Greater(t, mat.Max(difference), 0.1)
	within(t, claim.Corrected, "that of Sanger's rule, k = 1, from the largest entry of 4(v(Av)ᵀ − (Av)vᵀ)",
		math.Abs(mat.Max(difference)-asymmetry(t, ommlx.Sanger{}, one, a)), round)
	claim.Note("largest |J − Jᵀ| of Sanger's rule, k = 1: %.2g", mat.Max(difference))
}

// Section 2.2.4 has an "inductive argument" for the convergence of OMM_seq. At W_{1:k} its Jacobian is block triangular, with
// the eigenvalues
//
//	2(λ_i − λ_l) for l > i,  8λ_i,  2(λ_i + λ_j) for j < i
//
// (Sanger: 2(λ_i − λ_l), 4λ_i, 2λ_i), all of them positive for distinct positive eigenvalues in order. Any other order of the
// columns has a negative one: of the equilibria made of eigenvectors only ±W_{1:k} attracts.
func TestIdentityOrderedEigenvectorsAttract(t *testing.T) {
	claim := claims.Of(t, "seq-converges")
	const d, k = 4, 2
	values := []float64{3, 2, 1, 0.5}
	a, w := symmetric(newRand(735), values)
	for _, c := range []struct {
		objective    ommlx.Objective
		norm         float64
		earlierShare float64
	}{{ommlx.OMM{Nesting: ommlx.Sequential}, 8, 1}, {ommlx.Sanger{}, 4, 0}} {
		rates := func(v *mat.Dense) (rates []float64) {
			var eigen mat.Eigen
			require.True(t, eigen.Factorize(jacobian(t, c.objective, v, a), mat.EigenNone))
			for _, value := range eigen.Values(nil) {
				require.InDelta(t, 0, imag(value), 1e-5)
				rates = append(rates, real(value))
			}
			slices.Sort(rates)
			return rates
		}
		var want []float64
		for i := range k {
			for l := range d {
				switch {
				case l > i:
					want = append(want, 2*(values[i]-values[l]))
				case l == i:
					want = append(want, c.norm*values[i])
				default:
					want = append(want, 2*(values[i]+c.earlierShare*values[l]))
				}
			}
		}
		slices.Sort(want)
		record := claim.Printed
		if c.earlierShare == 0 {
			record = func(string, float64, float64) {} // the claim is on OMM_seq
		}
		within(t, record, "largest distance of the Jacobian's eigenvalues at W_{1:k} from the closed forms",
			floats.Distance(want, rates(columns(w, 0, k)), math.Inf(1)), 1e-5)
		require.Positive(t, want[0])
		within(t, record, "least eigenvalue with two columns exchanged", rates(beside(columns(w, 1, 2), columns(w, 0, 1)))[0], -0.5)
		within(t, record, "and with an eigenvector left out", rates(beside(columns(w, 0, 1), columns(w, 2, 3)))[0], -0.5)
	}
}

// Theorem 2 prints V = W for the minimiser, V d×k and W d×d. It is W_{1:k} up to the sign of each column: all sign choices have
// the least loss −Σ_i m_i λ_i. For k = d, where there is no λ_{k+1}, it needs λ_d > 0 besides: with λ_d = 0 the last column
// may have any length.
func TestIdentityJointMinimisersUpToSign(t *testing.T) {
	claim := claims.Of(t, "theorem2")
	alpha := []float64{0.5, 2, 1}
	for p := 1; p <= 3; p++ {
		program := newProgram(t, onMatrix(ommlx.OMM{Nesting: ommlx.Joint, Orders: order(p), Weights: alpha}))
		rapid.Check(t, func(t *rapid.T) {
			d := rapid.SampledFrom([]int{3, 5}).Draw(t, "d")
			values := []float64{3, 2, 0, 0, 0}[:d]
			if d == 5 {
				values = []float64{3, 2, 1, 0.5, 0}
			}
			rng := newRand(rapid.Uint64().Draw(t, "seed"))
			a, w := symmetric(rng, values)
			last := 1.0
			if d == 3 {
				last = rapid.Float64Range(0, 2).Draw(t, "length of the last column")
			}
			signs := mat.NewDiagDense(3, []float64{1 - 2*float64(rng.IntN(2)), 1 - 2*float64(rng.IntN(2)), last})
			least := 0.0
			for i, m := range ommlx.JointWeights(alpha) {
				least -= m * values[i]
			}
			loss, gradient := program.at(t, prod(columns(w, 0, 3), signs), a)
			within(t, claim.Corrected, "excess over −Σ_i m_i λ_i at ±w_1, ±w_2, …, p = 1, 2, 3; for k = d, λ_d = 0 with any last length", math.Abs(least-loss), 1e-9)
			within(t, claim.Corrected, "gradient there", mat.Norm(gradient, 2), 1e-9)
			if d == 3 {
				claim.Printed("‖v_kv_kᵀ − w_kw_kᵀ‖ at minimisers for k = d, λ_d = 0", math.Abs(last*last-1), 1e-3)
			}
			other, _ := program.at(t, gaussian(rng, d, 3).scaled(0.5).matrix(), a)
			require.Greater(t, other, least)
		})
	}
}

// Footnote to Theorem 2: with repeated eigenvalues the minimiser of joint nesting has orthonormal columns in the
// eigenspaces. They are a basis of an eigenspace, as the footnote says, if all of it is among the leading k; an eigenspace
// that k cuts through has only an orthonormal set.
func TestIdentityJointMinimiserOfARepeatedEigenvalue(t *testing.T) {
	claim := claims.Of(t, "theorem2-degenerate")
	program := newProgram(t, onMatrix(ommlx.OMM{Nesting: ommlx.Joint}))
	const d = 6
	for _, k := range []int{2, 3, 4} { // cut through the eigenspace of 2, whole, and with one more
		for seed := range uint64(2) {
			rng := newRand(740 + seed)
			a, w := symmetric(rng, []float64{4, 2, 2, 1, 0.5, 0.25})
			_, v := minimise(t, program, a, gaussian(rng, d, k).scaled(0.4))
			within(t, claim.Corrected, "relative distance of VᵀV from I where L-BFGS ends", matrixDifference(eye(k), gram(v)), 1e-4)
			for i, space := range []*mat.Dense{columns(w, 0, 1), columns(w, 1, 3), columns(w, 1, 3), columns(w, 3, 4)}[:k] {
				vi := columns(v, i, i+1)
				within(t, claim.Corrected, "largest part of a column outside of its eigenspace", mat.Norm(combine(1, vi, -1, prod(space, space.T(), vi)), 2), 1e-4)
			}
			if k == 2 {
				half := columns(v, 1, 2)
				both := columns(w, 1, 3)
				beyond(t, claim.Printed, "part of the cut eigenspace that the columns do not span", mat.Norm(combine(1, both, -1, prod(half, half.T(), both)), 2), 0.9)
			}
		}
	}
}

// The equation of joint nesting in section 2.3.1 read literally, tr(P ⊙ (−2 VᵀAV + VᵀV VᵀAV)), is unbounded below once two
// eigenvalues are far enough apart. With D = diag(m), m_i = Σ_{j≥i} α_j, its fourth-order part is tr(D VᵀV VᵀAV), and for
// rows b and t·c of V in the eigenbasis of two eigenvalues q apart it is
//
//	q bᵀDb |b|² + (q + 1) t² (bᵀc)(bᵀDc) + t⁴ cᵀDc |c|²,
//
// which is negative for some t if and only if, with s² = m_j/m_i for the two columns,
//
//	(√q + 1/√q)/2 > ((1 + s)/(1 − s))²,
//
// that is q > 4,614 for m = (1, ½). Joint nesting itself has the minimum −Σ_i m_i λ_i for every spectrum.
func TestIdentityPrintedJointEquationIsUnboundedBelow(t *testing.T) {
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
		within(t, claim.Corrected, "relative difference of the threshold on a grid of angles from ((1 − s)/(1 + s))²", math.Abs(largest/square((1-s)/(1+s))-1), 1e-3)
	}

	printed := newProgram(t, onMatrix(ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointEquation, Weights: []float64{0.5, 0.5}}))
	joint := newProgram(t, onMatrix(ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.5, 0.5}}))
	theta := math.Atan(math.Pow(2, 0.25))
	witness := func(q, scale float64) (v, a *mat.Dense) {
		// The t that makes the fourth order least, for unit b and c at ±θ.
		inner, weighted := math.Cos(2*theta), square(math.Cos(theta))-square(math.Sin(theta))/2
		weight := square(math.Cos(theta)) + square(math.Sin(theta))/2
		size := math.Sqrt(-(q + 1) * inner * weighted / (2 * weight))
		v = mat.NewDense(2, 2, []float64{
			scale * math.Cos(theta), scale * math.Sin(theta),
			scale * size * math.Cos(theta), -scale * size * math.Sin(theta)})
		return v, mat.NewDense(2, 2, []float64{1, 0, 0, 1 / q})
	}
	value := func(p program, q, scale float64) float64 {
		v, a := witness(q, scale)
		loss, _ := p.at(t, v, a)
		return loss
	}
	for _, scale := range []float64{1e3, 1e4} {
		require.Less(t, value(printed, 4700, scale), -1e-3*math.Pow(scale, 4))
		require.Greater(t, value(printed, 4500, scale), 1e-3*math.Pow(scale, 4))
		require.Greater(t, value(joint, 4700, scale), 0.0)
	}
	within(t, claim.Corrected, "how far the corrected loss is below its minimum at the witness", excess(-1-0.5/1e5, value(joint, 1e5, 100)), 0)
	beyond(t, claim.Printed, "how far the printed formula is below the joint minimum, q = 10⁵, ‖V‖ about 4,000", -value(printed, 1e5, 100)-1, 1e6)
}
