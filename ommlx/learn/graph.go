package learn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/learn/inspect"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Graph is the random walk P = D⁻¹A on an undirected graph. [Learn] finds the k largest eigenvalues λ and
// eigenfunctions on the nodes; the normalised Laplacian has the eigenvalues 1 − λ. The functions are orthonormal for
// the stationary law of the walk, ρ_s ∝ degree: E_ρ[f_i f_j] = δ_ij. Every step uses all edges, so moments are exact.
//
// A directed graph has no symmetric walk: learn the singular functions of its flow, Joint{P: …}.
type Graph struct {
	Nodes   int
	Edges   [][2]int  // from node 0, each once; an edge listed twice, in any direction, counts twice
	Weights []float64 // positive, one per edge; nil: 1 each
	// Points, N×D, replaces Nodes, Edges and Weights: each point is joined to its nearest Neighbours, 10 if 0, with
	// weight 1; all points at the distance of the last one count.
	Points     mat.Matrix
	Neighbours int
	// Functions, if not nil, replaces the table by functions of the nodes' Features (Nodes×D), such as a net.MLP with k
	// outputs.
	Functions net.Functions
	Features  mat.Matrix
}

const defaultNeighbours = 10 // if Graph.Neighbours is 0

// Define validates the edges and builds the random walk.
func (g Graph) Define(_ compute.Backend, k int) (Task, error) {
	g, a, roots, err := g.symmetric()
	if err == nil {
		err = enough(g.Nodes, k)
	}
	if err != nil {
		return Task{}, err
	}
	t := Task{Functions: g.Functions, Data: tables(a, 1), apply: a.Apply, rows: g.Nodes, radius: 1,
		remarks:  []string{g.remark()},
		defaults: Settings{Rate: networkRate, Shift: spectral.PositiveShift(g.Nodes, k, 1, a.Apply)}}
	if g.Points != nil {
		t.remarks = append(t.remarks, inspect.Outliers(g.Points, rowOf("Points")))
	}
	f := table(g.Nodes, k)
	states := func(in Inputs) *graph.Node { return f.Apply(in.Params, nil) } // √(Nρ) times the functions at all nodes
	if g.Functions != nil {
		if err := enoughStates("graph: Features", k, g.Features); err != nil {
			return Task{}, err
		}
		t.Data = append(t.Data, train.Table(mat.NewDense(g.Nodes, 1, roots)), train.Table(g.Features))
		t.examine(g.Features, g.Functions, rowOf("Features"))
		states = func(in Inputs) *graph.Node {
			f := in.F(graph.BroadcastPrefix(in.Data[4], in.Params[0].Shape().Dim(0)))
			return graph.Mul(f, graph.BroadcastToShape(graph.InsertAxes(in.Data[3], 0), f.Shape()))
		}
	} else {
		t.Functions, t.defaults.Rate, t.work = f, tableRate, k*(g.Nodes+len(a.Values))
		if slices.Max(roots) > slices.Min(roots) {
			t.Functions = net.DividedTable{Table: f, Divisors: roots} // the table is f √(Nρ), of order 1 for any ρ
		}
	}
	t.Draw = func(in Inputs, _ int) ommlx.Batch {
		f := states(in)
		return ommlx.Batch{F: f, TF: operator.Sparse(f, in.Data[0], in.Data[1], in.Data[2])}
	}
	return t, nil
}

// remark describes an edge list that may not mean what the walk does with it.
func (g Graph) remark() string {
	components, directed := linalg.Components(g.Nodes, g.Edges), linalg.Sparse{N: g.Nodes}
	for e, ends := range g.Edges {
		directed.Add(ends[0], ends[1], g.Weights[e])
	}
	all, both, unequal, loops := 0, 0, 0, 0
	directed.Mirrored(func(i, j int, there, back float64) {
		if i == j {
			loops++
			return
		}
		if all++; min(there, back) > 0 {
			if both++; there != back {
				unequal++
			}
		}
	})
	const once = "list each edge of an undirected graph once, and learn a directed one as a Joint of the flow"
	switch {
	case unequal > 0:
		return fmt.Sprintf("edges with another weight in the other direction were added (%d): "+once, unequal)
	case both > 0 && both < all:
		return fmt.Sprintf("edges that are listed in both directions count twice (%d), the others once (%d): "+once,
			both, all-both)
	case both > 0 && loops > 0:
		return "every edge is listed in both directions, but loops once, so loops have half their weight: list each " +
			"edge once"
	case components > 1:
		return fmt.Sprintf("the graph has %d connected components, so the value 1 occurs %d times, and its functions "+
			"are mixtures of the components' indicators: learn each component, or the largest, by itself", components,
			components)
	}
	return ""
}

