package learn

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/internal/linalg"
	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/learn/inspect"
	"omm-go/ommlx/net"
)

// Trajectories makes pairs of states that are lag frames apart, x' = x(t + lag), from one or more trajectories. A
// trajectory is T×D, one frame per row. No pair spans two trajectories or a gap, which is a frame with NaN. Parts that
// are not longer than the lag are skipped; [Learned.Advice] counts gaps and skipped parts. Blocks of consecutive frames
// are held out.
func Trajectories(lag int, x ...mat.Matrix) (Pairs, error) {
	if lag < 1 || len(x) == 0 {
		return Pairs{}, fmt.Errorf("trajectories: got %d with a lag of %s, want at least 1 of each", len(x),
			say.Count(lag, "frame"))
	}
	made := path{lag: lag, x: x}
	var from, to []float64
	var d, gaps, short, longest int
	for i, trajectory := range x {
		if trajectory == nil {
			return Pairs{}, fmt.Errorf("trajectories: x[%d] is nil", i)
		}
		frames, columns := trajectory.Dims()
		if i == 0 {
			d = columns
		}
		if columns != d || d == 0 {
			return Pairs{}, fmt.Errorf("trajectories: x[%d] is %d×%d and x[0] has %s, want equal numbers, at least 1",
				i, frames, columns, say.Count(d, "coordinate"))
		}
		first := 0
		for t := range frames + 1 {
			if t < frames && !floats.HasNaN(mat.Row(nil, t, trajectory)) {
				continue
			}
			if longest = max(longest, t-first); t < frames {
				gaps++
			}
			if pairs := t - first - lag; pairs > 0 {
				made.parts = append(made.parts, inspect.Part{Trajectory: i, First: first, Pairs: pairs})
			} else if t > first || frames == 0 {
				short++
			}
			for ; first+lag < t; first++ {
				from = append(from, mat.Row(nil, first, trajectory)...)
				to = append(to, mat.Row(nil, first+lag, trajectory)...)
			}
			first = t + 1
		}
	}
	if len(made.parts) == 0 {
		if column := linalg.NaNColumn(x...); column >= 0 {
			return Pairs{}, fmt.Errorf("trajectories: coordinate %d is NaN in all frames: leave it out", column)
		}
		return Pairs{}, fmt.Errorf("trajectories: none is longer than the lag of %s; the longest has %d",
			say.Count(lag, "frame"), longest)
	}
	if gaps > 0 {
		made.said = append(made.said, say.Count(gaps, "frame")+" with NaN split the trajectories")
	}
	if short > 0 {
		made.said = append(made.said, fmt.Sprintf("%s of at most %s, the lag, skipped", say.Count(short, "part"),
			say.Count(lag, "frame")))
	}
	return Pairs{From: mat.NewDense(len(from)/d, d, from), To: mat.NewDense(len(to)/d, d, to), made: made}, nil
}

// path is the source of the pairs of [Trajectories] or of pairs that the caller cut. Without parts it is unknown.
type path struct {
	lag   int
	x     []mat.Matrix // the trajectories; nil if the caller cut them
	parts []inspect.Part
	said  []string // about gaps and skipped parts
}

// followed returns the source of the pairs: what [Trajectories] recorded, or the trajectories that the caller cut into
// pairs with a lag L. Then x' of a pair is x of the L-th pair after it, except at the ends. The source is unknown if
// most pairs are in no such order, or x' of the first pair occurs more than once. Pairs that replace some of
// [Trajectories] keep the lag.
func (o Pairs) followed() path {
	n, _ := o.From.Dims()
	recorded := 0
	for _, part := range o.made.parts {
		recorded += part.Pairs
	}
	if recorded == n {
		return o.made
	}
	unknown := path{lag: o.made.lag, said: o.made.said}
	meets := func(pair, later int) bool {
		return floats.Equal(mat.Row(nil, pair, o.To), mat.Row(nil, later, o.From))
	}
	var lags []int
	for q := range n {
		if meets(0, q) {
			lags = append(lags, q)
		}
	}
	if len(lags) != 1 || lags[0] == 0 {
		return unknown
	}
	p, joined, start := path{lag: lags[0]}, 0, 0
	for start < n {
		end := start
		for end+p.lag < n && meets(end, end+p.lag) {
			end++
		}
		joined += end - start
		end = min(n, end+p.lag) // the last pairs have no later ones
		p.parts = append(p.parts, inspect.Part{Trajectory: len(p.parts), Pairs: end - start})
		start = end
	}
	if 2*joined < n {
		return unknown
	}
	return p
}

// where names the frame at which a pair starts, or its row.
func (p path) where(row int) string {
	pair := row
	for _, part := range p.parts {
		if pair < part.Pairs && p.x != nil {
			return fmt.Sprintf("frame %d of x[%d]", part.First+pair, part.Trajectory)
		}
		pair -= part.Pairs
	}
	return rowOf("From")(row)
}

// check is [check] of frames. Its error names the trajectory and the frame.
func (p path) check(f net.Functions) error {
	for _, part := range p.parts {
		for t := part.First; p.x != nil && t < part.First+part.Pairs+p.lag; t++ {
			row := mat.Row(nil, t, p.x[part.Trajectory])
			if err := check("", mat.NewDense(1, len(row), row), f); err != nil {
				return fmt.Errorf("trajectories: x[%d], frame %d%s", part.Trajectory, t,
					strings.Replace(err.Error(), " of row 0", "", 1))
			}
		}
	}
	return nil
}

// Timescales returns the decay times of a transition operator's functions, −lag/ln λ_i, in the units of lag, the time
// between x and x', and their standard errors. They follow from the values on held-out pairs or, without such pairs,
// from Values, with errors of NaN. The constant has λ = 1 on held-out pairs, and the time +Inf. A value λ ≤ 0 or λ > 1
// has no decay time: NaN.
//
// Timescales should not depend on the lag of [Trajectories]: if they grow with it, the functions or the coordinates
// miss a slow process.
func (r Run) Timescales(lag float64) (times, errors []float64) {
	values, uncertain := r.Values, unknown(len(r.Values))
	if r.HeldOut != nil {
		values, uncertain = r.HeldOut.Values, r.HeldOut.Errors
	}
	for i, v := range values {
		time := math.NaN()
		if v > 0 && v <= 1 {
			time = math.Abs(lag / math.Log(v))
		}
		times = append(times, time)
		errors = append(errors, time*time/lag*uncertain[i]/v) // NaN for a time of +Inf
	}
	return times, errors
}
