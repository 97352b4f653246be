package theory

import (
	_ "embed"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"operator-omm/ommlx"
	"operator-omm/ommlx/internal/graphtest"
	"operator-omm/ommlx/internal/ommtest"
	"operator-omm/ommlx/internal/testkit"
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

// Appendix B.2: the printed code computes OMM-1 and its sequential nesting, and for joint nesting and Sanger's rule
// what this package keeps as JointPseudocode and SangerDetached; see there for what those two are.
func TestPrintedCode(t *testing.T) {
	asIs := ommtest.Of(t, "pseudocode-none-seq")
	joint, sanger := ommtest.Of(t, "pseudocode-joint"), ommtest.Of(t, "pseudocode-sanger")
	var itself kept
	require.NoError(t, json.Unmarshal(testkit.Must(os.ReadFile(listingKept)), &itself))
	for _, r := range []ommtest.Claim{asIs, joint, sanger} {
		r.Note("the listing itself was run by PyTorch %s on %s", itself.Torch, itself.Date)
	}
	for _, c := range []struct {
		nesting string
		record  ommtest.Measure
	}{{"", asIs.Printed}, {"seq", asIs.Printed}, {"jnt", joint.Corrected}, {"sanger", sanger.Corrected}} {
		c.record.Within(t, "relative difference of the listing itself, in PyTorch, and ours",
			itself.Difference[c.nesting], 1e-12)
		at := ommtest.GaussianPoint(graphtest.NewRand(92), 20, 4)
		if c.nesting == "sanger" {
			at = symmetricPoint()
		}
		want := ommtest.EvaluateOnce(t, printedVariants[c.nesting], at, nil)
		out := graphtest.NewProgram(t, func(in []*Node) []*Node {
			loss := listing(c.nesting)(in[0], in[1])
			return append([]*Node{loss}, Gradient(loss, in[0], in[1])...)
		}).Call(t, at.F, at.TF)
		c.record.Close(t, "relative difference of the listing's value and ours", want.Loss, out[0], 1e-12)
		c.record.Close(t, "of the gradient for f", want.DF, out[1], 1e-12)
		c.record.Close(t, "for Tf", want.DTF, out[2], 1e-12)
	}
}

// symmetricPoint is one with Tf = fA, A symmetric, where alone Sanger's surrogate has OMM-1's value.
func symmetricPoint() ommtest.Point {
	a, _ := Symmetric(graphtest.NewRand(93), []float64{3, 2, 1, 0.5, 0.2, 0.1})
	return ommtest.MatrixPoint(Gaussian(graphtest.NewRand(94), 6, 4), a)
}

// printedVariants are what this package has for each nesting of the listing in appendix B.2.
var printedVariants = map[string]ommlx.Objective{
	"":       ommlx.OMM{},
	"seq":    ommlx.OMM{Nesting: ommlx.Sequential},
	"jnt":    ommlx.OMM{Nesting: ommlx.Joint, Printed: ommlx.JointPseudocode},
	"sanger": ommlx.Sanger{Printed: ommlx.SangerDetached},
}

//go:embed testdata/listing.py
var listingProgram string

// listingKept is what [TestParityListing] found when it last was asked to keep it, with OMM_KEEP set.
const listingKept = "testdata/listing.json"

// kept is evidence from a program that most machines do not have.
type kept struct {
	Date       string             `json:"date"`
	Torch      string             `json:"torch"`
	Difference map[string]float64 `json:"difference"` // largest relative one of value and gradients, by nesting
}

// Appendix B.2: the listing as the paper's source has it, run by PyTorch, has the values and gradients of this package.
func TestParityListing(t *testing.T) {
	_, listing, there := strings.Cut(testkit.Paper(t), `\begin{lstlisting}[]`)
	require.True(t, there)
	listing, _, _ = strings.Cut(listing, `\end{lstlisting}`)
	at := symmetricPoint()
	var reply struct {
		Torch   string                       `json:"torch"`
		Results map[string][]graphtest.Array `json:"results"`
	}
	testkit.AskTorch(t, listingProgram, map[string]any{"listing": listing, "f": at.F, "tf": at.TF}, &reply)
	found := kept{time.Now().UTC().Format(time.DateOnly), reply.Torch, map[string]float64{}}
	for nesting, objective := range printedVariants {
		want := ommtest.EvaluateOnce(t, objective, at, nil)
		got := reply.Results[nesting]
		require.Len(t, got, 3, nesting)
		for i, ours := range []graphtest.Array{want.Loss, want.DF, want.DTF} {
			got[i].Dims = ours.Dims
			difference := graphtest.Difference(ours, got[i])
			require.Less(t, difference, 1e-12, "%s, %d", nesting, i)
			found.Difference[nesting] = max(found.Difference[nesting], difference)
		}
	}
	if os.Getenv("OMM_KEEP") != "" {
		result := testkit.Must(json.MarshalIndent(found, "", " "))
		require.NoError(t, os.WriteFile(listingKept, append(result, '\n'), 0o644))
	}
}
