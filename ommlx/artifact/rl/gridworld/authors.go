package gridworld

import (
	"fmt"

	"gonum.org/v1/gonum/mathext/prng"
)

const (
	// AuthorsSeed is the seed in all settings of the authors' public code.
	AuthorsSeed = 1234
	// AuthorsLength is the number of transitions per episode in [CollectAsAuthors].
	AuthorsLength     = 50
	authorsCollection = 10_000 // steps per collection
)

// authorsMoves maps the authors' actions (down, right, up, left) to the moves of [Grid].
var authorsMoves = [4]int32{1, 3, 0, 2}

// CollectAsAuthors returns the data that the authors' public code collects with its seed, 1234: the same starts and
// moves. A step is a visited state, so an episode of 50 transitions takes 51 steps: 10⁶ steps (figure 1) give 19,600
// episodes, and 5·10⁶ (k = 50) give 98,000, which begin with the same episodes.
//
// Source: github.com/samueltzhou/laplacian_dual_dynamics_omm at commit 58e10cd, of 2025-05-16; at ce0a43f, of
// 2025-07-29, it collects the same data. src/agent/agent.py, lines 35 to 56, walks; src/trainer/laplacian_encoder.py,
// lines 590 and 671 to 683, seeds and collects; src/env/grid/grid.py, lines 199 to 206, draws a start and an unused
// target; src/agent/episodic_replay_buffer.py, lines 74 to 101, cuts into episodes.
//
// The data omit the last four states of each collection of 10,000 steps. The authors' next collection continues this
// unfinished episode after a reset, so 1 in 196 of their episodes has 55 states and a jump; the 51 states after the
// jump are returned. This changes the score of the data's eigenfunctions by less than 0.001 at 5·10⁶ steps. At 10⁶
// steps, k = 11, GridRoomSym-4 has 0.882 instead of 0.871; omitting as many episodes at random changes it by 0.014.
func CollectAsAuthors(g *Grid, steps int) (*Episodes, error) {
	const states = AuthorsLength + 1
	if steps < states {
		return nil, fmt.Errorf("gridworld: %d steps, want at least %d for an episode", steps, states)
	}
	starts, actions := newPCG64(), prng.NewMT19937() // numpy's generator and Python's
	actions.SeedFromKeys([]uint32{AuthorsSeed})
	n := uint32(g.N())
	reset := func() int32 {
		s := starts.below(n)
		starts.below(n - 1) // the target
		return int32(s)
	}
	action := func() uint32 { // Python's randint(0, 3): three bits, again until they are in 0…3
		for {
			if x := actions.Uint32() >> 29; x < 4 {
				return x
			}
		}
	}
	reset() // seeding the environment draws, too
	e := &Episodes{N: g.N(), Length: AuthorsLength, States: make([]int32, 0, steps)}
	for ; steps > 0; steps -= authorsCollection {
		left := min(steps, authorsCollection)
		for ; left >= states; left -= states {
			s := reset()
			e.States = append(e.States, s)
			for range AuthorsLength {
				s = g.next[4*s+authorsMoves[action()]]
				e.States = append(e.States, s)
			}
			action() // drawn at the end of the episode, not used
			e.Count++
		}
		// The unfinished episode.
		reset()
		for range left {
			action()
		}
	}
	return e, nil
}
