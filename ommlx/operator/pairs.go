package operator

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// SamplePairs draws pairs (s_t, s_{t+Δ}) of the pair law of package gridworld on the device: an episode and a time t in
// 0…L−1 uniformly, and the lag Δ by inversion of the geometric law with discount γ that is cut off at the episode's
// end; γ = 0 gives Δ = 1.
//
// episodes [R, E, L+1] int32: the visited states, one set of episodes for each run; uniform [R, B, 3] in [0, 1); γ at
// least 0 and below 1.
// Returns from and to, [R, B] int32.
func SamplePairs(episodes, uniform *Node, gamma float64) (from, to *Node) {
	const where = "operator.SamplePairs"
	requireDraws(where, episodes, uniform, 3)
	if !(gamma >= 0 && gamma < 1) {
		panic(fmt.Errorf("%s: the discount γ is %v; it must be at least 0 and below 1", where, gamma))
	}
	length := episodes.Shape().Dim(2) - 1
	if length < 1 {
		panic(fmt.Errorf("%s: the episodes have %d states; a pair needs at least 2", where, length+1))
	}
	episode, t := draw(uniform, 0, episodes.Shape().Dim(1)), draw(uniform, 1, length)
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

// SampleStates draws states uniformly from all that were visited, the starts and ends of episodes included. episodes as
// in [SamplePairs]; uniform [R, B, 2] in [0, 1); returns [R, B] int32.
func SampleStates(episodes, uniform *Node) *Node {
	requireDraws("operator.SampleStates", episodes, uniform, 2)
	return visited(episodes, draw(uniform, 0, episodes.Shape().Dim(1)), draw(uniform, 1, episodes.Shape().Dim(2)))
}

func requireDraws(where string, episodes, uniform *Node, numbers int) {
	requireShape(where, "episodes", "[R, E, L+1]", episodes, some, some, some)
	requireShape(where, "uniform", fmt.Sprintf("[R, B, %d]", numbers), uniform, episodes.Shape().Dim(0), some, numbers)
}

func column(uniform *Node, i int) *Node {
	return Squeeze(Slice(uniform, AxisRange(), AxisRange(), AxisElem(i)), 2)
}

// draw maps column i of uniform to integers in [0, n).
func draw(uniform *Node, i, n int) *Node {
	x := ConvertDType(Floor(MulScalar(column(uniform, i), float64(n))), dtypes.Int32)
	return MinScalar(x, int32(n-1)) // u·n can round up to n
}

func visited(episodes, episode, t *Node) *Node {
	dims := episodes.Shape().Dimensions
	run := Iota(episodes.Graph(), shapes.Make(dtypes.Int32, episode.Shape().Dimensions...), 0)
	row := Add(MulScalar(run, int32(dims[1])), episode)
	index := Add(MulScalar(row, int32(dims[2])), t)
	return Gather(Reshape(episodes, dims[0]*dims[1]*dims[2]), InsertAxes(index, -1))
}
