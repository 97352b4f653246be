package theory

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
)

// nodeReference is how a node's description refers to another one.
var nodeReference = regexp.MustCompile(`#\d+`)

// multiplyAdds counts those of the matrix products that outputs need: as the graph is written, and with equal products
// computed once, as a compiler does.
func multiplyAdds(outputs []*Node) (written, merged float64) {
	number := map[NodeId]int{}   // of the value of each node: equal for nodes that compute the same
	values := map[string]int{}   // by the description of what computes them
	counted := map[string]bool{} // products, by description
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
		if n.Type() == NodeTypeDotGeneral {
			// (m×n)(n×p): the sizes of the three matrices multiply to (mnp)².
			size := math.Sqrt(float64(n.Inputs()[0].Shape().Size() * n.Inputs()[1].Shape().Size() * n.Shape().Size()))
			written += size
			if !counted[description] {
				counted[description] = true
				merged += size
			}
		}
		if _, ok := values[description]; !ok {
			values[description] = len(values)
		}
		number[n.Id()] = values[description]
		return number[n.Id()]
	}
	for _, n := range outputs {
		visit(n)
	}
	return written, merged
}

// costOf counts the multiply-adds of loss and gradients for F and TF; shapes are enough, nothing is computed.
func costOf(t *testing.T, loss func(f, tf *Node) *Node, batch, k int) (written, merged float64) {
	t.Helper()
	g := NewGraph(graphtest.PureGo(t), t.Name())
	defer g.Finalize()
	f := Parameter(g, "F", shapes.Make(dtypes.Float64, batch, k))
	tf := Parameter(g, "TF", shapes.Make(dtypes.Float64, batch, k))
	l := loss(f, tf)
	return multiplyAdds(append([]*Node{l}, Gradient(l, f, tf)...))
}

// lossOf evaluates an objective with its initial state.
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

// Appendix B.3: OMM-1 costs O(Bk²), as LoRA and ALLO, and OMM-p O(Bk² + pk³). Counted are the multiply-adds of all
// matrix products of loss and gradient. By Horner's rule the loss of OMM-p takes 2p − 2 products of k×k matrices more
// than that of OMM-1, and the gradient twice as many.
func TestComplexity(t *testing.T) {
	claim, gradient := ommtest.Of(t, "complexity"), ommtest.Of(t, "lora-omm-same-gradient-cost")
	const what = "largest relative difference of the multiply-adds from "
	for _, batch := range []int{64, 512, 4096} {
		for _, k := range []int{4, 16, 64} {
			moments, powers := float64(batch*k*k), float64(k*k*k)
			for p := 1; p <= 8; p++ {
				_, count := costOf(t, lossOf(ommlx.OMM{Orders: ommlx.Order(p)}), batch, k)
				claim.Printed.Agree(t, what+"5Bk² + 6(p − 1)k³", 5*moments+6*float64(p-1)*powers, count, 0)
			}
			_, lora := costOf(t, lossOf(ommlx.LoRA{}), batch, k)
			ommtest.Every(claim.Printed, gradient.Printed).Agree(t, "relative difference of LoRA's multiply-adds "+
				"from those of OMM-1", 5*moments, lora, 0)
			_, allo := costOf(t, lossOf(ommlx.ALLO{}), batch, k)
			require.Zero(t, math.Mod(allo, moments), "ALLO's is a multiple of Bk²")
			claim.Printed.Within(t, "ALLO's over those of OMM-1", allo/(5*moments), 2)
		}
	}
}

// Section 2.3.1: sequential nesting adds almost nothing. It adds no product at all where equal ones are computed once.
// Without that, as in the printed PyTorch code, which forms each moment by two products, its moments take 8 products in
// place of 6.
func TestSequentialNestingCost(t *testing.T) {
	claim := ommtest.Of(t, "seq-no-overhead")
	for _, batch := range []int{64, 4096} {
		for _, k := range []int{4, 64} {
			_, plain := costOf(t, lossOf(ommlx.OMM{}), batch, k)
			_, nested := costOf(t, lossOf(ommlx.OMM{Nesting: ommlx.Sequential}), batch, k)
			claim.Corrected.Within(t, "multiply-adds that nesting adds, over those without, equal products merged",
				nested/plain-1, 0)
			printed, _ := costOf(t, listing(""), batch, k)
			printedNested, _ := costOf(t, listing("seq"), batch, k)
			claim.Corrected.Agree(t, "the same in the printed code as it is written, from a third", 4.0/3,
				printedNested/printed, 1e-12)
			claim.Printed("excess of matrix products by nesting in the printed code as it is written",
				printedNested/printed-1, 0.1)
		}
	}
}
