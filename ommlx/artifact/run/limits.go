package run

import (
	"cmp"
	"fmt"
	"math"
)

// Between returns an error where a number of a configuration is out of range. what names it, as "the batch".
func Between[T cmp.Ordered](what string, x, least, most T) error {
	if x >= least && x <= most { // which no NaN is
		return nil
	}
	return fmt.Errorf("%s is %v; it must be from %v to %v", what, x, least, most)
}

// NotNegative returns an error where a number of a configuration is negative or not finite.
func NotNegative(what string, x float64) error {
	if x >= 0 && !math.IsInf(x, 1) {
		return nil
	}
	return fmt.Errorf("%s is %g; it must be finite and at least 0", what, x)
}

// Share returns an error where a number of a configuration is not in [0, 1).
func Share(what string, x float64) error {
	if x >= 0 && x < 1 {
		return nil
	}
	return fmt.Errorf("%s is %g; it must lie in [0, 1)", what, x)
}
