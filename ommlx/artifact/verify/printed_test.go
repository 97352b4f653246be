package verify

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// listing is the loss of appendix B.2, NestedOrbitalLoss, operation by operation; nesting is "" for None, "jnt", "seq"
// or "sanger".
func listing(nesting string) func(f, tf *Node) *Node {
	product := func(a, b *Node) *Node { return MatMul(Transpose(a, 0, 1), b) }
	strict := func(triangle *Node) *Node { return Mul(triangle, OneMinus(identity(triangle))) }
	// compute_second_moment
	moment := func(f, g *Node, seqNesting bool) *Node {
		n := float64(f.Shape().Dim(0))
		if !seqNesting {
			return DivScalar(product(f, g), n)
		}
		lower := strict(TakeLowerTriangular(product(f, StopGradient(g)), 0))
		upper := strict(TakeUpperTriangular(product(StopGradient(f), g), 0))
		diagonal := Mul(identity(lower), InsertAxes(ReduceSum(Mul(f, g), 0), 0))
		return DivScalar(Add(Add(lower, diagonal), upper), n)
	}
	return func(f, tf *Node) *Node {
		if nesting == "jnt" {
			overlap, projected := moment(f, f, false), moment(f, tf, false)
			k := f.Shape().Dim(1)
			// get_joint_nesting_masks: the vector is the diagonal of the matrix.
			masks := ConstAs(overlap, ommlx.JointMask(slices.Repeat([]float64{1 / float64(k)}, k)))
			diagonal := Mul(identity(overlap), masks)
			operatorTerm := MulScalar(ReduceAllSum(ReduceMean(Mul(diagonal, projected), 0)), -2)
			return Add(operatorTerm, ReduceAllSum(Mul(Mul(masks, projected), overlap)))
		}
		overlap := moment(f, f, nesting == "seq" || nesting == "sanger")
		projected := moment(f, tf, nesting == "seq")
		if nesting == "sanger" {
			projected = StopGradient(projected)
		}
		operatorTerm := MulScalar(ReduceAllSum(Mul(identity(projected), projected)), -2)
		return Add(operatorTerm, ReduceAllSum(Mul(projected, overlap)))
	}
}

// printedVariants are this package's objectives for the nestings of the listing in appendix B.2.
var printedVariants = map[string]ommlx.Objective{"": ommlx.OMM{}, "seq": ommlx.OMM{Nesting: ommlx.Sequential},
	"jnt": JointPseudocode, "sanger": SangerDetached}

// symmetricPoint has Tf = fA, A symmetric, the only case in which Sanger's surrogate has OMM-1's value.
func symmetricPoint() testkit.Point {
	a, _ := Symmetric(testkit.NewRand(93), []float64{3, 2, 1, 0.5, 0.2, 0.1})
	return testkit.MatrixPoint(Gaussian(testkit.NewRand(94), 6, 4), a)
}

//go:embed testdata/listing.py
var listingProgram string

// listingKept is the result of the last [TestParityListing] with OMM_KEEP set.
const listingKept = "testdata/listing.json"

type kept struct {
	Date       string             `json:"date"`
	Torch      string             `json:"torch"`
	Difference map[string]float64 `json:"difference"` // largest relative difference of value and gradients, by nesting
}

// Appendix B.2: the printed code computes OMM-1 and its sequential nesting, but JointPseudocode for joint nesting and
// SangerDetached for Sanger's rule. JointPseudocode has an extra mean over modes: L_printed(f) = L_joint(√k·f)/k².
func TestPrintedCode(t *testing.T) {
	asIs := papertest.Of(t, "pseudocode-none-seq")
	joint, sanger := papertest.Of(t, "pseudocode-joint"), papertest.Of(t, "pseudocode-sanger")
	var itself kept
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(listingKept)), &itself))
	at := symmetricPoint()
	f, tf := at.F.Matrix(), at.TF.Matrix()
	for nesting, record := range map[string]papertest.Measure{"": asIs.Printed, "seq": asIs.Printed,
		"jnt": joint.Corrected, "sanger": sanger.Corrected} {
		require.Contains(t, itself.Difference, nesting)
		want, dF, dTF := onValues(t, lossOf(printedVariants[nesting]))(f, tf)
		got, listedDF, listedDTF := onValues(t, listing(nesting))(f, tf)
		record.Agree(t, "relative difference of the listing's value and ours", want, got, 1e-13)
		record.Same(t, "of the gradient for f", dF, listedDF, 1e-13)
		record.Same(t, "for Tf", dTF, listedDTF, 1e-13)
	}
	for _, claim := range []papertest.Claim{asIs, joint, sanger} {
		claim.Note("PyTorch %s ran the listing itself on %s; relative differences from ours are at most %.0e",
			itself.Torch, itself.Date, slices.Max(slices.Collect(maps.Values(itself.Difference))))
	}

	const k = 4
	root := math.Sqrt(k)
	rng, objective := testkit.NewRand(23), onValues(t, lossOf(ommlx.OMM{Nesting: ommlx.Joint}))
	f, tf = Gaussian(rng, 30, k), Gaussian(rng, 30, k)
	printed, printedDF, _ := onValues(t, lossOf(JointPseudocode))(f, tf)
	scaled, scaledDF, _ := objective(Scaled(root, f), Scaled(root, tf))
	want, _, _ := objective(f, tf)
	joint.Corrected.Agree(t, "relative difference of the printed loss and L_jnt(√k·f)/k²", scaled/(k*k), printed, 1e-12)
	joint.Corrected.Same(t, "of the gradients", Scaled(root/(k*k), scaledDF), printedDF, 1e-13)
	joint.Printed.Beyond(t, "relative difference of the printed loss and L_jnt(f)",
		papertest.Difference(want, printed), 1e-3)
}

