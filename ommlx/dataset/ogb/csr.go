package ogb

import (
	"runtime"
	"slices"
	"sync"
)

// csr collects the edges of an undirected graph and lists each node's neighbours.
type csr struct {
	ends    [][]uint32 // u, v, u, v, …; without self-loops
	degrees []uint32   // [N], duplicates included
	loops   int64      // edges from a node to itself, which were left out
}

func newCSR(nodes int) *csr { return &csr{degrees: make([]uint32, nodes)} }

// add takes over a list of edges.
func (c *csr) add(ends []uint32) {
	kept := ends[:0]
	for i := 0; i < len(ends); i += 2 {
		u, v := ends[i], ends[i+1]
		if u == v {
			c.loops++
			continue
		}
		c.degrees[u]++
		c.degrees[v]++
		kept = append(kept, u, v)
	}
	c.ends = append(c.ends, kept)
}

// lists returns the neighbours of node i, ascending and each once, as neighbours[offsets[i]:offsets[i+1]], and how many
// edges were left out since they were there already. It gives up the edges.
func (c *csr) lists() (offsets []uint64, neighbours []uint32, duplicates int64) {
	nodes := len(c.degrees)
	offsets = make([]uint64, nodes+1)
	for i, d := range c.degrees {
		offsets[i+1] = offsets[i] + uint64(d)
	}
	neighbours = make([]uint32, offsets[nodes])
	next := c.degrees // reused: how many neighbours are in place
	clear(next)
	put := func(u, v uint32) {
		neighbours[offsets[u]+uint64(next[u])] = v
		next[u]++
	}
	for i, ends := range c.ends {
		for e := 0; e < len(ends); e += 2 {
			put(ends[e], ends[e+1])
			put(ends[e+1], ends[e])
		}
		c.ends[i] = nil
	}
	unique := next // reused again: the number of different neighbours
	parallel(nodes, func(first, end int) {
		for i := first; i < end; i++ {
			list := neighbours[offsets[i]:offsets[i+1]]
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
	duplicates = int64(offsets[nodes]-at) / 2
	offsets[nodes] = at
	c.ends, c.degrees = nil, nil
	return offsets, neighbours[:at], duplicates
}

// parallel calls do on parts of 0 … n−1, on all cores at once.
func parallel(n int, do func(first, end int)) {
	const part = 4096
	var next int
	var lock sync.Mutex
	var busy sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for {
				lock.Lock()
				first := next
				next += part
				lock.Unlock()
				if first >= n {
					return
				}
				do(first, min(n, first+part))
			}
		})
	}
	busy.Wait()
}
