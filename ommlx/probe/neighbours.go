package probe

import (
	"cmp"
	"slices"
)

// neighbour is a sample with its similarity to another.
type neighbour struct {
	similarity float32
	sample     int32
}

// nearer orders neighbours, nearest first; of two that are as near, the one with the lower number.
func nearer(a, b neighbour) int {
	if a.similarity != b.similarity {
		return -cmp.Compare(a.similarity, b.similarity)
	}
	return cmp.Compare(a.sample, b.sample)
}

// nearest returns the len(found) samples that are most similar, nearest first, in found. It goes through the
// similarities once, with a heap of the best so far, the furthest of them on top: nearly every sample costs one
// comparison with that.
func nearest(similarities []float32, found []neighbour) []neighbour {
	k := len(found)
	for i := range k {
		found[i] = neighbour{similarities[i], int32(i)}
	}
	slices.SortFunc(found, func(a, b neighbour) int { return nearer(b, a) }) // furthest first is a heap
	for i, s := range similarities[k:] {
		if s <= found[0].similarity {
			continue // one that is as near has a lower number
		}
		next, at := neighbour{s, int32(k + i)}, 0
		for child := 1; child < k; child = 2*at + 1 {
			if child+1 < k && nearer(found[child+1], found[child]) > 0 {
				child++
			}
			if nearer(next, found[child]) > 0 {
				break
			}
			found[at], at = found[child], child
		}
		found[at] = next
	}
	slices.SortFunc(found, nearer)
	return found
}
