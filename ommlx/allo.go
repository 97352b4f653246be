package ommlx

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// ALLO is the augmented Lagrangian Laplacian objective of Gomez, Bowling, Machado, "Proper Laplacian Representation
// Learning" (2024), the baseline of the paper's section 3.1. In every step it minimises
//
//	Σ_i E (f_i(s) − f_i(s'))² + Σ_{ij} sg(β_ij) E_ij + sg(b) Σ_{ij} E1_ij E2_ij,
//	E1_ij = ⟨c1_i, sg c1_j⟩ − δ_ij for j ≤ i, else 0;  E2 alike from c2;  E = (E1 + E2)/2,
//
// with s' a sampled successor of s, and c1, c2 the functions on two independent batches (Batch.Overlap), which make the
// product E1 E2 an unbiased estimate of the squared error. The duals β and the barrier coefficient b are updated by
//
//	q ← q + r (E1⊙E2 − q), r = 1 as long as q is zero and ErrorRate afterwards,
//	β ← clip(β + DualRate·E, ±MaxDual),
//	b ← clip(b + BarrierRate·mean(max(q, 0)), 0, MaxBarrier), the mean being over all k² entries.
//
// Batch.TF must be f(s'), the functions at the sampled successor, without a shift. If TF is the exact Tf or an average
// over successors, set Graph to GraphMoments.
//
// The zero value has the paper's settings (b = 2, α_barrier = 0.01, section 3.1). Settings that the paper leaves open
// are from the published ALLO code at commit b8156180, src/hyperparam/al.yaml and src/trainer/al.py.
type ALLO struct {
	// Graph selects how the first term is computed from F and TF.
	Graph ALLOGraph
	// Barrier is the initial barrier coefficient b; 0 means 2 (the paper).
	Barrier float64
	// BarrierRate is α_barrier, the growth of b per step and unit of mean squared error; 0 means 0.01 (the paper).
	BarrierRate float64
	// MaxBarrier is the upper bound of b; 0 means 10,000. Source: al.yaml, max_barrier_coefs.
	MaxBarrier float64
	// DualRate is the step size of β; 0 means 1e-4. Source: al.yaml, lr_duals.
	DualRate float64
	// MaxDual bounds |β_ij|; 0 means 100. Source: al.yaml, max_duals and min_duals.
	MaxDual float64
	// ErrorRate is the rate of the running mean q, at most 1; 0 means 0.1. Source: al.yaml, q_error_update_rate.
	ErrorRate float64
}

// ALLOGraph is a way to compute ALLO's graph drawing term.
type ALLOGraph int

const (
	// GraphSampled is Σ_i E (f_i − (Tf)_i)² with TF = f(s') at a sampled successor. Source: al.py,
	// compute_graph_drawing_loss.
	GraphSampled ALLOGraph = iota
	// GraphMoments is 2 tr M[f] − 2 tr M[f,Tf] = 2 Σ_i ⟨f_i, (I−T) f_i⟩ for an exact T. It is the expectation of
	// GraphSampled if s' is distributed as s; for an exact T, the square would give ‖(I−T) f‖², another functional.
	GraphMoments
	// GraphProducts is GraphMoments with M[f] from the batches of Overlap instead of F. With sampled successors it has
	// the same expectation, but its noise does not fall with I − T.
	GraphProducts
)

// withDefaults fills in the zero fields.
func (a ALLO) withDefaults() ALLO {
	a.Barrier, a.BarrierRate = cmp.Or(a.Barrier, 2), cmp.Or(a.BarrierRate, 0.01)
	a.MaxBarrier, a.DualRate = cmp.Or(a.MaxBarrier, 1e4), cmp.Or(a.DualRate, 1e-4)
	a.MaxDual, a.ErrorRate = cmp.Or(a.MaxDual, 100), cmp.Or(a.ErrorRate, 0.1)
	return a
}

// Name returns "allo", "allo_moments" or "allo_products".
func (a ALLO) Name() string {
	return "allo" + map[ALLOGraph]string{GraphMoments: "_moments", GraphProducts: "_products"}[a.Graph]
}

// Traits returns the traits of ALLO, which depend on Graph.
func (a ALLO) Traits() Traits { return Traits{Sampled: a.Graph == GraphSampled, Differences: true} }

