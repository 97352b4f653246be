package train

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/tensorx"
)

// ErrDiverged is wrapped by the error of [Run] if every run has diverged.
var ErrDiverged = errors.New("every run diverged")

// finiteness returns for each run, [R], whether loss and gradients are finite, and the number of the first quantity
// that is not, counted from 1: the watched ones in their order, the loss, the gradient; 0 if all are finite.
//
// It tests the squares of the gradients, because the optimiser's state stays finite as long as they do. The decision is
// then known before the update, which stays one pass over memory.
func finiteness(quantities []watched, loss *Node, grads []*Node) (finite, cause *Node) {
	finite = IsFinite(loss)
	tests := make([]*Node, 0, len(quantities)+2)
	for _, w := range quantities {
		tests = append(tests, IsFinite(tensorx.Squares(w.x)))
	}
	tests = append(tests, finite)
	for _, g := range grads {
		finite = LogicalAnd(finite, IsFinite(tensorx.Squares(g)))
	}
	tests = append(tests, finite)
	number := func(i int) *Node {
		return BroadcastToDims(Scalar(loss.Graph(), dtypes.Int32, i), loss.Shape().Dim(0))
	}
	cause = number(0)
	for i, test := range slices.Backward(tests) {
		cause = Where(test, cause, number(i+1))
	}
	return finite, cause
}

// causes converts the numbers of finiteness to [Result].Causes.
func causes(numbers []int, quantities []string) []string {
	names := slices.Concat([]string{""}, quantities, []string{"loss", "gradient"})
	all := make([]string, len(numbers))
	for r, n := range numbers {
		all[r] = names[n]
	}
	return all
}

// divergence returns an error if every run has diverged. quantities are the names of the watched quantities.
func (r *Result) divergence(quantities []string) error {
	if slices.Contains(r.Diverged, 0) {
		return nil
	}
	first := slices.Min(r.Diverged)
	what, remedy := r.Causes[slices.Index(r.Diverged, first)], ""
	if slices.Contains(quantities, what) {
		remedy = ", or look for the samples at which it is not finite"
	} else {
		what = "the " + what
	}
	if len(quantities) == 0 {
		remedy = ", or watch quantities (Inputs.Watch) to find the first that is not finite"
	}
	return fmt.Errorf("training: %w, the first at step %s, where %s was not finite; lower the learning rate%s",
		ErrDiverged, say.Thousands(first), what, remedy)
}
