// Package sparse multiplies tables of functions on the nodes of a large graph with its normalised adjacency matrix, on
// all cores of the host.
package sparse

import (
	"fmt"
	"slices"
)

// Adjacency is the symmetric adjacency matrix of an undirected graph in compressed rows: the neighbours of node i,
// ascending, are Neighbours[Offsets[i]:Offsets[i+1]]. Every entry is 1.
type Adjacency struct {
	Offsets    []uint64 // [N+1]
	Neighbours []uint32 // [2E]
}

// Nodes is N.
func (a Adjacency) Nodes() int { return len(a.Offsets) - 1 }

// Edges is E, the number of undirected edges.
func (a Adjacency) Edges() int { return len(a.Neighbours) / 2 }

// Degree is the number of neighbours of node i.
func (a Adjacency) Degree(i int) int { return int(a.Offsets[i+1] - a.Offsets[i]) }

// Row lists the neighbours of node i, ascending. It shares the memory of Neighbours.
func (a Adjacency) Row(i int) []uint32 { return a.Neighbours[a.Offsets[i]:a.Offsets[i+1]] }

// Builder collects the edges of an undirected graph, in any order and direction, and makes its [Adjacency]. It uses 16
// bytes for each edge and 12 for each node.
type Builder struct {
	Loops int64 // edges from a node to itself, which are omitted

	ends    [][]uint32 // u, v, u, v, …; without loops
	degrees []uint32   // [N], repeated edges included
}

// NewBuilder returns a Builder for a graph with the given number of nodes.
func NewBuilder(nodes int) *Builder { return &Builder{degrees: make([]uint32, nodes)} }

// Add takes ownership of a list of edges, u, v, u, v, …, and changes it. It panics if a node is out of range.
func (b *Builder) Add(ends []uint32) {
	kept := ends[:0]
	for i := 0; i < len(ends); i += 2 {
		u, v := ends[i], ends[i+1]
		if int(max(u, v)) >= len(b.degrees) {
			panic(fmt.Errorf("sparse.Builder: node %d out of range [0, %d)", max(u, v), len(b.degrees)))
		}
		if u == v {
			b.Loops++
			continue
		}
		b.degrees[u]++
		b.degrees[v]++
		kept = append(kept, u, v)
	}
	b.ends = append(b.ends, kept)
}

// Build returns the adjacency matrix and the number of omitted duplicates, which repeat an edge in either direction. It
// leaves the builder empty.
func (b *Builder) Build() (a Adjacency, repeated int64) {
	nodes := len(b.degrees)
	offsets := make([]uint64, nodes+1)
	for i, d := range b.degrees {
		offsets[i+1] = offsets[i] + uint64(d)
	}
	neighbours := make([]uint32, offsets[nodes])
	next := b.degrees // reused: the number of neighbours in place
	clear(next)
	link := func(u, v uint32) {
		neighbours[offsets[u]+uint64(next[u])] = v
		next[u]++
	}
	for i, ends := range b.ends {
		for e := 0; e < len(ends); e += 2 {
			link(ends[e], ends[e+1])
			link(ends[e+1], ends[e])
		}
		b.ends[i] = nil
	}
	unique := next // reused again: the number of distinct neighbours
	a = Adjacency{offsets, neighbours}
	a.parallel(func(first, end int) {
		for i := first; i < end; i++ {
			list := a.Row(i)
			slices.Sort(list)
			unique[i] = uint32(len(slices.Compact(list)))
		}
	})
	at := uint64(0)
	for i := range nodes {
		from := offsets[i]
		offsets[i] = at
		at += uint64(copy(neighbours[at:], neighbours[from:from+uint64(unique[i])]))
	}
	repeated = int64(offsets[nodes]-at) / 2
	offsets[nodes] = at
	a.Neighbours = neighbours[:at]
	*b = Builder{degrees: make([]uint32, nodes)}
	return a, repeated
}
