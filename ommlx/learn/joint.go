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
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
)

// Joint is the operator of a joint law p(x, y), (Tg)(x) = E[g(y)|x], which need not be self-adjoint: its k largest
// singular values σ_i are learned, with left functions u_i(x) and right functions v_i(y), E[u_i u_j] = E[v_i v_j] =
// δ_ij and E[u_i v_j] = σ_i δ_ij. The first is 1, with u = v = 1. It is for a process that is not reversible, with y =
// x', and for two views of one thing, whose law over the product of its marginals is the canonical dependence kernel
// (CDK, the paper's section 3.3).
//
// What is trained is the symmetric dilation: one function of x or y, f = (u, v), on which T has the eigenvalues ±σ_i.
// [Learned.Values] are the σ_i, [Learned.Left] and [Learned.Right] the functions.
type Joint struct {
	P    mat.Matrix // p(x, y) of m×n states, 0 or more, to any scale; or
	X, Y mat.Matrix // N×D and N×E, a pair in each row
	// Left and Right are functions of x and of y; nil: networks as of [Kernel].
	Left, Right Functions
	HeldOut     float64 // as of [Pairs]
}

// Task makes a walk between the states x and y of a table, or pairs of points that carry their side with them.
func (j Joint) Task(b compute.Backend, k int) (Task, error) {
	if (j.P == nil) == (j.X == nil && j.Y == nil) {
		return Task{}, errors.New("a joint law is a table P, or sampled pairs X and Y; give one of the two")
	}
	if j.P != nil {
		g, err := j.walk()
		if err != nil {
			return Task{}, err
		}
		t, err := g.Task(b, k)
		t.left, _ = j.P.Dims()
		return t, err
	}
	if err := cmp.Or(ofStarts.check(j.X, j.Left), ofEnds.check(j.Y, j.Right)); err != nil {
		return Task{}, err
	}
	n, d := j.X.Dims()
	m, e := j.Y.Dims()
	if m != n {
		return Task{}, fmt.Errorf("%d x are given with %d y; give a pair in each row", n, m)
	}
	s := sides{left: orNetwork(j.Left, j.X, k), right: orNetwork(j.Right, j.Y, k), dims: [2]int{d, e}}
	s.split = len(s.left.Init([]int64{1}))
	p := Pairs{From: s.points(j.X, 0), To: s.points(j.Y, 1), Functions: s, HeldOut: j.HeldOut}
	t, err := p.Task(b, k)
	t.sides = &s
	return t, err
}

// walk is the bipartite graph of the table: x has the number of its row, y that of its column behind all rows.
func (j Joint) walk() (Graph, error) {
	m, n := j.P.Dims()
	g := Graph{Nodes: m + n}
	for x := range m {
		for y := range n {
			p := j.P.At(x, y)
			if !(p >= 0) || !finite(p) {
				return g, fmt.Errorf("p(%d, %d) is %v; probabilities must be finite, and 0 or more", x, y, p)
			}
			if p > 0 {
				g.Edges, g.Weights = append(g.Edges, [2]int{x, m + y}), append(g.Weights, p)
			}
		}
	}
	return g, nil
}

// Left returns the left functions u_i of a [Joint] at points x, N×D, or for a table and nil at all its rows: N×k. An
// error says that the operator is none, and else what [Learned.At] says.
func (l *Learned) Left(x mat.Matrix) (*mat.Dense, error) { return l.side(x, 0) }

// Right is Left for the right functions v_i, of y.
func (l *Learned) Right(y mat.Matrix) (*mat.Dense, error) { return l.side(y, 1) }

func (l *Learned) side(points mat.Matrix, side int) (*mat.Dense, error) {
	if s := l.Task.sides; s != nil && points != nil {
		if _, d := points.Dims(); d != s.dims[side] {
			return nil, fmt.Errorf("points have %d coordinates, but the functions have %d", d, s.dims[side])
		}
		return l.At(s.points(points, float64(side)))
	}
	if l.Task.left == 0 {
		return nil, errors.New("left and right functions are those of a Joint; use At for other operators, and give " +
			"points")
	}
	first, states := 0, l.Task.left
	if side == 1 { // whose states follow those of x
		first, states = states, l.Task.Functions.(net.Table).States-states
	}
	if points == nil {
		all := mat.NewDense(states, 1, nil)
		all.Apply(func(s, _ int, _ float64) float64 { return float64(s) }, all)
		points = all
	}
	if err := ofPoints.check(points, table(states, l.k)); err != nil {
		return nil, err
	}
	var among mat.Dense // all states
	among.Apply(func(_, _ int, s float64) float64 { return s + float64(first) }, points)
	return l.At(&among)
}

// sides are functions of x or y: a point is the number of its side, 0 or 1, and the coordinates, the fewer of the two
// filled up with zeros.
type sides struct {
	left, right Functions
	dims        [2]int // D and E
	split       int    // the number of parameters of left
}

func (s sides) points(of mat.Matrix, side float64) *mat.Dense {
	n, d := of.Dims()
	p := mat.NewDense(n, 1+slices.Max(s.dims[:]), nil)
	for i := range n {
		p.Set(i, 0, side)
	}
	p.Slice(0, n, 1, 1+d).(*mat.Dense).Copy(of)
	return p
}

func (s sides) Init(seeds []int64) []*tensors.Tensor {
	// A network on both sides would start the same for equal seeds, and u = v is where a process is reversible.
	other := make([]int64, len(seeds))
	for i, seed := range seeds {
		other[i] = seed + math.MaxInt32
	}
	return append(s.left.Init(seeds), s.right.Init(other)...)
}

func (s sides) Apply(params []*graph.Node, x *graph.Node) *graph.Node {
	coordinates := func(side int) *graph.Node {
		return graph.Slice(x, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(1, 1+s.dims[side]))
	}
	u := apply(s.left, params[:s.split], coordinates(0))
	v := apply(s.right, params[s.split:], coordinates(1))
	side := graph.Slice(x, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, 1))
	return graph.Where(graph.BroadcastToShape(graph.Equal(side, graph.ZerosLike(side)), u.Shape()), u, v)
}
