// Package sparse multiplies tables of functions on the nodes of a large graph with its normalised adjacency matrix, on
// all cores of the host.
package sparse

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

// Degree is the number of neighbours of node i, 0 for one without.
func (a Adjacency) Degree(i int) int { return int(a.Offsets[i+1] - a.Offsets[i]) }

// Row lists the neighbours of node i, ascending. It is a part of Neighbours.
func (a Adjacency) Row(i int) []uint32 { return a.Neighbours[a.Offsets[i]:a.Offsets[i+1]] }

// soon lists the entries that are a few rows of a table behind those of node i, and about as many: what to ask memory
// for while these are added up.
func (a Adjacency) soon(i int) []uint32 {
	const ahead, most = 64, 512 // most: what is asked for must not drive out of the cache what is not yet used
	all := uint64(len(a.Neighbours))
	first := min(a.Offsets[i]+ahead, all)
	return a.Neighbours[first:min(a.Offsets[i+1]+ahead, first+most, all)]
}
