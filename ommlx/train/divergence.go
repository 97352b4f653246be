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

// causes are the values of [Result].Causes.
var causes = []string{"", "loss", "gradient"}

// finiteness returns for each run, [R], whether loss and gradients are finite, and the cause as an index in causes. It
// tests the squares of the gradients: as long as they are finite, the optimiser's state is, and the update stays one
// pass over memory.
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

// divergence returns an error if every run has diverged.
func (r *Result) divergence() error {
	if slices.Contains(r.Diverged, 0) {
		return nil
	}
	first := slices.Min(r.Diverged)
	return fmt.Errorf("training: %w, the first at step %s, where the %s was not finite; lower the learning rate",
		ErrDiverged, say.Thousands(first), r.Causes[slices.Index(r.Diverged, first)])
}
