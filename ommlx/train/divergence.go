package train

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"omm-go/ommlx/internal/say"
	"omm-go/ommlx/internal/tensorx"
)

// ErrDiverged is wrapped by the error of [Run] if every run has diverged.
var ErrDiverged = errors.New("every run diverged")

// causes are the values of [Result].Causes.
var causes = []string{"", "loss", "gradient"}

// finiteness returns for each run, [R], whether loss and gradients are finite, and the cause as an index in causes. It
// tests the squares of the gradients: as long as they are finite, the optimiser's state is.
func finiteness(loss *Node, grads []*Node) (finite, cause *Node) {
	lossFinite := IsFinite(loss)
	finite = lossFinite
	for _, g := range grads {
		finite = LogicalAnd(finite, IsFinite(tensorx.Squares(g)))
	}
	number := func(i int) *Node {
		return BroadcastToDims(Scalar(loss.Graph(), dtypes.Int32, i), loss.Shape().Dim(0))
	}
	return finite, Where(finite, number(0), Where(lossFinite, number(2), number(1)))
}

// freeze replaces the diverged runs in next, the state after a call, by their state before the step at which they
// diverged. That step is the last of its call, so the state before it takes a second, shorter call.
func (r *runner) freeze(next []*tensors.Tensor) ([]*tensors.Tensor, error) {
	before, last := r.state(), ints(next[atStep])[0]
	if last-1 > r.step && slices.Contains(ints(next[atDiverged]), last) {
		var err error
		if before, err = r.call(last - 1); err != nil {
			return nil, err
		}
		defer func() { discard(before) }()
	}
	frozen, err := r.mix.Call(slices.Concat(next[atDiverged:atDiverged+1], next[heads:], before[heads:]))
	discard(next[heads:])
	return append(next[:heads:heads], frozen...), err
}

// survivors takes the steps at which runs diverged, [R], and two equally long lists. It returns the first list with the
// diverged runs of the second.
func survivors(in []*Node) []*Node {
	alive, n := Equal(in[0], ZerosLike(in[0])), len(in)/2
	next, before := slices.Clone(in[1:1+n]), in[1+n:]
	for i := range next {
		next[i] = Where(tensorx.Spread(alive, next[i]), next[i], before[i])
	}
	return next
}

// divergence returns an error if every run has diverged.
func (r *Result) divergence() error {
	if slices.Contains(r.Diverged, 0) {
		return nil
	}
	first := slices.Min(r.Diverged)
	return fmt.Errorf("training: %w, the first at step %s, where the %s was not finite; lower the learning rate",
		ErrDiverged, say.Thousands(first), r.Causes[slices.Index(r.Diverged, first)])
}
