package operator

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// some stands for any length of an axis in [requireShape].
const some = -1

// requireShape panics with one sentence unless x has these dimensions. where is the function that was called, what its
// argument, form how its documentation writes the shape.
func requireShape(where, what, form string, x *Node, dims ...int) {
	if x == nil {
		panic(fmt.Errorf("%s: %s is nil; it must be %s", where, what, form))
	}
	have := x.Shape().Dimensions
	fits := len(have) == len(dims)
	for i := 0; fits && i < len(dims); i++ {
		fits = dims[i] == some || dims[i] == have[i]
	}
	if !fits {
		panic(fmt.Errorf("%s: %s has the shape %v; it must be %s%s", where, what, have, form, lengths(dims)))
	}
}

// lengths says which axes have a length that something else requires.
func lengths(dims []int) string {
	text, known := ", here [", false
	for i, d := range dims {
		if i > 0 {
			text += ", "
		}
		if d == some {
			text += "any"
			continue
		}
		text, known = text+fmt.Sprint(d), true
	}
	if !known {
		return ""
	}
	return text + "]"
}

// requireAlong panics unless x is [..., B, 1] at the points of f [..., B, k], with as many leading axes or fewer.
func requireAlong(where, what string, x, f *Node) {
	if x == nil {
		panic(fmt.Errorf("%s: %s is nil; give its values at the points, [..., B, 1]", where, what))
	}
	have, want := x.Shape().Dimensions, f.Shape().Dimensions
	fits := len(have) >= 2 && len(have) <= len(want) && have[len(have)-1] == 1
	for i := 2; fits && i <= len(have); i++ {
		length := have[len(have)-i]
		fits = length == want[len(want)-i] || length == 1 && i > 2
	}
	if !fits {
		panic(fmt.Errorf("%s: %s has the shape %v and the functions have %v; "+
			"it must be [..., B, 1] where they are [..., B, k]", where, what, have, want))
	}
}