// ofPoints returns the graph with the edges of Points, if they are set.
func (g Graph) ofPoints() (Graph, error) {
	if g.Points == nil {
		if g.Neighbours != 0 {
			return g, fmt.Errorf("graph: Neighbours is %d without Points", g.Neighbours)
		}
		return g, nil
	}
	if err := check("graph: Points", g.Points, nil); err != nil {
		return g, err
	}
	n, _ := g.Points.Dims()
	count := cmp.Or(g.Neighbours, min(defaultNeighbours, n-1))
	switch {
	case g.Edges != nil || g.Weights != nil || g.Nodes != 0 && g.Nodes != n:
		return g, fmt.Errorf("graph: set either Points or Nodes (%d), Edges (%d) and Weights (%d)", g.Nodes,
			len(g.Edges), len(g.Weights))
	case n < 2:
		return g, errors.New("graph: Points has 1 row, want at least 2")
	case count < 1 || count >= n:
		return g, fmt.Errorf("graph: Neighbours is %d, want 1 to %d for %d points", count, n-1, n)
	}
	var err error
	if g.Edges, err = linalg.Neighbours(g.Points, count); err != nil {
		return g, fmt.Errorf("graph: Points: %w", err)
	}
	g.Nodes = n
	return g, nil
}

// symmetric returns the graph with edges and weights, D^{−1/2} A D^{−1/2}, which acts on √ρ f as P on f, and √(Nρ).
func (g Graph) symmetric() (_ Graph, a linalg.Sparse, roots []float64, err error) {
	g, err = g.ofPoints()
	switch {
	case err != nil:
		return g, a, nil, err
	case len(g.Edges) == 0:
		return g, a, nil, errors.New("graph: Edges is empty, want at least one edge")
	case g.Nodes < 1:
		return g, a, nil, fmt.Errorf("graph: Nodes is %d, want at least 1", g.Nodes)
	case g.Weights != nil && len(g.Weights) != len(g.Edges):
		return g, a, nil, fmt.Errorf("graph: Weights has %d entries, want %d, one per edge", len(g.Weights),
			len(g.Edges))
	case (g.Functions == nil) != (g.Features == nil):
		return g, a, nil, errors.New("graph: set both Functions and Features, or neither to learn a table")
	case g.Features != nil:
		if err := check("graph: Features", g.Features, g.Functions); err != nil {
			return g, a, nil, err
		}
		if rows, _ := g.Features.Dims(); rows != g.Nodes {
			return g, a, nil, fmt.Errorf("graph: Features has %d rows, want %d, one per node", rows, g.Nodes)
		}
	}
	if g.Weights == nil {
		g.Weights = slices.Repeat([]float64{1}, len(g.Edges))
	}
	heaviest := slices.Max(g.Weights) // by which weights are divided, since sums of large ones overflow
	a = linalg.Sparse{N: g.Nodes}
	degree := make([]float64, g.Nodes)
	for e, ends := range g.Edges {
		i, j, w := ends[0], ends[1], g.Weights[e]
		if min(i, j) < 0 || max(i, j) >= g.Nodes {
			return g, a, nil, fmt.Errorf("graph: edge %d is (%d, %d), out of range [0, %d)", e, i, j, g.Nodes)
		}
		if !(w > 0) || math.IsInf(w, 0) {
			return g, a, nil, fmt.Errorf("graph: weight of edge %d is %v, want positive and finite", e, w)
		}
		w /= heaviest
		a.Add(i, j, w)
		degree[i] += w
		if i != j {
			a.Add(j, i, w)
			degree[j] += w
		}
	}
	if s := slices.Index(degree, 0); s >= 0 {
		return g, a, nil, fmt.Errorf("graph: node %d has no edge: remove it, or add an edge to itself", s)
	}
	for e := range a.Values {
		a.Values[e] /= math.Sqrt(degree[a.Rows[e]]) * math.Sqrt(degree[a.Columns[e]]) // their product may overflow
	}
	total := floats.Sum(degree)
	for _, d := range degree {
		roots = append(roots, math.Sqrt(float64(g.Nodes)*d/total))
	}
	return g, a, roots, nil
}
