package learn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"omm-go/ommlx/net"
)

// discrete is implemented by functions on a finite set of states, such as a [net.Table]. Their points are state
// numbers, which CheckStates validates.
type discrete interface {
	CheckStates(points mat.Matrix) error
}

func isDiscrete(f net.Functions) bool {
	_, is := f.(discrete)
	return is
}

// check returns an error if there are no points, a coordinate is not finite in float32, or a point of discrete
// functions is not a state number. Errors begin with what.
func check(what string, points mat.Matrix, f net.Functions) error {
	if points == nil {
		return fmt.Errorf("%s is nil, want N×D coordinates", what)
	}
	n, d := points.Dims()
	if n == 0 || d == 0 {
		return fmt.Errorf("%s is %d×%d, want N×D coordinates", what, n, d)
	}
	for i := range n {
		for j := range d {
			if v := points.At(i, j); !finite(v) {
				return fmt.Errorf("%s: coordinate %d of row %d is %v, want a finite float32", what, j, i, v)
			}
		}
	}
	if f, is := f.(discrete); is {
		if err := f.CheckStates(points); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

// finite reports whether a number is finite in float32.
func finite(v float64) bool {
	x := float64(float32(v))
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}

// enough returns an error if there are fewer states than functions.
func enough(states, k int) error {
	if k > states {
		return fmt.Errorf("k is %d, want at most the number of states, %d", k, states)
	}
	return nil
}
