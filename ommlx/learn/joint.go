package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/xslices"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/net"
)

// Joint is the operator of a joint law p(x, y), (Tg)(x) = E[g(y)|x], which need not be self-adjoint. [Learn] finds its
// k largest singular values σ_i, left functions u_i(x) and right functions v_i(y): E[u_i u_j] = E[v_i v_j] = δ_ij and
// E[u_i v_j] = σ_i δ_ij, for σ_i > 0. The first singular value is 1, with u = v = 1. Use Joint for processes that are
// not reversible, with y = x', and for two views of an object (CDK, section 3.3 of the paper).
//
// Training uses the symmetric dilation, whose eigenfunctions f = (u, v) have the eigenvalues ±σ_i. [Learned.Values] are
// the σ_i; [Learned.Left] and [Learned.Right] evaluate the functions.
type Joint struct {
	P    mat.Matrix // p(x, y) of m×n states, 0 or more, to any scale; or
	X, Y mat.Matrix // N×D and N×E, one pair per row
	// Left and Right are functions of x and y; nil: networks as in [Kernel].
	Left, Right net.Functions
	HeldOut     float64 // as in [Pairs]
}

// Define makes a walk between the states x and y of a table, or pairs of points labelled by side.
func (j Joint) Define(b compute.Backend, k int) (Task, error) {
	if (j.P == nil) == (j.X == nil && j.Y == nil) {
		return Task{}, errors.New("joint law: set either a table P or sampled pairs X and Y")
	}
	if j.P != nil {
		return j.walk(b, k)
	}
	if err := cmp.Or(check("joint law: X", j.X, j.Left), check("joint law: Y", j.Y, j.Right)); err != nil {
		return Task{}, err
	}
	n, d := j.X.Dims()
	m, e := j.Y.Dims()
	if m != n {
		return Task{}, fmt.Errorf("joint law: X has %d rows and Y has %d, want equal numbers", n, m)
	}
	left, _ := orNetwork(j.Left, j.X, k, 0)
	right, _ := orNetwork(j.Right, j.Y, k, 0)
	s := sides{[2]net.Functions{left, right}, [2]int{d, e}, len(left.Init([]int64{1}))}
	pairs := Pairs{From: s.points(j.X, 0), To: s.points(j.Y, 1), Functions: s, HeldOut: j.HeldOut}
	if err := cmp.Or(pairs.check(), enoughStates("joint law: X", k, j.X),
		enoughStates("joint law: Y", k, j.Y)); err != nil {
		return Task{}, err
	}
	t := pairs.task(k)
	t.remarks = []string{cmp.Or(Pairs{From: j.X}.tooFew(), Pairs{From: j.Y}.tooFew())}
	t.examine(j.X, j.Left, rowOf("X"))
	t.examine(j.Y, j.Right, rowOf("Y"))
	t.side = func(points mat.Matrix, side int) (mat.Matrix, error) {
		if err := checkPoints(points, s.dims[side]); err != nil {
			return nil, err
		}
		return s.points(points, side), nil
	}
	return t, nil
}

// sides are k functions of x and k functions of y. A point is its side, 0 for x or 1 for y, followed by its
// coordinates, padded with zeros.
type sides struct {
	of    [2]net.Functions
	dims  [2]int // of x and of y
	split int    // the number of parameters of the functions of x
}

// points returns points of one side, N×D or N×E, as points of both.
func (s sides) points(of mat.Matrix, side int) *mat.Dense {
	of = net.Prepare(s.of[side], of)
	n, d := of.Dims()
	p := mat.NewDense(n, 1+max(s.dims[0], s.dims[1]), nil)
	for i := range n {
		p.Set(i, 0, float64(side))
	}
	p.Slice(0, n, 1, 1+d).(*mat.Dense).Copy(of)
	return p
}

// Init draws the parameters of the functions of x, then those of y.
func (s sides) Init(seeds []int64) []*tensors.Tensor {
	// With equal seeds both networks would start equal, and u = v for a reversible process.
	other := xslices.Map(seeds, func(seed int64) int64 { return seed + math.MaxInt32 })
	return append(s.of[0].Init(seeds), s.of[1].Init(other)...)
}

// Apply evaluates each point by the functions of its side.
func (s sides) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	part := func(first, end int) *graph.Node { return graph.SliceAxis(x, -1, graph.AxisRange(first, end)) }
	u := s.of[0].Apply(params[:s.split], part(1, 1+s.dims[0]))
	v := s.of[1].Apply(params[s.split:], part(1, 1+s.dims[1]))
	side := part(0, 1)
	return graph.Where(graph.BroadcastToShape(graph.Equal(side, graph.ZerosLike(side)), u.Shape()), u, v)
}

// walk is the random walk on the bipartite graph of the table. Its nodes are the rows x followed by the columns y.
func (j Joint) walk(b compute.Backend, k int) (Task, error) {
	m, n := j.P.Dims()
	g := Graph{Nodes: m + n}
	occurs := make([]bool, m+n)
	if x, y, found := linalg.Find(j.P, func(p float64) bool { return !(p >= 0) || isInfinite(p) }); found {
		return Task{}, fmt.Errorf("joint law: P(%d, %d) is %v, want finite and at least 0", x, y, j.P.At(x, y))
	}
	for x := range m {
		for y := range n {
			if p := j.P.At(x, y); p > 0 {
				occurs[x], occurs[m+y] = true, true
				g.Edges, g.Weights = append(g.Edges, [2]int{x, m + y}), append(g.Weights, p)
			}
		}
	}
	if s := slices.Index(occurs, false); s >= 0 {
		what := "row"
		if s >= m {
			what, s = "column", s-m
		}
		return Task{}, fmt.Errorf("joint law: %s %d of P is empty, want states that occur: remove it", what, s)
	}
	if k > min(m, n) {
		return Task{}, fmt.Errorf("joint law: k is %d, but P is %d×%d and has %d singular values", k, m, n, min(m, n))
	}
	t, err := g.Define(b, k)
	if blocks := linalg.Components(g.Nodes, g.Edges); blocks > 1 { // instead of what Graph says about components
		t.remarks = []string{fmt.Sprintf("P has %d blocks that share no row or column, so the value 1 occurs %d "+
			"times, and its functions are mixtures of the blocks' indicators: learn each block by itself", blocks,
			blocks)}
	}
	t.side = func(points mat.Matrix, side int) (mat.Matrix, error) {
		first, states := float64(side*m), [2]int{m, n}[side]
		if points == nil {
			return mat.NewDense(states, 1, xslices.Iota(first, states)), nil
		}
		if err := check("learn: points", points, table(states, k)); err != nil {
			return nil, err
		}
		var among mat.Dense // all states
		among.Apply(func(_, _ int, s float64) float64 { return s + first }, points)
		return &among, nil
	}
	return t, err
}

// Left returns the left functions u_i of a [Joint] at points x, N×D: N×k. For a table, nil means all rows.
func (l *Learned) Left(x mat.Matrix) (*mat.Dense, error) { return l.side(x, 0) }

// Right returns the right functions v_i of a [Joint] at points y, N×E: N×k. For a table, nil means all columns.
func (l *Learned) Right(y mat.Matrix) (*mat.Dense, error) { return l.side(y, 1) }

func (l *Learned) side(points mat.Matrix, side int) (*mat.Dense, error) {
	if l.Task.side == nil {
		return nil, errors.New("learn: no left or right functions: use At, or learn a Joint")
	}
	points, err := l.Task.side(points, side)
	if err != nil {
		return nil, err
	}
	return l.At(points)
}