// Validate returns an error if a setting is invalid.
func (a ALLO) Validate(_ int) error {
	if a.Graph < GraphSampled || a.Graph > GraphProducts {
		return fmt.Errorf("Graph is %d, want GraphSampled, GraphMoments or GraphProducts", int(a.Graph))
	}
	a = a.withDefaults()
	for _, field := range []struct {
		name       string
		value, max float64
	}{
		{"Barrier", a.Barrier, a.MaxBarrier}, {"BarrierRate", a.BarrierRate, math.MaxFloat64},
		{"MaxBarrier", a.MaxBarrier, math.MaxFloat64}, {"DualRate", a.DualRate, math.MaxFloat64},
		{"MaxDual", a.MaxDual, math.MaxFloat64}, {"ErrorRate", a.ErrorRate, 1},
	} {
		if !(field.value > 0 && field.value <= field.max) {
			if field.max == math.MaxFloat64 {
				return fmt.Errorf("%s is %g, want positive and finite", field.name, field.value)
			}
			return fmt.Errorf("%s is %g, want positive and at most %g", field.name, field.value, field.max)
		}
	}
	return nil
}

// InitState returns β = 0 ([runs,] k×k), b ([runs] or a scalar) and q = 0 ([runs,] k×k), float32.
func (a ALLO) InitState(runs, k int) []*tensors.Tensor {
	matrix := shapes.Make(dtypes.Float32, perRun(runs, k, k)...)
	barrier := slices.Repeat([]float32{float32(a.withDefaults().Barrier)}, max(runs, 1))
	return []*tensors.Tensor{tensors.FromShape(matrix),
		tensors.FromFlatDataAndDimensions(barrier, perRun(runs)...), tensors.FromShape(matrix)}
}

// Loss returns the loss and the next state; see ALLO for the equation. The state has the shapes of InitState and any
// float type; the update is computed in the type of F.
func (a ALLO) Loss(b Batch, state []*Node) (*Node, []*Node) {
	mustBeValid(a, b)
	if len(state) != 3 {
		panic(fmt.Errorf("objective %s: state has %d tensors, want 3 as from InitState", a.Name(), len(state)))
	}
	if a.Graph == GraphSampled && (b.OneSided || b.identity != nil) {
		panic(fmt.Errorf("objective %s needs f(s') and its gradient: use neither OneSided nor Differences, or set "+
			"Graph to GraphMoments", a.Name()))
	}
	a = a.withDefaults()
	if len(b.Overlap) == 1 {
		panic(fmt.Errorf("objective %s: Overlap has 1 batch, want 2 independent ones, or none to use F", a.Name()))
	}
	in := make([]*Node, len(state))
	for i, x := range state {
		in[i] = StopGradient(ConvertDType(x, b.F.DType()))
	}
	duals, barrier, meanQuadratic := in[0], in[1], in[2]

	c1, c2 := b.overlapBatches()
	e1, e2 := orthogonalityError(c1), orthogonalityError(c2)
	e, quadratic := MulScalar(Add(e1, e2), 0.5), Mul(e1, e2)
	loss := Add(a.graphLoss(b), Add(inner(duals, e), Mul(barrier, ReduceSum(quadratic, -2, -1))))

	next := a.update(duals, barrier, meanQuadratic, StopGradient(e), StopGradient(quadratic))
	for i := range next {
		next[i] = ConvertDType(next[i], state[i].DType())
	}
	return loss, next
}

// graphLoss is the graph drawing term, one number per run.
func (a ALLO) graphLoss(b Batch) *Node {
	switch a.Graph {
	case GraphMoments:
		return MulScalar(Sub(trace(SecondMoment(b.F, b.F)), trace(b.projected(NoNesting))), 2)
	case GraphProducts:
		return MulScalar(Sub(trace(b.overlap(SecondMoment)), trace(b.projected(NoNesting))), 2)
	}
	return MulScalar(ReduceSum(Square(Sub(b.F, b.TF)), -2, -1), 1/float64(b.F.Shape().Dim(-2)))
}

// orthogonalityError returns the lower triangle of ⟨c_i, sg c_j⟩ − δ_ij.
func orthogonalityError(c *Node) *Node {
	m := SecondMoment(c, StopGradient(c))
	return TakeLowerTriangular(Sub(m, IdentityLike(m)), 0)
}

// update returns the next β, b and q.
func (a ALLO) update(duals, barrier, meanQuadratic, e, quadratic *Node) []*Node {
	// In the first step q is zero, within the published code's tolerance of 1e-13 on its norm.
	isFirst := LessOrEqual(ReduceAndKeep(Square(meanQuadratic), ReduceSum, -2, -1), ConstAs(e, 1e-26))
	rate := Where(isFirst, ConstAs(e, 1.0), ConstAs(e, a.ErrorRate))
	meanQuadratic = Add(meanQuadratic, Mul(rate, Sub(quadratic, meanQuadratic)))

	duals = ClipScalar(Add(duals, MulScalar(e, a.DualRate)), -a.MaxDual, a.MaxDual)

	growth := ReduceMean(MaxScalar(meanQuadratic, 0.0), -2, -1)
	barrier = ClipScalar(Add(barrier, MulScalar(growth, a.BarrierRate)), 0, a.MaxBarrier)
	return []*Node{duals, barrier, meanQuadratic}
}
