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
	"omm-go/ommlx/operator"
	"omm-go/ommlx/train"
)

// Graph is the random walk P = D⁻¹A on an undirected graph, whose k largest eigenvalues and eigenfunctions on the nodes
// are learned; those of its normalised Laplacian are 1 − λ. The functions are orthonormal for the stationary law of the
// walk, ρ_s ∝ degree: E_ρ[f_i f_j] = δ_ij. Every step uses all edges, so that moments are exact.
type Graph struct {
	Nodes   int
	Edges   [][2]int  // nodes count from 0; an edge that is listed twice counts twice
	Weights []float64 // of the edges, positive; nil: 1 each
	// Functions, if not nil, are functions of the nodes' Features (Nodes×D), such as a net.MLP with k outputs, in the
	// place of a table.
	Functions Functions
	Features  mat.Matrix
}

// Task checks the edges.
func (g Graph) Task(_ compute.Backend, k int) (Task, error) {
	a, degree, err := g.symmetric()
	if err != nil {
		return Task{}, err
	}
	if err := enoughStates(g.Nodes, k); err != nil {
		return Task{}, err
	}
	total := floats.Sum(degree)
	root := make([]float32, g.Nodes) // √(Nρ)
	for s, d := range degree {
		root[s] = float32(math.Sqrt(float64(g.Nodes) * d / total))
	}
	t := Task{Functions: g.Functions, Rate: tableRate, first: 1, Data: append(a.tables(1),
		tensors.FromFlatDataAndDimensions(root, g.Nodes, 1))}
	if g.Functions == nil {
		t.Functions, t.touched = table(g.Nodes, k), k*(g.Nodes+len(a.Values))
	} else {
		t.Rate = networkRate
		t.Data = append(t.Data, train.Table(g.Features))
	}
	t.Draw = func(in Inputs, _ int) ommlx.Batch {
		var x *graph.Node
		if len(in.Data) > 4 {
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
	if len(g.Edges) == 0 {
		return a, nil, errors.New("the graph has no edges; give at least one")
	}
	if g.Weights != nil && len(g.Weights) != len(g.Edges) {
		return a, nil, fmt.Errorf("%d weights are given for %d edges; give one for each, or nil for 1", len(g.Weights),
			len(g.Edges))
	}
	if (g.Functions == nil) != (g.Features == nil) {
		return a, nil, errors.New("functions of features need both Functions and Features; give both, or none for a " +
			"table")
	}
	if g.Features != nil {
		if err := ofNodes.check(g.Features, g.Functions); err != nil {
			return a, nil, err
		}
		if rows, _ := g.Features.Dims(); rows != g.Nodes {
			return a, nil, fmt.Errorf("features of %d nodes are given for a graph of %d; give a row for each node",
				rows, g.Nodes)
		}
	}
	a, degree = Sparse{N: g.Nodes}, make([]float64, g.Nodes)
	add := func(i, j int, w float64) {
		a.Rows, a.Columns, a.Values = append(a.Rows, i), append(a.Columns, j), append(a.Values, w)
		degree[i] += w
	}
	for e, ends := range g.Edges {
		i, j, w := ends[0], ends[1], 1.0
		if min(i, j) < 0 || max(i, j) >= g.Nodes {
			return a, nil, fmt.Errorf("edge %d joins nodes %d and %d, but the graph has nodes 0 to %d", e, i,
				j, g.Nodes-1)
		}
		if g.Weights != nil {
			w = g.Weights[e]
		}
		if !(w > 0) || math.IsInf(w, 0) {
			return a, nil, fmt.Errorf("the weight of edge %d is %v; weights must be positive and finite", e, w)
		}
		add(i, j, w)
		if i != j {
			add(j, i, w)
		}
	}
	for s, d := range degree {
		if d == 0 {
			return a, nil, fmt.Errorf("node %d has no edge, so a walk cannot reach it; leave it out, or give it an "+
				"edge to itself", s)
		}
	}
	for e := range a.Values {
		a.Values[e] /= math.Sqrt(degree[a.Rows[e]] * degree[a.Columns[e]])
	}
	return a, degree, nil
}
