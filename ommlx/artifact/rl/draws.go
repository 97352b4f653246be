package rl

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// SamplePairs draws pairs (s_t, s_{t+Δ}) on the device by the pair law of package gridworld. The episode and the time t
// in 0…L−1 are uniform. The lag Δ is geometric with discount γ, truncated at the end of the episode and drawn by
// inversion; γ = 0 gives Δ = 1.
//
// episodes [R, E, L+1] int32 holds the visited states, one set of episodes per run; uniform is [R, B, 3] in [0, 1); γ
// is at least 0 and below 1. from and to are [R, B] int32.
func SamplePairs(episodes, uniform *Node, gamma float64) (from, to *Node) {
	length := episodes.Shape().Dim(2) - 1
	episode, t := intDrawn(uniform, 0, episodes.Shape().Dim(1)), intDrawn(uniform, 1, length)
	lag := OnesLike(t)
	if gamma > 0 {
		left := AddScalar(Neg(t), int32(length)) // n = L − t ≥ 1
		power := Exp(MulScalar(ConvertDType(left, uniform.DType()), math.Log(gamma)))
		u := column(uniform, 2)
		i := DivScalar(Log(OneMinus(Mul(OneMinus(power), u))), math.Log(gamma))
		// Rounding can reach n as u nears 1.
		lag = Min(AddScalar(ConvertDType(Floor(i), dtypes.Int32), int32(1)), left)
	}
	return visited(episodes, episode, t), visited(episodes, episode, Add(t, lag))
}

// SampleStates draws states uniformly from all visited states, including the first and last of each episode. episodes
// is as in [SamplePairs]; uniform is [R, B, 2] in [0, 1); the states are [R, B] int32.
func SampleStates(episodes, uniform *Node) *Node {
	count, states := episodes.Shape().Dim(1), episodes.Shape().Dim(2)
	return visited(episodes, intDrawn(uniform, 0, count), intDrawn(uniform, 1, states))
}

func column(uniform *Node, i int) *Node {
	return Squeeze(Slice(uniform, AxisRange(), AxisRange(), AxisElem(i)), 2)
}

// intDrawn maps column i of uniform to integers in [0, n).
func intDrawn(uniform *Node, i, n int) *Node {
	x := ConvertDType(Floor(MulScalar(column(uniform, i), float64(n))), dtypes.Int32)
	return MinScalar(x, int32(n-1)) // u·n can round up to n
}

// visited returns the states of the episodes at times t, both [R, B].
func visited(episodes, episode, t *Node) *Node {
	dims := episodes.Shape().Dimensions
	run := Iota(episodes.Graph(), shapes.Make(dtypes.Int32, episode.Shape().Dimensions...), 0)
	row := Add(MulScalar(run, int32(dims[1])), episode)
	index := Add(MulScalar(row, int32(dims[2])), t)
	return Gather(Reshape(episodes, dims[0]*dims[1]*dims[2]), InsertAxes(index, -1))
}
