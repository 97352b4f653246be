package verify

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"omm-go/ommlx"
	"omm-go/ommlx/artifact/papertest"
	"omm-go/ommlx/internal/testkit"
)

// listing is the loss of appendix B.2, NestedOrbitalLoss, operation by operation; nesting is "" for None, "jnt", "seq"
// or "sanger".
func listing(nesting string) func(f, tf *Node) *Node {
	product := func(a, b *Node) *Node { return MatMul(Transpose(a, 0, 1), b) }
	identity := func(m *Node) *Node {
		return ConvertDType(Diagonal(m.Graph(), m.Shape().Dim(0)), m.DType())
	}
	strict := func(triangle *Node, m *Node) *Node { return Mul(triangle, OneMinus(identity(m))) }
	// compute_second_moment
	moment := func(f, g *Node, seqNesting bool) *Node {
		n := float64(f.Shape().Dim(0))
		if !seqNesting {
			return DivScalar(product(f, g), n)
		}
		lowerProduct, upperProduct := product(f, StopGradient(g)), product(StopGradient(f), g)
		lower := strict(TakeLowerTriangular(lowerProduct, 0), lowerProduct)
		upper := strict(TakeUpperTriangular(upperProduct, 0), upperProduct)
		diagonal := Mul(identity(lower), InsertAxes(ReduceSum(Mul(f, g), 0), 0))
		return DivScalar(Add(Add(lower, diagonal), upper), n)
	}
	return func(f, tf *Node) *Node {
		if nesting == "jnt" {
			overlap, projected := moment(f, f, false), moment(f, tf, false)
			k := f.Shape().Dim(1)
			vector, matrix := make([]float64, k), make([][]float64, k) // get_joint_nesting_masks for weights 1/k
			for i := range k {
				vector[i] = float64(k-i) / float64(k)
				for j := range k {
					matrix[i] = append(matrix[i], float64(k-max(i, j))/float64(k))
				}
			}
			diagonal := Mul(identity(overlap), InsertAxes(ConstAs(overlap, vector), 0))
			operatorTerm := MulScalar(ReduceAllSum(ReduceMean(Mul(diagonal, projected), 0)), -2)
			return Add(operatorTerm, ReduceAllSum(Mul(Mul(ConstAs(overlap, matrix), projected), overlap)))
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

// Appendix B.2: the printed code computes OMM-1 and its sequential nesting, but JointPseudocode for joint nesting and
// SangerDetached for Sanger's rule.
func TestPrintedCode(t *testing.T) {
	asIs := papertest.Of(t, "pseudocode-none-seq")
	joint, sanger := papertest.Of(t, "pseudocode-joint"), papertest.Of(t, "pseudocode-sanger")
	var itself kept
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(listingKept)), &itself))
	for _, r := range []papertest.Claim{asIs, joint, sanger} {
		r.Note("the listing itself was run by PyTorch %s on %s", itself.Torch, itself.Date)
	}
	for _, c := range []struct {
		nesting string
		record  papertest.Measure
	}{{"", asIs.Printed}, {"seq", asIs.Printed}, {"jnt", joint.Corrected}, {"sanger", sanger.Corrected}} {
		c.record.Within(t, "relative difference of the listing itself, in PyTorch, and ours",
			itself.Difference[c.nesting], 1e-12)
		at := testkit.GaussianPoint(testkit.NewRand(92), 20, 4)
		if c.nesting == "sanger" {
			at = symmetricPoint()
		}
		want := testkit.EvaluateObjective(t, printedVariants[c.nesting], at, nil)
		out := testkit.NewProgram(t, func(in []*Node) []*Node {
			loss := listing(c.nesting)(in[0], in[1])
			return append([]*Node{loss}, Gradient(loss, in[0], in[1])...)
		}).Call(t, at.F, at.TF)
		c.record.Close(t, "relative difference of the listing's value and ours", want.Loss, out[0], 1e-12)
		c.record.Close(t, "of the gradient for f", want.DF, out[1], 1e-12)
		c.record.Close(t, "for Tf", want.DTF, out[2], 1e-12)
	}
}

// symmetricPoint has Tf = fA, A symmetric, the only case in which Sanger's surrogate has OMM-1's value.
func symmetricPoint() testkit.Point {
	a, _ := Symmetric(testkit.NewRand(93), []float64{3, 2, 1, 0.5, 0.2, 0.1})
	return testkit.MatrixPoint(Gaussian(testkit.NewRand(94), 6, 4), a)
}

// printedVariants are this package's objectives for the nestings of the listing in appendix B.2.
var printedVariants = map[string]ommlx.Objective{
	"":       ommlx.OMM{},
	"seq":    ommlx.OMM{Nesting: ommlx.Sequential},
	"jnt":    JointPseudocode,
	"sanger": SangerDetached,
}

//go:embed testdata/listing.py
var listingProgram string

// listingKept is the result of the last [TestParityListing] with OMM_KEEP set.
const listingKept = "testdata/listing.json"

