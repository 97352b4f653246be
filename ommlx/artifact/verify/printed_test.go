package verify

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/xslices"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	. "omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/testkit"
)

// listing is the loss of appendix B.2, NestedOrbitalLoss, with its products; nesting is "" for None, "jnt", "seq" or
// "sanger".
func listing(nesting string) func(f, tf *Node) *Node {
	product := func(a, b *Node) *Node { return MatMul(Transpose(a, 0, 1), b) }
	// compute_second_moment
	moment := func(f, g *Node, seqNesting bool) *Node {
		n := float64(f.Shape().Dim(0))
		if !seqNesting {
			return DivScalar(product(f, g), n)
		}
		lower := TakeLowerTriangular(product(f, StopGradient(g)), -1)
		upper := TakeUpperTriangular(product(StopGradient(f), g), 1)
		diagonal := Mul(ommlx.IdentityLike(lower), InsertAxes(ReduceSum(Mul(f, g), 0), 0))
		return DivScalar(Add(Add(lower, diagonal), upper), n)
	}
	return func(f, tf *Node) *Node {
		overlap := moment(f, f, nesting == "seq" || nesting == "sanger")
		projected := moment(f, tf, nesting == "seq")
		diagonal := ommlx.IdentityLike(projected)
		switch nesting {
		case "sanger":
			projected = StopGradient(projected)
		case "jnt":
			k := f.Shape().Dim(1)
			// get_joint_nesting_masks: the vector is the diagonal of the matrix.
			projected = Mul(projected, ConstAs(overlap, ommlx.JointMask(slices.Repeat([]float64{1 / float64(k)}, k))))
			diagonal = DivScalar(diagonal, float64(k)) // the operator term is a mean over modes
		}
		operatorTerm := MulScalar(ReduceAllSum(Mul(diagonal, projected)), -2)
		return Add(operatorTerm, ReduceAllSum(Mul(projected, overlap)))
	}
}

// printedVariants are this package's objectives for the nestings of the listing in appendix B.2.
var printedVariants = map[string]ommlx.Objective{"": ommlx.OMM{}, "seq": ommlx.OMM{Nesting: ommlx.Sequential},
	"jnt": JointPseudocode, "sanger": SangerDetached}

// symmetricPoint has Tf = fA, A symmetric, the only case in which Sanger's surrogate has OMM-1's value.
func symmetricPoint() testkit.Point {
	a, _ := RandomSymmetric(testkit.NewRand(93), []float64{3, 2, 1, 0.5, 0.2, 0.1})
	return testkit.MatrixPoint(RandomGaussian(testkit.NewRand(94), 6, 4), a)
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
	asIs, joint := papertest.Of(t, "pseudocode-none-seq"), papertest.Of(t, "pseudocode-joint")
	sanger := papertest.Of(t, "pseudocode-sanger")
	var itself kept
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(listingKept)), &itself))
	at := symmetricPoint()
	f, tf := at.F.Matrix(), at.TF.Matrix()
	for nesting, record := range map[string]papertest.Measure{"": asIs.Printed, "seq": asIs.Printed,
		"jnt": joint.Corrected, "sanger": sanger.Corrected} {
		require.Contains(t, itself.Difference, nesting)
		equal(t, record, onValues(lossOf(printedVariants[nesting])), onValues(listing(nesting)), f, tf,
			"relative difference of the listing's value and ours", "of the gradient for f")
	}
	for _, claim := range []papertest.Claim{asIs, joint, sanger} {
		claim.Note("PyTorch %s ran the listing itself on %s; relative differences from ours are at most %.0e",
			itself.Torch, itself.Date, slices.Max(slices.Collect(maps.Values(itself.Difference))))
	}

	const k = 4
	root := math.Sqrt(k)
	rng, objective := testkit.NewRand(23), onValues(lossOf(ommlx.OMM{Nesting: ommlx.Joint}))
	f, tf = RandomGaussian(rng, 30, k), RandomGaussian(rng, 30, k)
	printed, printedDF, _ := onValues(lossOf(JointPseudocode))(f, tf)
	scaled, scaledDF, _ := objective(Scaled(root, f), Scaled(root, tf))
	want, _, _ := objective(f, tf)
	joint.Corrected.Equal(t, "relative difference of the printed loss and L_jnt(√k·f)/k²", scaled/(k*k), printed, 1e-12)
	joint.Corrected.EqualMatrix(t, "of the gradients", Scaled(root/(k*k), scaledDF), printedDF, 1e-13)
	joint.Printed.Beyond(t, "relative difference of the printed loss and L_jnt(f)", papertest.Difference(want, printed),
		1e-3)
}

