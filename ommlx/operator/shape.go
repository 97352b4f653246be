package operator

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// some accepts any length of an axis in [requireShape].
const some = shapes.UncheckedAxis

// requireShape panics unless x has these dimensions. where is the function, what its argument, form the documented
// shape.
func requireShape(where, what, form string, x *Node, dims ...int) {
	if x.Shape().CheckDims(dims...) != nil {
		panic(fmt.Errorf("%s: %s is %v, want %s", where, what, x.Shape().Dimensions, form))
	}
}

// requireAlong panics unless x is [..., B, 1] for f [..., B, k], with at most as many leading axes.
func requireAlong(where, what string, x, f *Node) {
	have, want := x.Shape().Dimensions, f.Shape().Dimensions
	fits := len(have) >= 2 && len(have) <= len(want) && have[len(have)-1] == 1
	for i := 2; fits && i <= len(have); i++ {
		length := have[len(have)-i]
		fits = length == want[len(want)-i] || length == 1 && i > 2
	}
	if !fits {
		panic(fmt.Errorf("%s: %s is %v, want [..., B, 1] for functions %v", where, what, have, want))
	}
}
