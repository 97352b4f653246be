package learn

import (
	"errors"
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx"
	"omm-go/ommlx/net"
	"omm-go/ommlx/operator"
	"omm-go/ommlx/spectral"
	"omm-go/ommlx/train"
)

// Graph is the random walk P = D⁻¹A on an undirected graph. [Learn] finds the k largest eigenvalues λ and
// eigenfunctions on the nodes; the normalised Laplacian has the eigenvalues 1 − λ. The functions are orthonormal for
// the stationary law of the walk, ρ_s ∝ degree: E_ρ[f_i f_j] = δ_ij. Every step uses all edges, so moments are exact.
type Graph struct {
	Nodes   int
	Edges   [][2]int  // from node 0; an edge listed twice counts twice
	Weights []float64 // positive, one per edge; nil: 1 each
	// Functions, if not nil, replaces the table by functions of the nodes' Features (Nodes×D), such as a net.MLP with k
	// outputs.
	Functions net.Functions
	Features  mat.Matrix
}

// Task validates the edges and builds the random walk.
func (g Graph) Task(_ compute.Backend, k int) (Task, error) {
	a, degree, err := g.symmetric()
	if err != nil {
		return Task{}, err
	}
	if err := enough(g.Nodes, k); err != nil {
		return Task{}, err
	}
	total := floats.Sum(degree)
	root := make([]float32, g.Nodes) // √(Nρ)
	for s, d := range degree {
		root[s] = float32(math.Sqrt(float64(g.Nodes) * d / total))
	}
	t := Task{Functions: g.Functions, Rate: networkRate, First: 1, Data: append(a.tables(1),
		tensors.FromFlatDataAndDimensions(root, g.Nodes, 1))}
	if g.Functions == nil {
		t.Functions, t.Rate, t.Work = table(g.Nodes, k), tableRate, k*(g.Nodes+len(a.Values))
	} else {
		t.Data, t.Remedy = append(t.Data, train.Table(g.Features)), unscaled(g.Features)
	}
	t.Draw = func(in Inputs, _ int) ommlx.Batch {
		var x *graph.Node
		if g.Functions != nil {
			x = graph.BroadcastPrefix(in.Data[4], in.Params[0].Shape().Dim(0))
		}
		f := in.F(x)
		f = graph.Mul(f, graph.BroadcastToShape(graph.InsertAxes(in.Data[3], 0), f.Shape()))
		return ommlx.Batch{F: f, TF: operator.Sparse(f, in.Data[0], in.Data[1], in.Data[2])}
	}
	return t, nil
}

// symmetric returns D^{−1/2} A D^{−1/2}, which acts on √ρ f as P on f, and the degrees.
func (g Graph) symmetric() (a Sparse, degree []float64, err error) {
	switch {
	case len(g.Edges) == 0:
		return a, nil, errors.New("graph: Edges is empty, want at least one edge")
	case g.Weights != nil && len(g.Weights) != len(g.Edges):
		return a, nil, fmt.Errorf("graph: Weights has %d entries, want %d, one per edge", len(g.Weights), len(g.Edges))
	case (g.Functions == nil) != (g.Features == nil):
		return a, nil, errors.New("graph: set both Functions and Features, or neither to learn a table")
	case g.Features != nil:
		if err := check("graph: Features", g.Features, g.Functions); err != nil {
			return a, nil, err
		}
		if rows, _ := g.Features.Dims(); rows != g.Nodes {
			return a, nil, fmt.Errorf("graph: Features has %d rows, want %d, one per node", rows, g.Nodes)
		}
	}
	a, degree = Sparse{N: g.Nodes}, make([]float64, g.Nodes)
	add := func(i, j int, w float64) {
		a.Rows, a.Columns, a.Values = append(a.Rows, i), append(a.Columns, j), append(a.Values, w)
		degree[i] += w
	}
	for e, ends := range g.Edges {
		i, j, w := ends[0], ends[1], 1.0
		if g.Weights != nil {
			w = g.Weights[e]
		}
		if min(i, j) < 0 || max(i, j) >= g.Nodes {
			return a, nil, fmt.Errorf("graph: edge %d is (%d, %d), out of range [0, %d)", e, i, j, g.Nodes)
		}
		if !(w > 0) || math.IsInf(w, 0) {
			return a, nil, fmt.Errorf("graph: weight of edge %d is %v, want positive and finite", e, w)
		}
		add(i, j, w)
		if i != j {
			add(j, i, w)
		}
	}
	for s, d := range degree {
		if d == 0 {
			return a, nil, fmt.Errorf("graph: node %d has no edge: remove it, or add an edge to itself", s)
		}
	}
	for e := range a.Values {
		a.Values[e] /= math.Sqrt(degree[a.Rows[e]] * degree[a.Columns[e]])
	}
	return a, degree, nil
}

// Exact computes the k largest eigenvalues of the walk and its eigenfunctions on the nodes by the Lanczos method. The
// functions are orthonormal for the stationary law.
func (g Graph) Exact(k int) (spectral.Eigenpairs, error) {
	a, degree, err := g.symmetric()
	if err != nil {
		return spectral.Eigenpairs{}, err
	}
	pairs, err := spectral.Lanczos{K: k}.Solve(g.Nodes, a.apply)
	if err != nil {
		return spectral.Eigenpairs{}, err
	}
	total := floats.Sum(degree)
	pairs.Vectors.Apply(func(s, _ int, v float64) float64 { return v * math.Sqrt(total/degree[s]) }, pairs.Vectors)
	return pairs, nil
}