// Appendix B.2: the listing in the paper's source, run by PyTorch, has the values and gradients of this package.
func TestParityListing(t *testing.T) {
	_, listing, there := strings.Cut(testkit.Paper(t), `\begin{lstlisting}[]`)
	require.True(t, there)
	listing, _, _ = strings.Cut(listing, `\end{lstlisting}`)
	at := symmetricPoint()
	var reply struct {
		Torch   string
		Results map[string][]testkit.Array
	}
	testkit.AskPython(t, "torch, torchvision", listingProgram,
		map[string]any{"listing": listing, "f": at.F, "tf": at.TF}, &reply)
	found := kept{time.Now().UTC().Format(time.DateOnly), reply.Torch, map[string]float64{}}
	for nesting, objective := range printedVariants {
		loss, df, dtf := onValues(lossOf(objective))(at.F.Matrix(), at.TF.Matrix())
		require.Len(t, reply.Results[nesting], 3, nesting)
		for i, ours := range []testkit.Array{{Data: []float64{loss}}, testkit.FromMatrix(df), testkit.FromMatrix(dtf)} {
			difference := testkit.Difference(ours, reply.Results[nesting][i])
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
		for i := range angles * angles {
			b, c := float64(i/angles)*math.Pi/angles, float64(i%angles)*math.Pi/angles
			form := func(x, y float64) float64 { return math.Cos(x)*math.Cos(y) + s*s*math.Sin(x)*math.Sin(y) }
			largest = max(largest, -math.Cos(b-c)*form(b, c)/math.Sqrt(form(b, b)*form(c, c)))
		}
		claim.Corrected.Near(t, "relative difference of the threshold on a grid of angles from ((1 − s)/(1 + s))²", 1,
			largest/square((1-s)/(1+s)), 1e-3)
	}

	value := func(o ommlx.Objective, q, scale float64) float64 {
		loss, _ := onMatrix(o)(Scaled(scale, JointEquationRay(q)), mat.NewDense(2, 2, []float64{1, 0, 0, 1 / q}))
		return loss
	}
	require.Less(t, value(JointEquation, 4700, 1e4), 0.0)
	require.Greater(t, value(JointEquation, 4500, 1e4), 0.0)
	claim.Corrected.Within(t, "how far the corrected loss is below its minimum at the witness",
		max(0, -1-0.5/1e5-value(ommlx.OMM{Nesting: ommlx.Joint, Weights: []float64{0.5, 0.5}}, 1e5, 100)), 0)
	claim.Printed.Beyond(t, "how far the printed formula is below the joint minimum, q = 10⁵, ‖V‖ about 4,000",
		-value(JointEquation, 1e5, 100)-1, 1e6)
}

// costOf counts, from shapes, the multiply-adds of all matrix products of loss and gradients for F and TF: as the graph
// is written, and with equal products merged, as a compiler does.
func costOf(t *testing.T, loss func(f, tf *Node) *Node, batch, k int) (written, merged float64) {
	g := NewGraph(engine, t.Name())
	defer g.Finalize()
	f := Parameter(g, "F", shapes.Make(dtypes.Float64, batch, k))
	tf := Parameter(g, "TF", shapes.Make(dtypes.Float64, batch, k))
	l := loss(f, tf)
	numbers, known := map[NodeId]int{}, map[string]int{}
	var number func(n *Node) int // equal for equal products
	number = func(n *Node) int {
		if v, seen := numbers[n.Id()]; seen {
			return v
		}
		inputs := xslices.Map(n.Inputs(), number)
		key, size := fmt.Sprint(n.Type(), n.Shape(), inputs), 0.0
		switch n.Type() {
		case NodeTypeIdentity: // StopGradient is one
			numbers[n.Id()] = inputs[0]
			return inputs[0]
		case NodeTypeDotGeneral: // (m×n)(n×p): the sizes of the three matrices multiply to (mnp)²
			size = math.Sqrt(float64(n.Inputs()[0].Shape().Size() * n.Inputs()[1].Shape().Size() * n.Shape().Size()))
		case NodeTypeTranspose:
		default:
			key = fmt.Sprint(n.Id())
		}
		written += size
		if _, seen := known[key]; !seen {
			known[key], merged = len(known), merged+size
		}
		numbers[n.Id()] = known[key]
		return known[key]
	}
	xslices.Map(append([]*Node{l}, Gradient(l, f, tf)...), number)
	return written, merged
}

// Appendix B.3: OMM-1 costs O(Bk²), like LoRA and ALLO, and OMM-p O(Bk² + pk³): by Horner's rule 2p − 2 more products
// of k×k matrices than OMM-1, and twice as many in the gradient.
func TestComplexity(t *testing.T) {
	printed, gradient := papertest.Of(t, "complexity").Printed, papertest.Of(t, "lora-omm-same-gradient-cost").Printed
	for _, batch := range []int{64, 512, 4096} {
		for _, k := range []int{4, 16, 64} {
			moments, powers := float64(batch*k*k), float64(k*k*k)
			for p := 1; p <= 8; p++ {
				_, count := costOf(t, lossOf(ommlx.OMM{Orders: ommlx.Order(p)}), batch, k)
				printed.Equal(t, "largest relative difference of the multiply-adds from 5Bk² + 6(p − 1)k³",
					5*moments+6*float64(p-1)*powers, count, 0)
			}
			_, lora := costOf(t, lossOf(ommlx.LoRA{}), batch, k)
			papertest.Every(printed, gradient).Equal(t, "relative difference of LoRA's multiply-adds from OMM-1's",
				5*moments, lora, 0)
			_, allo := costOf(t, lossOf(ommlx.ALLO{}), batch, k)
			printed.Within(t, "ALLO's over OMM-1's", allo/(5*moments), 2)
		}
	}
}

// Section 2.3.1. The printed code forms two more products of B×k tables; a step of the network of section 3.1 takes
// 2·3·B·(2·256 + 2·256² + 256k) multiply-adds.
func TestSequentialNestingCost(t *testing.T) {
	claim := papertest.Of(t, "seq-no-overhead")
	for _, k := range []int{11, 50} {
		const batch, width = 1024, 256
		printed, _ := costOf(t, listing(""), batch, k)
		nested, _ := costOf(t, listing("seq"), batch, k)
		network := float64(6 * batch * (2*width + 2*width*width + width*k))
		what := fmt.Sprintf("share of a step of section 3.1 that nesting adds in the printed code, k = %d", k)
		claim.Printed.Within(t, what, (nested-printed)/(network+printed), 0.01)
		claim.Corrected.Equal(t, "the same in the printed code as written, from a third", 4.0/3, nested/printed, 1e-12)
		_, plain := costOf(t, lossOf(ommlx.OMM{}), batch, k)
		_, sequential := costOf(t, lossOf(ommlx.OMM{Nesting: ommlx.Sequential}), batch, k)
		claim.Printed.Within(t, "share of multiply-adds that nesting adds, equal ones merged", sequential/plain-1, 0)
		claim.Note("k = %d: nesting adds %.2f of the products of the moments in the printed code", k, nested/printed-1)
	}
}
