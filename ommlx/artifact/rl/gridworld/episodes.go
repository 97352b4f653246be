package gridworld

import (
	"fmt"
	"math/rand/v2"
)

// Episodes are walks of the uniform random policy, each from a uniformly drawn start.
type Episodes struct {
	N      int     // number of states of the grid
	Count  int     // E, the number of episodes
	Length int     // L, the transitions of each
	States []int32 // E×(L+1) flattened by rows: the states of each episode
}

// Collect draws E = ⌈transitions/length⌉ episodes of length transitions each. The paper's appendix C.1 has 10⁶
// transitions, the ALLO code that it builds on length 50. The same seed gives the same episodes.
func Collect(g *Grid, transitions, length int, seed int64) (*Episodes, error) {
	if transitions < 1 || length < 1 {
		return nil, fmt.Errorf("gridworld: %d transitions in episodes of %d, want at least 1 of both", transitions,
			length)
	}
	e := &Episodes{N: g.N(), Count: (transitions + length - 1) / length, Length: length}
	e.States = make([]int32, 0, e.Count*(length+1))
	source := rand.NewPCG(uint64(seed), 0)
	rng := rand.New(source)
	var bits uint64
	left := 0
	for range e.Count {
		s := int32(rng.IntN(g.N()))
		e.States = append(e.States, s)
		for range length {
			if left == 0 {
				bits, left = source.Uint64(), 32 // 32 moves of two bits
			}
			s = g.next[4*s+int32(bits&3)]
			bits >>= 2
			left--
			e.States = append(e.States, s)
		}
	}
	return e, nil
}

// Episode returns the L+1 states of episode i, 0 ≤ i < E, not copied.
func (e *Episodes) Episode(i int) []int32 {
	return e.States[i*(e.Length+1) : (i+1)*(e.Length+1)]
}