// kept is evidence from a program that most machines do not have.
type kept struct {
	Date       string             `json:"date"`
	Torch      string             `json:"torch"`
	Difference map[string]float64 `json:"difference"` // largest relative difference of value and gradients, by nesting
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
		want := testkit.EvaluateObjective(t, objective, at, nil)
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

var nodeReference = regexp.MustCompile(`#\d+`)

// multiplyAdds counts the multiply-adds of the matrix products needed for the outputs: as the graph is written, and
// with equal products merged, as a compiler does.
func multiplyAdds(outputs []*Node) (written, merged float64) {
	number := map[NodeId]int{} // value number of each node: equal for equal computations
	values := map[string]int{} // value numbers by description
	var visit func(n *Node) int
	visit = func(n *Node) int {
		if v, ok := number[n.Id()]; ok {
			return v
		}
		inputs := map[string]string{}
		for _, input := range n.Inputs() {
			inputs[fmt.Sprintf("#%d", input.Id())] = "value " + strconv.Itoa(visit(input))
		}
		if n.Type() == NodeTypeIdentity { // StopGradient is one
			number[n.Id()] = visit(n.Inputs()[0])
			return number[n.Id()]
		}
		own := fmt.Sprintf("#%d", n.Id())
		description := nodeReference.ReplaceAllStringFunc(n.String(), func(reference string) string {
			if reference == own && n.Type() != NodeTypeConstant && n.Type() != NodeTypeParameter {
				return "this"
			}
			if input, ok := inputs[reference]; ok {
				return input
			}
			return reference
		})
		size := 0.0
		if n.Type() == NodeTypeDotGeneral {
			// (m×n)(n×p): the sizes of the three matrices multiply to (mnp)².
			size = math.Sqrt(float64(n.Inputs()[0].Shape().Size() * n.Inputs()[1].Shape().Size() * n.Shape().Size()))
		}
		written += size
		if _, ok := values[description]; !ok {
			values[description] = len(values)
			merged += size
		}
		number[n.Id()] = values[description]
		return number[n.Id()]
	}
	for _, n := range outputs {
		visit(n)
	}
	return written, merged
}

// costOf counts the multiply-adds of loss and gradients for F and TF from shapes, without computing them.
func costOf(t *testing.T, loss func(f, tf *Node) *Node, batch, k int) (written, merged float64) {
	t.Helper()
	g := NewGraph(testkit.PureGo(t), t.Name())
	defer g.Finalize()
	f := Parameter(g, "F", shapes.Make(dtypes.Float64, batch, k))
	tf := Parameter(g, "TF", shapes.Make(dtypes.Float64, batch, k))
	l := loss(f, tf)
	return multiplyAdds(append([]*Node{l}, Gradient(l, f, tf)...))
}

func lossOf(o ommlx.Objective) func(f, tf *Node) *Node {
	return func(f, tf *Node) *Node {
		var state []*Node
		for _, s := range o.InitState(0, f.Shape().Dim(-1)) {
			state = append(state, ConvertDType(ConstTensor(f.Graph(), s), f.DType()))
		}
		loss, _ := o.Loss(ommlx.Batch{F: f, TF: tf}, state)
		return loss
	}
}

// Appendix B.3: OMM-1 costs O(Bk²), like LoRA and ALLO, and OMM-p O(Bk² + pk³), counted as multiply-adds of all matrix
// products in loss and gradient. By Horner's rule the loss of OMM-p takes 2p − 2 more products of k×k matrices than
// OMM-1, and the gradient twice as many.
func TestComplexity(t *testing.T) {
	claim, gradient := papertest.Of(t, "complexity"), papertest.Of(t, "lora-omm-same-gradient-cost")
	const what = "largest relative difference of the multiply-adds from "
	for _, batch := range []int{64, 512, 4096} {
		for _, k := range []int{4, 16, 64} {
			moments, powers := float64(batch*k*k), float64(k*k*k)
			for p := 1; p <= 8; p++ {
				_, count := costOf(t, lossOf(ommlx.OMM{Orders: ommlx.Order(p)}), batch, k)
				claim.Printed.Agree(t, what+"5Bk² + 6(p − 1)k³", 5*moments+6*float64(p-1)*powers, count, 0)
			}
			_, lora := costOf(t, lossOf(ommlx.LoRA{}), batch, k)
			papertest.Every(claim.Printed, gradient.Printed).Agree(t, "relative difference of LoRA's multiply-adds "+
				"from those of OMM-1", 5*moments, lora, 0)
			_, allo := costOf(t, lossOf(ommlx.ALLO{}), batch, k)
			require.Zero(t, math.Mod(allo, moments), "ALLO's is a multiple of Bk²")
			claim.Printed.Within(t, "ALLO's over those of OMM-1", allo/(5*moments), 2)
		}
	}
}

// Section 2.3.1: sequential nesting adds almost nothing to the cost of training. The printed code forms two more
// products of B×k tables; a step of the network of section 3.1, two passes over B samples forward and backward, takes
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
	}
	for _, batch := range []int{64, 4096} {
		for _, k := range []int{4, 64} {
			_, plain := costOf(t, lossOf(ommlx.OMM{}), batch, k)
			_, nested := costOf(t, lossOf(ommlx.OMM{Nesting: ommlx.Sequential}), batch, k)
			claim.Printed.Within(t, "multiply-adds that nesting adds, over those without, equal products merged",
				nested/plain-1, 0)
			printed, _ := costOf(t, listing(""), batch, k)
			printedNested, _ := costOf(t, listing("seq"), batch, k)
			claim.Corrected.Agree(t, "the same in the printed code as it is written, from a third", 4.0/3,
				printedNested/printed, 1e-12)
			claim.Note("B = %d, k = %d: nesting adds %.2f of the products of the moments in the printed code", batch, k,
				printedNested/printed-1)
		}
	}
}