// Appendix B.2: the listing in the paper's source, run by PyTorch, has the values and gradients of this package.
func TestParityListing(t *testing.T) {
	_, listing, there := strings.Cut(testkit.Paper(t), `\begin{lstlisting}[]`)
	require.True(t, there)
	listing, _, _ = strings.Cut(listing, `\end{lstlisting}`)
	at := symmetricPoint()
	var reply struct {
		Torch   string                     `json:"torch"`
		Results map[string][]testkit.Array `json:"results"`
	}
	testkit.AskTorch(t, listingProgram, map[string]any{"listing": listing, "f": at.F, "tf": at.TF}, &reply)
	found := kept{time.Now().UTC().Format(time.DateOnly), reply.Torch, map[string]float64{}}
	for nesting, objective := range printedVariants {
		want := testkit.EvaluateObjective(t, objective, at)
		got := reply.Results[nesting]
		require.Len(t, got, 3, nesting)
		for i, ours := range []testkit.Array{want.Loss, want.DF, want.DTF} {
			got[i].Dims = ours.Dims
			difference := testkit.Difference(ours, got[i])
			require.Less(t, difference, 1e-12, "%s, %d", nesting, i)
			found.Difference[nesting] = max(found.Difference[nesting], difference)
		}
	}
	if os.Getenv("OMM_KEEP") != "" {
		result := testkit.Must(json.MarshalIndent(found, "", " "))
		require.NoError(t, os.WriteFile(listingKept, append(result, '\n'), 0o644))
	}
}

// Section 2.3.1 read literally, tr(P ⊙ (−2 VᵀAV + VᵀV VᵀAV)), is not the joint loss. With D = diag(m), m_i = Σ_{j≥i}
// α_j, its fourth-order part for rows b and t·c of V, in the eigenbasis of two eigenvalues with ratio q, is q bᵀDb |b|²
// + (q + 1) t² (bᵀc)(bᵀDc) + t⁴ cᵀDc |c|², which is negative for some t if and only if (√q + 1/√q)/2 > ((1 + s)/(1 −
// s))², s² = m_j/m_i, that is, q > 4,614 for m = (1, ½).
func TestPrintedJointEquationIsUnboundedBelow(t *testing.T) {
	claim := papertest.Of(t, "joint-mask-equation")
	// The threshold: the largest −(bᵀc)(bᵀDc) over √(bᵀDb · cᵀDc), for unit b and c, on a grid of angles.
	for _, s := range []float64{math.Sqrt(0.5), 0.5, 0.1} {
		largest := 0.0
		const angles = 720
		for i := range angles {
			for j := range angles {
				b, c := float64(i)*math.Pi/angles, float64(j)*math.Pi/angles
				form := func(x, y float64) float64 { return math.Cos(x)*math.Cos(y) + s*s*math.Sin(x)*math.Sin(y) }
				largest = max(largest, -math.Cos(b-c)*form(b, c)/math.Sqrt(form(b, b)*form(c, c)))
			}
		}
		claim.Corrected.Within(t, "relative difference of the threshold on a grid of angles from ((1 − s)/(1 + s))²",
			math.Abs(largest/square((1-s)/(1+s))-1), 1e-3)
	}

	printed := onMatrix(t, JointEquation)
	joint := onMatrix(t, ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.5, 0.5}})
	value := func(l Loss, q, scale float64) float64 {
		loss, _ := l(Scaled(scale, JointEquationRay(q)), mat.NewDense(2, 2, []float64{1, 0, 0, 1 / q}))
		return loss
	}
	require.Less(t, value(printed, 4700, 1e4), 0.0)
	require.Greater(t, value(printed, 4500, 1e4), 0.0)
	claim.Corrected.AtMost(t, "how far the corrected loss is below its minimum at the witness", -1-0.5/1e5,
		value(joint, 1e5, 100), 0)
	claim.Printed.Beyond(t, "how far the printed formula is below the joint minimum, q = 10⁵, ‖V‖ about 4,000",
		-value(printed, 1e5, 100)-1, 1e6)
}
