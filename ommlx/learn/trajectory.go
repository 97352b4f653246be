package learn

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Trajectories makes pairs of states that are lag frames apart, of one trajectory or of several, each of whose rows is
// a frame, T×D: x' = x(t + lag). No pair reaches from one trajectory into another. [Pairs] holds out blocks of
// consecutive frames.
//
// An error says that lag is not positive, that a trajectory has no more frames than lag, or that they differ in D.
func Trajectories(lag int, x ...mat.Matrix) (Pairs, error) {
	if lag < 1 || len(x) == 0 {
		return Pairs{}, fmt.Errorf("%d trajectories are given with a lag of %d frames; give at least one, and a lag "+
			"of at least 1", len(x), lag)
	}
	var from, to []float64
	var d int
	for i, trajectory := range x {
		if trajectory == nil {
			return Pairs{}, fmt.Errorf("trajectory %d is nil; give a matrix with a frame in each row", i)
		}
		frames, columns := trajectory.Dims()
		if i == 0 {
			d = columns
		}
		if frames <= lag || columns != d {
			return Pairs{}, fmt.Errorf("trajectory %d is %d×%d; all must have more frames than the lag of %d, and %d "+
				"coordinates", i, frames, columns, lag, d)
		}
		for t := range frames - lag {
			from, to = append(from, mat.Row(nil, t, trajectory)...), append(to, mat.Row(nil, t+lag, trajectory)...)
		}
	}
	return pairsOf(d, from, to), nil
}

// pairsOf are pairs of D coordinates, row by row.
func pairsOf(d int, from, to []float64) Pairs {
	return Pairs{From: mat.NewDense(len(from)/d, d, from), To: mat.NewDense(len(to)/d, d, to)}
}

// Timescales are those on which the functions of a transition operator decay, −lag/ln|λ_i|, in the units of lag, the
// time between x and x'. They should not depend on the lag: where they grow with it, the functions or the coordinates
// miss something slow. +Inf where |λ_i| ≥ 1, as for the constant.
func Timescales(values []float64, lag float64) []float64 {
	times := make([]float64, len(values))
	for i, v := range values {
		if times[i] = -lag / math.Log(math.Abs(v)); !(math.Abs(v) < 1) {
			times[i] = math.Inf(1)
		}
	}
	return times
}

// Propagate returns E[g(x_n)|x_0] at points x_0, N×D, of an observable g after n steps of a transition operator, as far
// as the learned functions have it: Σ_i λ_iⁿ E[φ_i g] φ_i(x_0). g is given by its values at samples of the stationary
// law, M×D.
//
// An error says that the numbers of samples and values differ, that n is negative, or is that of [Learned.At].
func (l *Learned) Propagate(points, samples mat.Matrix, g []float64, n int) ([]float64, error) {
	if samples == nil || n < 0 {
		return nil, errors.New("give samples of the stationary law, and a number of steps of at least 0")
	}
	if rows, _ := samples.Dims(); rows != len(g) {
		return nil, fmt.Errorf("the observable has %d values at %d samples; give one for each", len(g), rows)
	}
	there, err := l.At(samples)
	if err != nil {
		return nil, err
	}
	at, err := l.At(points)
	if err != nil {
		return nil, err
	}
	var weights, future mat.VecDense
	weights.MulVec(there.T(), mat.NewVecDense(len(g), g))
	for i, v := range l.Values {
		weights.SetVec(i, weights.AtVec(i)*math.Pow(v, float64(n))/float64(len(g)))
	}
	future.MulVec(at, &weights)
	return future.RawVector().Data, nil
}
